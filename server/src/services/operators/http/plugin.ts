import type { FastifyPluginAsync } from 'fastify'
import type { Operators } from '../operators.ts'
import { refuseForeignOrigin } from '../sessions/origin.ts'
import { joinRoutes } from './join-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { setupRoutes } from './setup-routes.ts'

/**
 * The console's open routes: set-up, sign-in and invitations. Mounted under `/console/api`, before the guard.
 *
 * @param others open routes of other services
 */
export function operatorsPlugin(operators: Operators, others: readonly FastifyPluginAsync[] = []): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      refuseForeignOrigin(request)
      reply.header('cache-control', 'no-store')
    })
    await app.register(setupRoutes(operators))
    await app.register(sessionRoutes(operators))
    await app.register(joinRoutes(operators.team))
    for (const other of others) await app.register(other)
  }
}

/** Mounts pages behind the guard. */
export function operatorsOnly(operators: Pick<Operators, 'guard'>, pages: FastifyPluginAsync): FastifyPluginAsync {
  return async (app) => {
    app.decorateRequest('operator', null)
    app.addHook('onRequest', operators.guard)
    await app.register(pages)
  }
}
