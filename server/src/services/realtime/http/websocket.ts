import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { takeUpgrade } from '../../../ground/http/upgrade.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { Grant, ReadToken } from '../caller/token.ts'
import { realtimeError } from '../errors.ts'
import { type Version, versions } from '../wire/frames.ts'

/** A socket that a client has opened. */
export interface OpenedSocket {
  readonly socket: WebSocket
  /** What it writes to. */
  readonly transport: Duplex
  readonly version: Version
  readonly grant: Grant
  /** The request that opened it. */
  readonly context: RequestContext
}

/** The dependencies of `createHandshake`. */
export interface HandshakeDeps {
  readonly readToken: ReadToken
  readonly frameBytes: number
  readonly mayOpen: () => boolean
  readonly opened: (socket: OpenedSocket) => void
}

/** Answers a request for a socket (realtime §1). @throws realtimeError */
export function createHandshake(deps: HandshakeDeps): (request: FastifyRequest, reply: FastifyReply) => unknown {
  // Compression of each message costs memory by socket, and the reference does without.
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: deps.frameBytes,
    perMessageDeflate: false,
    clientTracking: false,
    // Text that is not well formed is dropped like any other frame, and its socket kept (realtime §1).
    skipUTF8Validation: true,
  })
  return (request, reply) => {
    const context = request.getDecorator<RequestContext>('requestContext')
    const { query, headers } = context
    const version = versionOf(new URLSearchParams(query).get('vsn'))
    const grant = grantOf(deps.readToken, first(headers['x-api-key']) ?? first(headers.apikey))
    if (!deps.mayOpen()) throw realtimeError('TooManyConnections')
    const upgrade = takeUpgrade(request.raw)
    if (upgrade === null) throw realtimeError('NotAWebSocket', { headers: { upgrade: 'websocket' } })
    reply.hijack()
    server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) =>
      deps.opened({ socket, transport: upgrade.socket, version, grant, context }),
    )
    return reply
  }
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

function versionOf(text: string | null): Version {
  const version = text === null ? '1.0.0' : versions.find((each) => each === text)
  if (version === undefined) throw realtimeError('UnknownVersion')
  return version
}

function grantOf(readToken: ReadToken, key: string | undefined): Grant {
  if (key === undefined || key === '') throw realtimeError('KeyMissing')
  const read = readToken(key)
  if (read.kind === 'grant') return read.grant
  const { message } = read.refusal
  throw realtimeError('InvalidToken', {
    message: message.startsWith('Token has expired') ? 'Token has expired' : message,
  })
}

/** The bytes of a frame, which the library hands over in one of three forms. */
export const bytesOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
