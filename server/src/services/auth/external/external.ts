import type { Call, Parts, Reply } from '../deps.ts'
import { authorize, authorizeIdentity } from './authorize.ts'
import { type CallbackResult, callback } from './callback.ts'
import { type CustomProviders, createCustomProviders } from './custom-providers.ts'
import { unlinkIdentity } from './identities.ts'

/** Sign-in with others' accounts, and the ways to sign in that a user has (auth §13, §14, §18). */
export interface External {
  /** Redirects to the provider. */
  readonly authorize: (call: Pick<Call, 'work' | 'redirectTo'>, query: URLSearchParams) => Promise<Reply>
  readonly callback: (call: Pick<Call, 'work'>, parameters: URLSearchParams) => Promise<CallbackResult>
  readonly authorizeIdentity: (call: Pick<Call, 'work' | 'redirectTo'>, query: URLSearchParams) => Promise<Reply>
  readonly unlinkIdentity: (call: Pick<Call, 'work'>, id: string) => Promise<Reply>
  readonly customProviders: CustomProviders
}

export const createExternal = (parts: Parts): External => ({
  authorize: (call, query) => authorize(parts, call, query),
  callback: (call, parameters) => callback(parts, call, parameters),
  authorizeIdentity: (call, query) => authorizeIdentity(parts, call, query),
  unlinkIdentity: (call, id) => unlinkIdentity(parts, call, id),
  customProviders: createCustomProviders(parts),
})
