import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** A request of `HttpCaller`. */
export interface HttpCall {
  readonly method: string
  /** The path as it is sent, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | number>>
  /** A text, or a stream that is opened anew at each attempt. */
  readonly body?: string | (() => Readable)
}

/** Calls of one server, over connections that are kept. */
export interface HttpCaller {
  /** The answer, whatever its status; its body is to be read or destroyed. @throws what the network has to say */
  call(call: HttpCall): Promise<IncomingMessage>
  close(): void
}

/** The dependencies of `createHttpCaller`. */
export interface HttpCallerDeps {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Whether the server proves that it is the one of the address. */
  readonly checksCertificate: boolean
  /** How long each further attempt waits, after a lost connection or an answer that says to come again. */
  readonly retryDelaysMs: readonly number[]
}

/** A server that neither takes nor sends a byte for so long is given up. */
const idleMs = 120_000
/** Answers of a server that is busy, or of the proxy before one that starts. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Reads an answer to its end: its connection is free for the next call then. */
export async function readText(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8')
  let text = ''
  for await (const piece of answer) text += piece
  return text
}

export function createHttpCaller({ url, headers, checksCertificate, retryDelaysMs }: HttpCallerDeps): HttpCaller {
  const isSecure = url.protocol === 'https:'
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: true, rejectUnauthorized: checksCertificate })
    : new HttpAgent({ keepAlive: true })
  const { hostname, port } = url
  const base = url.pathname.replace(/\/+$/, '')
  const once = ({ method, path, headers: own, body }: HttpCall): Promise<IncomingMessage> => {
    // Node sends none with the body of a DELETE.
    const length = typeof body === 'string' ? { 'content-length': Buffer.byteLength(body) } : {}
    const options: RequestOptions = {
      agent,
      method,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path: `${base}${path}`,
      headers: { ...headers, ...length, ...own },
      timeout: idleMs,
    }
    return send(isSecure ? httpsRequest : httpRequest, options, body)
  }
  return {
    async call(call) {
      for (const wait of retryDelaysMs) {
        const answer = await once(call).catch((error: unknown) => {
          if (isLost(error)) return null
          throw error
        })
        if (answer !== null && !passing.has(answer.statusCode ?? 0)) return answer
        answer?.resume()
        await delay(wait)
      }
      return once(call)
    },
    close: () => agent.destroy(),
  }
}

function send(open: typeof httpRequest, options: RequestOptions, body: HttpCall['body']): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = open(options)
    const stream = typeof body === 'function' ? body() : null
    outgoing.on('response', (answer) => {
      // A server may refuse before it has read everything.
      if (stream !== null && (answer.statusCode ?? 0) >= 400) stream.destroy()
      resolve(answer)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No byte was moved for ${idleMs / 1000} seconds.`)))
    outgoing.on('error', (error) => {
      stream?.destroy()
      reject(error)
    })
    if (stream === null) {
      outgoing.end(body)
      return
    }
    stream.on('error', (error) => outgoing.destroy(error))
    stream.pipe(outgoing)
  })
}

const lost: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'])

/** Whether a call may have a better end when it is made again. */
export const isLost = (error: unknown): boolean => lost.has((error as { readonly code?: unknown }).code)
