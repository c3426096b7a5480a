import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Auth } from '../auth.ts'
import type { Call } from '../deps.ts'
import { authError } from '../errors.ts'
import { bodyText, callOf, callWithBody, queryOf, send, workOf } from '../http/edge.ts'
import { parseForm } from '../parse/form.ts'

/** The addresses of single sign-on (auth §17). */
export function ssoRoutes(app: FastifyInstance, auth: Auth): void {
  const { sso } = auth
  const call = (request: FastifyRequest): Call => callWithBody(auth.redirects, request)
  const bare = (request: FastifyRequest): Call => callOf(auth.redirects, request, {})

  app.post('/sso', async (request, reply) => {
    auth.limit('sso', workOf(request).remoteAddress)
    const begun = call(request)
    await auth.captcha(begun, '')
    return send(reply, await sso.begin(begun))
  })
  app.get('/sso/saml/metadata', async (request, reply) =>
    send(reply, await sso.metadata(queryOf(request).get('download') === 'true')),
  )
  app.post('/sso/saml/acs', async (request, reply) => {
    auth.limit('saml_assertion', workOf(request).remoteAddress)
    const location = await sso.consume(parseForm(bodyText(request)), workOf(request))
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
