import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How slowly a request may be received, and its answer taken. */
export interface SlowRequestLimits {
  readonly timeoutMs: number
  /** What of a request or answer that takes longer must come in each further such time, on average. */
  readonly bytesPerSecond: number
}

interface Connection {
  /** Whose body is being received; null between requests. */
  request: IncomingMessage | null
  /** From when, and from which byte of the connection on, its bytes are counted. */
  since: number
  from: number
}

const looksPerTimeout = 20
const longestPauseMs = 5_000

/**
 * Closes connections whose requests are received too slowly. A request has `timeoutMs`; a longer one, a large upload, as
 * much again each time it has brought what it must. Node's own limit would cut it, however fast it comes; that of heads
 * stands.
 */
export function closeSlowRequests(app: FastifyInstance, { timeoutMs, bytesPerSecond }: SlowRequestLimits): void {
  const connections = new Map<Socket, Connection>()
  const leastBytes = (timeoutMs / 1000) * bytesPerSecond
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    done()
    const { 'content-length': length = '0', 'transfer-encoding': coding } = raw.headers
    if (raw.complete || (length === '0' && coding === undefined)) return
    const { socket } = raw
    const begun = { request: raw, since: performance.now(), from: socket.bytesRead }
    const known = connections.get(socket)
    if (known !== undefined) Object.assign(known, begun)
    else {
      connections.set(socket, begun)
      socket.once('close', () => connections.delete(socket))
    }
  })
  const look = (): void => {
    const now = performance.now()
    for (const [socket, connection] of connections) {
      if (connection.request === null) continue
      if (connection.request.complete) connection.request = null
      else if (now - connection.since < timeoutMs) continue
      else if (socket.bytesRead - connection.from >= leastBytes) {
        connection.since = now
        connection.from = socket.bytesRead
      } else {
        connections.delete(socket)
        const error = Object.assign(new Error('The request was received too slowly.'), {
          code: 'ERR_HTTP_REQUEST_TIMEOUT',
        })
        app.server.emit('clientError', error, socket)
      }
    }
  }
  const timer = setInterval(look, Math.min(timeoutMs / looksPerTimeout, longestPauseMs)).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
