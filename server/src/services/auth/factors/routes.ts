import type { FastifyInstance } from 'fastify'
import type { Auth } from '../auth.ts'
import { callOf, callWithBody, callWithOptionalBody, send, workOf } from '../http/edge.ts'

type Id = { Params: { id: string } }
type OfUser = { Params: { user_id: string } }
type OfUserAndId = { Params: { user_id: string; id: string } }

/** The paths of second factors and passkeys (auth §15, §16, §18). */
export function factorRoutes(app: FastifyInstance, auth: Auth): void {
  const { factors, redirects, limit, captcha } = auth

  app.post('/factors', async (request, reply) => send(reply, await factors.enrol(callWithBody(redirects, request))))
  app.post<Id>('/factors/:id/challenge', async (request, reply) => {
    limit('factor_challenge', workOf(request).remoteAddress)
    return send(reply, await factors.challenge(callWithOptionalBody(redirects, request), request.params.id))
  })
  app.post<Id>('/factors/:id/verify', async (request, reply) => {
    limit('factor_verify', workOf(request).remoteAddress)
    return send(reply, await factors.verify(callWithBody(redirects, request), request.params.id))
  })
  app.delete<Id>('/factors/:id', async (request, reply) =>
    send(reply, await factors.unenrol(callOf(redirects, request, {}), request.params.id)),
  )

  app.post('/passkeys/registration/options', async (request, reply) =>
    send(reply, await factors.beginRegistration(callWithOptionalBody(redirects, request))),
  )
  app.post('/passkeys/registration/verify', async (request, reply) =>
    send(reply, await factors.finishRegistration(callWithBody(redirects, request))),
  )
  app.post('/passkeys/authentication/options', async (request, reply) => {
    limit('passkey', workOf(request).remoteAddress)
    const call = callWithOptionalBody(redirects, request)
    await captcha(call)
    return send(reply, await factors.beginAuthentication(call))
  })
  app.post('/passkeys/authentication/verify', async (request, reply) =>
    send(reply, await factors.finishAuthentication(callWithBody(redirects, request))),
  )
  app.get('/passkeys', async (request, reply) =>
    send(reply, await factors.listPasskeys(callOf(redirects, request, {}))),
  )
  app.patch<Id>('/passkeys/:id', async (request, reply) =>
    send(reply, await factors.changePasskey(callWithBody(redirects, request), request.params.id)),
  )
  app.delete<Id>('/passkeys/:id', async (request, reply) =>
    send(reply, await factors.removePasskey(callOf(redirects, request, {}), request.params.id)),
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
  app.get<OfUser>('/admin/users/:user_id/passkeys', async (request, reply) =>
    send(reply, await factors.listPasskeysAsAdmin(callOf(redirects, request, {}), request.params.user_id)),
  )
  app.delete<OfUserAndId>('/admin/users/:user_id/passkeys/:id', async (request, reply) => {
    const { user_id: user, id } = request.params
    return send(reply, await factors.removePasskeyAsAdmin(callOf(redirects, request, {}), user, id))
  })
}
