import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyText, callOf, callWithBody, contextOf, queryOf, send } from '../http/edge.ts'
import type { Redirects } from '../http/redirect.ts'
import type { LimitCalls } from '../limits/rate-limits.ts'
import type { Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { parseForm } from '../parse/form.ts'
import type { Sso } from './single-sign-on.ts'

/** The routes of single sign-on. */
export interface SsoRoutesDeps {
  readonly sso: Sso
  readonly redirects: Redirects
  readonly limit: LimitCalls
  /** Asks for a solved captcha, where that is switched on. */
  readonly captcha: (call: Call) => Promise<void>
}

/** The addresses of single sign-on (auth §17). */
export function ssoRoutes(app: FastifyInstance, { sso, redirects, limit, captcha }: SsoRoutesDeps): void {
  const call = (request: FastifyRequest): Call => callWithBody(redirects, request)
  const bare = (request: FastifyRequest): Call => callOf(redirects, request, {})

  app.post('/sso', async (request, reply) => {
    limit('sso', contextOf(request).remoteAddress)
    const begun = call(request)
    await captcha(begun)
    return send(reply, await sso.begin(begun))
  })
  app.get('/sso/saml/metadata', async (request, reply) =>
    send(reply, await sso.metadata(queryOf(request).get('download') === 'true')),
  )
  app.post('/sso/saml/acs', async (request, reply) => {
    limit('saml_assertion', contextOf(request).remoteAddress)
    const location = await sso.consume(parseForm(bodyText(request)), contextOf(request))
    return reply.redirect(location, 303)
  })

  app.get('/admin/sso/providers', async (request, reply) =>
    send(reply, await sso.admin.list(bare(request), queryOf(request))),
  )
  app.post('/admin/sso/providers', async (request, reply) => send(reply, await sso.admin.create(call(request))))
  const one = '/admin/sso/providers/:id'
  app.get<{ Params: { id: string } }>(one, async (request, reply) =>
    send(reply, await sso.admin.get(bare(request), request.params.id)),
  )
  app.put<{ Params: { id: string } }>(one, async (request, reply) =>
    send(reply, await sso.admin.change(call(request), request.params.id)),
  )
  app.delete<{ Params: { id: string } }>(one, async (request, reply) =>
    send(reply, await sso.admin.delete(bare(request), request.params.id)),
  )

  // Provisioning (RFC 7644) is not offered; clients that ask learn so in this protocol's words.
  for (const path of ['ServiceProviderConfig', 'ResourceTypes', 'Schemas'])
    app.get(`/scim/v2/${path}`, async () => {
      throw authError('feature_disabled', { message: 'SCIM server is disabled' })
    })
}
