import type { FastifyPluginAsync } from 'fastify'
import { type EngineHealth, isReady } from '../../ground/model/health.ts'

/**
 * `/health/live` answers while the process runs, `/health/ready` with 503 while it cannot serve requests. Both are public:
 * details are for the console and `clew status`.
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
