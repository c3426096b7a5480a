import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { RequestContext } from '../../ground/model/request.ts'

/**
 * Writes a line for each request that was answered, or whose client has left. Addresses are without their queries, which may
 * hold keys and tokens.
 */
export function logRequests(app: FastifyInstance, log: FastifyBaseLogger): void {
  app.addHook('onRequest', (request, reply, done) => {
    done()
    reply.raw.once('close', () => {
      const context = request.getDecorator<RequestContext | null>('requestContext')
      if (context === null) return
      const { id, method, path, remoteAddress } = context
      const { statusCode, writableFinished } = reply.raw
      log.info(
        {
          ...{ requestId: id, method, path, status: writableFinished ? statusCode : 499 },
          ms: Math.round(reply.elapsedTime * 10) / 10,
          bytes: Number(reply.getHeader('content-length') ?? 0),
          address: remoteAddress,
          userAgent: request.headers['user-agent'] ?? null,
        },
        'request',
      )
    })
  })
}
