import type { FastifyPluginAsync } from 'fastify'
import { type EngineHealth, isReady } from '../../ground/model/health.ts'

/**
 * `/health/live` answers while the process runs, `/health/ready` whether it can be given requests. What is missing, and
 * where things lie, is for the console and `clew status`: anybody may ask here.
 */
export function healthPlugin(health: () => Promise<readonly EngineHealth[]>): FastifyPluginAsync {
  return async (app) => {
    app.get('/live', async () => ({ status: 'live' }))
    app.get('/ready', async (_request, reply) => {
      const ready = (await health()).every(isReady)
      return reply
        .code(ready ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: ready ? 'ready' : 'not ready' })
    })
  }
}
