import type { FastifyPluginAsync } from 'fastify'
import { anonymousRequest } from '../http/routes.ts'

/** The dependencies of the routes of health. */
export interface HealthRoutesDeps {
  /** Reads a row as a request does. @throws when the database does not answer */
  readonly probe: (request: ReturnType<typeof anonymousRequest>) => Promise<unknown>
  readonly version: string
}

/** `/health`, `/status` and `/version` (storage §8): they say no more than that the service answers, and which it is. */
export function healthRoutes({ probe, version }: HealthRoutesDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/health', async (request, reply) => {
      const healthy = await probe(anonymousRequest(request, 'storage.health')).then(
        () => true,
        () => false,
      )
      return reply.code(healthy ? 200 : 503).send({ healthy })
    })
    app.get('/status', async (_request, reply) => reply.send())
    app.get('/version', async (_request, reply) => reply.type('text/plain').send(version))
  }
}
