import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyText, callOf, callWithBody, contextOf, queryOf, send } from '../http/edge.ts'
import type { Redirects } from '../http/redirect.ts'
import type { LimitCalls } from '../limits/rate-limits.ts'
import type { Call } from '../model/call.ts'
import { parseJsonOrForm } from '../parse/form.ts'
import type { OAuthServer } from './oauth-server.ts'

/** The routes of the OAuth server. */
export interface OAuthServerRoutesDeps {
  readonly oauthServer: OAuthServer
  readonly redirects: Redirects
  readonly limit: LimitCalls
}

/** The addresses of the OAuth server and of discovery (auth §19, §20). */
export function oauthServerRoutes(
  app: FastifyInstance,
  { oauthServer, redirects, limit }: OAuthServerRoutesDeps,
): void {
  const call = (request: FastifyRequest): Call => callWithBody(redirects, request)
  const bare = (request: FastifyRequest): Call => callOf(redirects, request, {})

  for (const document of ['openid-configuration', 'oauth-authorization-server'] as const)
    discoveryRoute(app, { oauthServer }, document, `/.well-known/${document}`)

  app.post('/oauth/clients/register', async (request, reply) => {
    limit('oauth_register', contextOf(request).remoteAddress)
    return send(reply, await oauthServer.register(call(request)))
  })
  app.get('/oauth/authorize', { exposeHeadRoute: false }, async (request, reply) =>
    reply.redirect(await oauthServer.authorize(bare(request), queryOf(request)), 302),
  )
  app.get<{ Params: { id: string } }>('/oauth/authorizations/:id', async (request, reply) =>
    send(reply, await oauthServer.describeAuthorization(bare(request), request.params.id)),
  )
  app.post<{ Params: { id: string } }>('/oauth/authorizations/:id/consent', async (request, reply) =>
    send(reply, await oauthServer.decideAuthorization(call(request), request.params.id)),
  )
  app.post('/oauth/token', async (request, reply) => {
    limit('oauth_token', contextOf(request).remoteAddress)
    const body = parseJsonOrForm(bodyText(request), request.headers['content-type'])
    return send(reply, await oauthServer.exchange(callOf(redirects, request, body)))
  })
  app.get('/oauth/userinfo', async (request, reply) => send(reply, await oauthServer.describeUser(bare(request))))
  app.get('/user/oauth/grants', async (request, reply) => send(reply, await oauthServer.describeGrants(bare(request))))
  app.delete('/user/oauth/grants', async (request, reply) =>
    send(reply, await oauthServer.revokeGrant(bare(request), queryOf(request))),
  )

  app.get('/admin/oauth/clients', async (request, reply) => send(reply, await oauthServer.admin.list(bare(request))))
  app.post('/admin/oauth/clients', async (request, reply) => send(reply, await oauthServer.admin.create(call(request))))
  const one = '/admin/oauth/clients/:id'
  app.get<{ Params: { id: string } }>(one, async (request, reply) =>
    send(reply, await oauthServer.admin.get(bare(request), request.params.id)),
  )
  app.put<{ Params: { id: string } }>(one, async (request, reply) =>
    send(reply, await oauthServer.admin.change(call(request), request.params.id)),
  )
  app.delete<{ Params: { id: string } }>(one, async (request, reply) =>
    send(reply, await oauthServer.admin.delete(bare(request), request.params.id)),
  )
  app.post<{ Params: { id: string } }>(`${one}/regenerate_secret`, async (request, reply) =>
    send(reply, await oauthServer.admin.regenerateSecret(bare(request), request.params.id)),
  )
}

/** One address of discovery. */
export function discoveryRoute(
  app: FastifyInstance,
  { oauthServer }: Pick<OAuthServerRoutesDeps, 'oauthServer'>,
  document: Parameters<OAuthServer['discover']>[0],
  path: string,
): void {
  app.get(path, async (_request, reply) => {
    const description = oauthServer.discover(document)
    return reply.header('cache-control', 'public, max-age=600').send(description)
  })
}
