import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Exchange, RequestContext, RequestRecord } from '../../ground/model/request.ts'
import { copyExchange } from './exchanges.ts'

/**
 * Tells of every request of a service once it has ended: its answer was sent, or its client has left and its handler is
 * done, so that the statements which ran without a client are in the record too. A connection whose protocol was switched is
 * a request until it ends: its record has the bytes that went each way after the request's head.
 *
 * @param copiedBodyBytes so much of each body is copied, with the headers; null copies nothing
 */
export function recordRequests(
  scope: FastifyInstance,
  service: string,
  copiedBodyBytes: number | null,
  ended: (record: RequestRecord) => void,
): void {
  /** Requests whose client left before their handler answered. */
  const left = new WeakSet<RequestContext>()
  const copies = new WeakMap<RequestContext, () => Exchange>()
  const tell = (request: FastifyRequest, reply: FastifyReply): void =>
    ended({
      context: contextOf(request),
      service,
      durationMs: reply.elapsedTime,
      // What is written after the connection has ended counts as finished, too.
      status: reply.raw.closed || !reply.raw.writableFinished ? 499 : reply.statusCode,
      requestBytes: Number(request.headers['content-length'] ?? 0),
      responseBytes: Number(reply.getHeader('content-length') ?? 0),
      exchange: copies.get(contextOf(request))?.() ?? null,
    })
  scope.addHook('onRequest', (request, reply, done) => {
    // The next hook may answer, so what is said is watched before it.
    if (copiedBodyBytes !== null && request.method !== 'OPTIONS')
      copies.set(contextOf(request), copyExchange(request, reply, copiedBodyBytes))
    done()
    if (request.method === 'OPTIONS') return
    // Fastify's own hook is not called for an answer that is cut, or that has no client any more.
    const { raw } = reply
    const { socket } = request.raw
    const before = { bytesRead: socket.bytesRead, bytesWritten: socket.bytesWritten }
    raw.once('finish', () => tell(request, reply))
    raw.once('close', () => {
      if (raw.writableFinished) return
      if (raw.headersSent) tell(request, reply)
      else if (reply.sent && reply.statusCode === switchingProtocols)
        ended({
          context: contextOf(request),
          service,
          durationMs: reply.elapsedTime,
          status: switchingProtocols,
          requestBytes: socket.bytesRead - before.bytesRead,
          responseBytes: socket.bytesWritten - before.bytesWritten,
        })
      else left.add(contextOf(request))
    })
  })
  scope.addHook('onSend', (request, reply, payload, done) => {
    done(null, payload)
    if (reply.raw.closed && left.delete(contextOf(request))) tell(request, reply)
  })
}

/** The status of a handler that took the connection (RFC 9110 §15.2.2). */
const switchingProtocols = 101

const contextOf = (request: FastifyRequest): RequestContext => request.getDecorator<RequestContext>('requestContext')
