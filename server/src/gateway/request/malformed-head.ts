import type { Socket } from 'node:net'
import { gatewayError } from '../errors.ts'
import { readableAnywhere } from './not-found.ts'

/** How long a refused request may still send: a connection that is cut meanwhile loses its answer. */
const graceMs = 1_000

const codes: ReadonlyMap<string | undefined, keyof typeof gatewayError.entries> = new Map([
  ['HPE_HEADER_OVERFLOW', 'CLEW_GATEWAY_HEAD_TOO_LARGE'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'CLEW_GATEWAY_TOO_SLOW'],
])

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/**
 * Answers a request whose head is too large or malformed. The body is that of a missing key, whose `message` the clients of
 * every service read; pages of other origins may read it too.
 */
export function answerMalformedHead(error: NodeJS.ErrnoException, socket: Socket): void {
  // The answer that is being written, which Node's types leave out.
  const { _httpMessage: inFlight } = socket as Socket & { readonly _httpMessage?: { readonly headersSent: boolean } }
  if (error.code === 'ECONNRESET' || !socket.writable || inFlight?.headersSent === true) {
    socket.destroy()
    return
  }
  const { status, code, message, hint } = gatewayError(codes.get(error.code) ?? 'CLEW_GATEWAY_BAD_REQUEST')
  const body = JSON.stringify({ code, message, details: null, hint })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...readableAnywhere,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), graceMs).unref()
}
