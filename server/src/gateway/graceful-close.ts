import type { FastifyInstance } from 'fastify'

const sweepMs = 50

/**
 * Lets requests that are under way be answered when the server closes, for `graceMs` at most: their changes may be
 * committed already, and a client that sees a broken connection would send them again. Connections that nobody uses are
 * closed at once, and each other one as it falls idle.
 */
export function closeGently(app: FastifyInstance, graceMs: number): void {
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
