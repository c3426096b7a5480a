import type { FastifyInstance } from 'fastify'

const sweepMs = 50

/**
 * Lets in-flight requests finish when the server closes, for `graceMs` at most: their changes may be committed already, and
 * a client that sees a broken connection would send them again. Idle connections are closed at once, the others as they
 * fall idle.
 */
export function closeGracefully(app: FastifyInstance, graceMs: number): void {
  app.addHook('preClose', async () => {
    const { server } = app
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs).unref()
    const limit = setTimeout(() => server.closeAllConnections(), graceMs).unref()
    server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(limit)
    })
  })
}
