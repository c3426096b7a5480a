import type { FastifyInstance } from 'fastify'
import { callOf, callWithBody, callWithOptionalBody, contextOf, send } from '../http/edge.ts'
import type { Redirects } from '../http/redirect.ts'
import type { LimitCalls } from '../limits/rate-limits.ts'
import type { Call } from '../model/call.ts'
import type { Passkeys } from './passkeys.ts'

type Id = { Params: { id: string } }
type OfUser = { Params: { user_id: string } }
type OfUserAndId = { Params: { user_id: string; id: string } }

/** The routes of passkeys. */
export interface PasskeyRoutesDeps {
  readonly passkeys: Passkeys
  readonly redirects: Redirects
  readonly limit: LimitCalls
  /** Asks for a solved captcha, where that is switched on. */
  readonly captcha: (call: Call) => Promise<void>
}

/** The paths of passkeys (auth §16, §18). */
export function passkeyRoutes(app: FastifyInstance, { passkeys, redirects, limit, captcha }: PasskeyRoutesDeps): void {
  app.post('/passkeys/registration/options', async (request, reply) =>
    send(reply, await passkeys.beginRegistration(callWithOptionalBody(redirects, request))),
  )
  app.post('/passkeys/registration/verify', async (request, reply) =>
    send(reply, await passkeys.finishRegistration(callWithBody(redirects, request))),
  )
  app.post('/passkeys/authentication/options', async (request, reply) => {
    limit('passkey', contextOf(request).remoteAddress)
    const call = callWithOptionalBody(redirects, request)
    await captcha(call)
    return send(reply, await passkeys.beginAuthentication(call))
  })
  app.post('/passkeys/authentication/verify', async (request, reply) =>
    send(reply, await passkeys.finishAuthentication(callWithBody(redirects, request))),
  )
  app.get('/passkeys', async (request, reply) => send(reply, await passkeys.list(callOf(redirects, request, {}))))
  app.patch<Id>('/passkeys/:id', async (request, reply) =>
    send(reply, await passkeys.change(callWithBody(redirects, request), request.params.id)),
  )
  app.delete<Id>('/passkeys/:id', async (request, reply) =>
    send(reply, await passkeys.remove(callOf(redirects, request, {}), request.params.id)),
  )

  app.get<OfUser>('/admin/users/:user_id/passkeys', async (request, reply) =>
    send(reply, await passkeys.listAsAdmin(callOf(redirects, request, {}), request.params.user_id)),
  )
  app.delete<OfUserAndId>('/admin/users/:user_id/passkeys/:id', async (request, reply) => {
    const { user_id: user, id } = request.params
    return send(reply, await passkeys.removeAsAdmin(callOf(redirects, request, {}), user, id))
  })
}
