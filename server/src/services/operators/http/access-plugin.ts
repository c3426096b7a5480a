import type { FastifyPluginAsync } from 'fastify'
import type { Operators } from '../operators.ts'
import { clientOf } from '../sessions/client.ts'
import type { AccessRoutesDeps } from './access-routes-deps.ts'
import { ownSessionRoutes } from './own-session-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { proofRoutes } from './proof-routes.ts'
import { recoveryCodeRoutes } from './recovery-code-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { totpRoutes } from './totp-routes.ts'

type AccessPluginDeps = Pick<Operators, 'access' | 'authenticate' | 'tokens' | 'actions'>

/** The sessions, second factors and access tokens of the operator who is signed in. A guarded part of the console's API. */
export function accessPlugin({ access, authenticate, ...operators }: AccessPluginDeps): FastifyPluginAsync {
  const deps: AccessRoutesDeps = {
    access,
    currentSession: async (request) => (await authenticate(clientOf(request))).session,
  }
  return async (app) => {
    await app.register(ownSessionRoutes(deps))
    await app.register(proofRoutes(deps))
    await app.register(totpRoutes(deps))
    await app.register(passkeyRoutes(deps))
    await app.register(recoveryCodeRoutes(deps))
    await app.register(tokenRoutes(operators))
  }
}
