import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
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
import { describeServer } from './discovery.ts'
import { describeGrants, describeUser, revokeGrant } from './grants.ts'
import { exchange } from './token.ts'

type Bare = Pick<Call, 'work'>

/** Sign-in for other applications through this one: OAuth 2.1 and OpenID Connect (auth §19, §20). */
export interface OAuthServer {
  readonly register: (call: Call) => Promise<Reply>
  readonly admin: {
    readonly create: (call: Call) => Promise<Reply>
    readonly list: (call: Bare) => Promise<Reply>
    readonly get: (call: Bare, id: string) => Promise<Reply>
    readonly change: (call: Call, id: string) => Promise<Reply>
    readonly delete: (call: Bare, id: string) => Promise<Reply>
    readonly regenerateSecret: (call: Bare, id: string) => Promise<Reply>
  }
  /** Answers the `Location` of the redirect. */
  readonly authorize: (call: Bare, query: URLSearchParams) => Promise<string>
  readonly describeAuthorization: (call: Bare, id: string) => Promise<Reply>
  readonly decideAuthorization: (call: Call, id: string) => Promise<Reply>
  readonly exchange: (call: Call) => Promise<Reply>
  readonly describeUser: (call: Bare) => Promise<Reply>
  readonly describeGrants: (call: Bare) => Promise<Reply>
  readonly revokeGrant: (call: Bare, query: URLSearchParams) => Promise<Reply>
  /** What discovery answers; RFC 8414's address is there only with the server itself. */
  readonly discover: (document: 'openid-configuration' | 'oauth-authorization-server') => object
}

/** Makes the server's use cases of the service's parts. */
export function createOAuthServer(parts: Parts): OAuthServer {
  const description = describeServer(parts.settings)
  return {
    register: (call) => registerClient(parts, call),
    admin: {
      create: (call) => adminCreateClient(parts, call),
      list: (call) => adminListClients(parts, call),
      get: (call, id) => adminGetClient(parts, call, id),
      change: (call, id) => adminChangeClient(parts, call, id),
      delete: (call, id) => adminDeleteClient(parts, call, id),
      regenerateSecret: (call, id) => adminRegenerateSecret(parts, call, id),
    },
    authorize: (call, query) => authorize(parts, call, query),
    describeAuthorization: (call, id) => describeAuthorization(parts, call, id),
    decideAuthorization: (call, id) => decideAuthorization(parts, call, id),
    exchange: (call) => exchange(parts, call),
    describeUser: (call) => describeUser(parts, call),
    describeGrants: (call) => describeGrants(parts, call),
    revokeGrant: (call, query) => revokeGrant(parts, call, query),
    discover(document) {
      if (document === 'oauth-authorization-server' && !parts.settings.oauthServerEnabled)
        throw authError('feature_disabled', { message: 'OAuth server is disabled' })
      return description
    },
  }
}
