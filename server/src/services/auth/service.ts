import type { KeySet } from '../../ground/jwt/keys.ts'
import { type UserRoutesDeps, userRoutes } from './admin/console/routes.ts'
import type { Auth } from './auth.ts'
import { authDiscoveryPlugin, authPlugin } from './plugin.ts'
import type { KeyUses } from './setup/key-uses.ts'
import { type SetupRoutesDeps, setupRoutes } from './setup/routes.ts'
import type { FetchedIssuers } from './third-party/trusted-issuers.ts'

/** Clients of the OAuth server know no project key: they prove who they are by their own, or by a user's token. */
const openPaths =
  /^\/(verify|callback|authorize|health|oauth\/(authorize|token|userinfo|clients\/register)|sso\/saml\/|\.well-known\/)/

/** The dependencies of the service in an instance. */
export interface AuthServiceOptions extends Pick<UserRoutesDeps, 'reader' | 'actions'> {
  /** Other issuers whose tokens count; null where there are none. */
  readonly issuers: FetchedIssuers | null
  readonly settings: { readonly cleanUpIntervalSeconds: number }
  /** Keys of tokens; they may be rotated. */
  readonly keys: KeySet
  /** Keys of the API; they may be rotated. */
  readonly apiKeys: SetupRoutesDeps['apiKeys']
  readonly keyUses: KeyUses
  readonly rotation: SetupRoutesDeps['rotation']
  readonly log: { warn(details: object, message: string): void }
}

/** Sign-in at `/auth/v1`, and the deletion of what has expired every `settings.cleanUpIntervalSeconds`. */
export function authService(auth: Auth, { issuers, settings, log, reader, actions, ...shown }: AuthServiceOptions) {
  const cleaning = setInterval(() => {
    auth.cleanUp().catch((error: unknown) => log.warn({ err: error }, 'auth: expired rows could not be deleted'))
  }, settings.cleanUpIntervalSeconds * 1000).unref()
  return {
    mounts: [
      {
        prefix: '/auth/v1',
        service: 'auth',
        plugin: authPlugin(auth),
        needsKey: (path: string) => !openPaths.test(path),
      },
      {
        prefix: '/.well-known/oauth-authorization-server',
        service: 'auth',
        plugin: authDiscoveryPlugin(auth),
        needsKey: () => false,
      },
    ],
    console: [
      userRoutes({
        ...{ users: auth.admin.users, reader, actions },
        removeFactor: (context, userId, factorId) => auth.factors.deleteAsAdmin({ context }, userId, factorId),
      }),
      setupRoutes({ setup: auth.setup, actions, ...shown }),
    ],
    async close() {
      clearInterval(cleaning)
      await issuers?.close()
    },
  }
}
