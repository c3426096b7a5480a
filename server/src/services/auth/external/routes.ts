import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyText, callOf, contextOf, queryOf, send } from '../http/edge.ts'
import type { Redirects } from '../http/redirect.ts'
import { readParameters } from '../parse/form.ts'
import type { External } from './external.ts'

/** The routes of sign-in with providers. */
export interface ExternalRoutesDeps {
  readonly external: External
  readonly redirects: Redirects
}

/** The addresses of sign-in with providers (auth §13, §14). */
export function externalRoutes(app: FastifyInstance, { external, redirects }: ExternalRoutesDeps): void {
  const bare = (request: FastifyRequest) => callOf(redirects, request, {})
  // A browser that asks for headers only must not begin or end anything.
  const quiet = { exposeHeadRoute: false } as const

  app.get('/authorize', quiet, async (request, reply) =>
    send(reply, await external.authorize(bare(request), queryOf(request))),
  )

  const finish = async (request: FastifyRequest, reply: FastifyReply, parameters: URLSearchParams) => {
    const context = contextOf(request)
    const { location, cookie, failure } = await external.callback({ context }, parameters)
    if (cookie !== null) reply.header('set-cookie', cookie)
    if (failure !== null) request.log.error({ err: failure, requestId: context.id }, 'auth: a provider sign-in failed')
    return reply.redirect(location, 302)
  }
  app.get('/callback', quiet, (request, reply) => finish(request, reply, queryOf(request)))
  // Apple posts what others put into the query.
  app.post('/callback', (request, reply) =>
    finish(request, reply, new URLSearchParams([...queryOf(request), ...readParameters(bodyText(request))])),
  )

  app.get('/user/identities/authorize', quiet, async (request, reply) =>
    send(reply, await external.authorizeIdentity(bare(request), queryOf(request))),
  )
  app.delete<{ Params: { id: string } }>('/user/identities/:id', async (request, reply) =>
    send(reply, await external.unlinkIdentity(bare(request), request.params.id)),
  )
}
