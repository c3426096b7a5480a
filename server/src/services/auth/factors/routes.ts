import type { FastifyInstance } from 'fastify'
import { callOf, callWithBody, callWithOptionalBody, contextOf, send } from '../http/edge.ts'
import type { Redirects } from '../http/redirect.ts'
import type { LimitCalls } from '../limits/rate-limits.ts'
import type { Factors } from './factors.ts'

type Id = { Params: { id: string } }
type OfUser = { Params: { user_id: string } }
type OfUserAndId = { Params: { user_id: string; id: string } }

/** The routes of second factors. */
export interface FactorRoutesDeps {
  readonly factors: Factors
  readonly redirects: Redirects
  readonly limit: LimitCalls
}

/** The paths of second factors (auth §15, §18). */
export function factorRoutes(app: FastifyInstance, { factors, redirects, limit }: FactorRoutesDeps): void {
  app.post('/factors', async (request, reply) => send(reply, await factors.enrol(callWithBody(redirects, request))))
  app.post<Id>('/factors/:id/challenge', async (request, reply) => {
    limit('factor_challenge', contextOf(request).remoteAddress)
    return send(reply, await factors.challenge(callWithOptionalBody(redirects, request), request.params.id))
  })
  app.post<Id>('/factors/:id/verify', async (request, reply) => {
    limit('factor_verify', contextOf(request).remoteAddress)
    return send(reply, await factors.verify(callWithBody(redirects, request), request.params.id))
  })
  app.delete<Id>('/factors/:id', async (request, reply) =>
    send(reply, await factors.unenrol(callOf(redirects, request, {}), request.params.id)),
  )

  app.get<OfUser>('/admin/users/:user_id/factors', async (request, reply) =>
    send(reply, await factors.listAsAdmin(callOf(redirects, request, {}), request.params.user_id)),
  )
  app.put<OfUserAndId>('/admin/users/:user_id/factors/:id', async (request, reply) => {
    const { user_id: user, id } = request.params
    return send(reply, await factors.changeAsAdmin(callWithBody(redirects, request), user, id))
  })
  app.delete<OfUserAndId>('/admin/users/:user_id/factors/:id', async (request, reply) => {
    const { user_id: user, id } = request.params
    return send(reply, await factors.deleteAsAdmin(callOf(redirects, request, {}), user, id))
  })
}
