import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Auth } from '../auth.ts'
import { bodyText, callOf, callWithBody, queryOf, send, workOf } from '../http/edge.ts'
import { readParameters } from '../parse/form.ts'

/** The addresses of sign-in with others' accounts (auth §13, §14, §18). */
export function externalRoutes(app: FastifyInstance, auth: Auth): void {
  const { external } = auth
  const { customProviders } = external
  const bare = (request: FastifyRequest) => callOf(auth.redirects, request, {})
  // A browser that asks for headers only must not begin or end anything.
  const quiet = { exposeHeadRoute: false } as const

  app.get('/authorize', quiet, async (request, reply) =>
    send(reply, await external.authorize(bare(request), queryOf(request))),
  )

  const arrive = async (request: FastifyRequest, reply: FastifyReply, parameters: URLSearchParams) => {
    const work = workOf(request)
    const { location, cookie, failure } = await external.callback({ work }, parameters)
    if (cookie !== null) reply.header('set-cookie', cookie)
    if (failure !== null) request.log.error({ err: failure, requestId: work.id }, 'auth: a provider sign-in failed')
    return reply.redirect(location, 302)
  }
  app.get('/callback', quiet, (request, reply) => arrive(request, reply, queryOf(request)))
  // Apple posts what others put into the query.
  app.post('/callback', (request, reply) =>
    arrive(request, reply, new URLSearchParams([...queryOf(request), ...readParameters(bodyText(request))])),
  )

  app.get('/user/identities/authorize', quiet, async (request, reply) =>
    send(reply, await external.authorizeIdentity(bare(request), queryOf(request))),
  )
  app.delete<{ Params: { id: string } }>('/user/identities/:id', async (request, reply) =>
    send(reply, await external.unlinkIdentity(bare(request), request.params.id)),
  )

  const all = '/admin/custom-providers'
  const one = `${all}/:identifier`
  type One = { Params: { identifier: string } }
  app.get(all, async (request, reply) =>
    send(reply, await customProviders.list(bare(request), queryOf(request).get('type') ?? '')),
  )
  app.post(all, async (request, reply) =>
    send(reply, await customProviders.create(callWithBody(auth.redirects, request))),
  )
  app.get<One>(one, async (request, reply) =>
    send(reply, await customProviders.get(bare(request), request.params.identifier)),
  )
  app.put<One>(one, async (request, reply) =>
    send(reply, await customProviders.change(callWithBody(auth.redirects, request), request.params.identifier)),
  )
  app.delete<One>(one, async (request, reply) =>
    send(reply, await customProviders.remove(bare(request), request.params.identifier)),
  )
}
