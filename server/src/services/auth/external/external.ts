import type { AuthResponse, Call } from '../model/call.ts'
import { authorize, authorizeIdentity } from './authorize.ts'
import { type CallbackResult, callback } from './callback.ts'
import type { ExternalDeps } from './deps.ts'
import { unlinkIdentity } from './unlink-identity.ts'

/** Sign-in with others' accounts, and the ways to sign in that a user has (auth §13, §14, §18). */
export interface External {
  /** Redirects to the provider. */
  readonly authorize: (call: Pick<Call, 'context' | 'redirectTo'>, query: URLSearchParams) => Promise<AuthResponse>
  readonly callback: (call: Pick<Call, 'context'>, parameters: URLSearchParams) => Promise<CallbackResult>
  readonly authorizeIdentity: (
    call: Pick<Call, 'context' | 'redirectTo'>,
    query: URLSearchParams,
  ) => Promise<AuthResponse>
  readonly unlinkIdentity: (call: Pick<Call, 'context'>, id: string) => Promise<AuthResponse>
}

export const createExternal = (deps: ExternalDeps): External => ({
  authorize: (call, query) => authorize(deps, call, query),
  callback: (call, parameters) => callback(deps, call, parameters),
  authorizeIdentity: (call, query) => authorizeIdentity(deps, call, query),
  unlinkIdentity: (call, id) => unlinkIdentity(deps, call, id),
})
