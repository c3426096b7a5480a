import type { AuthResponse, Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { authorize } from './authorize.ts'
import {
  adminChangeClient,
  adminCreateClient,
  adminDeleteClient,
  adminGetClient,
  adminListClients,
  adminRegenerateSecret,
  registerClient,
} from './clients.ts'
import { decideAuthorization, describeAuthorization } from './consent.ts'
import type { OAuthServerDeps } from './deps.ts'
import { describeServer } from './discovery.ts'
import { describeGrants, describeUser, revokeGrant } from './grants.ts'
import { exchange } from './token.ts'

type Bare = Pick<Call, 'context'>

/** Sign-in for other applications through this one: OAuth 2.1 and OpenID Connect (auth §19, §20). */
export interface OAuthServer {
  readonly register: (call: Call) => Promise<AuthResponse>
  readonly admin: {
    readonly create: (call: Call) => Promise<AuthResponse>
    readonly list: (call: Bare) => Promise<AuthResponse>
    readonly get: (call: Bare, id: string) => Promise<AuthResponse>
    readonly change: (call: Call, id: string) => Promise<AuthResponse>
    readonly delete: (call: Bare, id: string) => Promise<AuthResponse>
    readonly regenerateSecret: (call: Bare, id: string) => Promise<AuthResponse>
  }
  /** Answers the `Location` of the redirect. */
  readonly authorize: (call: Bare, query: URLSearchParams) => Promise<string>
  readonly describeAuthorization: (call: Bare, id: string) => Promise<AuthResponse>
  readonly decideAuthorization: (call: Call, id: string) => Promise<AuthResponse>
  readonly exchange: (call: Call) => Promise<AuthResponse>
  readonly describeUser: (call: Bare) => Promise<AuthResponse>
  readonly describeGrants: (call: Bare) => Promise<AuthResponse>
  readonly revokeGrant: (call: Bare, query: URLSearchParams) => Promise<AuthResponse>
  /** The discovery document; RFC 8414's address is there only with the server itself. */
  readonly discover: (document: 'openid-configuration' | 'oauth-authorization-server') => object
}

/** The use cases of the OAuth server. */
export function createOAuthServer(deps: OAuthServerDeps): OAuthServer {
  const description = describeServer(deps.settings)
  return {
    register: (call) => registerClient(deps, call),
    admin: {
      create: (call) => adminCreateClient(deps, call),
      list: (call) => adminListClients(deps, call),
      get: (call, id) => adminGetClient(deps, call, id),
      change: (call, id) => adminChangeClient(deps, call, id),
      delete: (call, id) => adminDeleteClient(deps, call, id),
      regenerateSecret: (call, id) => adminRegenerateSecret(deps, call, id),
    },
    authorize: (call, query) => authorize(deps, call, query),
    describeAuthorization: (call, id) => describeAuthorization(deps, call, id),
    decideAuthorization: (call, id) => decideAuthorization(deps, call, id),
    exchange: (call) => exchange(deps, call),
    describeUser: (call) => describeUser(deps, call),
    describeGrants: (call) => describeGrants(deps, call),
    revokeGrant: (call, query) => revokeGrant(deps, call, query),
    discover(document) {
      if (document === 'oauth-authorization-server' && !deps.settings.oauthServerEnabled)
        throw authError('feature_disabled', { message: 'OAuth server is disabled' })
      return description
    },
  }
}
