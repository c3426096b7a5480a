import type { FastifyInstance } from 'fastify'
import { callWithBody, callWithOptionalBody, contextOf, queryOf, send } from '../http/edge.ts'
import type { Redirects } from '../http/redirect.ts'
import type { Admin } from './admin.ts'

type OfUser = { readonly Params: { readonly user_id: string } }

/** The routes of the admin API. */
export interface AdminRoutesDeps {
  readonly admin: Admin
  readonly redirects: Redirects
}

/** The addresses of the admin API (auth §18). */
export function adminRoutes(app: FastifyInstance, { admin, redirects }: AdminRoutesDeps): void {
  app.post('/invite', async (request, reply) => send(reply, await admin.invite(callWithBody(redirects, request))))
  app.post('/admin/generate_link', async (request, reply) =>
    send(reply, await admin.generateLink(callWithBody(redirects, request))),
  )
  app.get('/admin/users', async (request, reply) =>
    send(reply, await admin.listUsers({ context: contextOf(request) }, queryOf(request))),
  )
  app.post('/admin/users', async (request, reply) =>
    send(reply, await admin.createUser(callWithBody(redirects, request))),
  )
  const one = '/admin/users/:user_id'
  app.get<OfUser>(one, async (request, reply) =>
    send(reply, await admin.getUser({ context: contextOf(request) }, request.params.user_id)),
  )
  app.put<OfUser>(one, async (request, reply) =>
    send(reply, await admin.changeUser(callWithBody(redirects, request), request.params.user_id)),
  )
  // Clients send it with a body and without one.
  app.delete<OfUser>(one, async (request, reply) =>
    send(reply, await admin.deleteUser(callWithOptionalBody(redirects, request), request.params.user_id)),
  )
  app.get('/admin/audit', async (request, reply) =>
    send(reply, await admin.listAudit({ context: contextOf(request) }, queryOf(request))),
  )
}
