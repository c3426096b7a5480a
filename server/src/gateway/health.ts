import type { FastifyPluginAsync } from 'fastify'
import { type EngineHealth, isReady } from '../ground/model/health.ts'

/** `/health/live` answers while the process runs; `/health/ready` says in words what is missing. */
export function healthPlugin(health: () => Promise<readonly EngineHealth[]>): FastifyPluginAsync {
  return async (app) => {
    app.get('/live', async () => ({ status: 'live' }))
    app.get('/ready', async (_request, reply) => {
      const engines = await health()
      const missing = engines.filter((engine) => !isReady(engine))
      return reply.code(missing.length === 0 ? 200 : 503).send({
        status: missing.length === 0 ? 'ready' : 'not ready',
        engines: engines.map(({ name, state, detail }) => ({ name, state, detail })),
      })
    })
  }
}
