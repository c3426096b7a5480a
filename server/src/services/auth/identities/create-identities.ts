import { resolveAccount } from './account.ts'
import type { IdentitiesDeps } from './deps.ts'
import type { Identities } from './identities.ts'
import { linkIdentity } from './link-identity.ts'
import { retryOnDuplicate } from './retry-on-duplicate.ts'

/** Binds the functions of identities to what they need. */
export const createIdentities = (deps: IdentitiesDeps): Identities => ({
  resolveAccount: (sql, signIn, call, post) => resolveAccount(deps, sql, signIn, call, post),
  linkIdentity: (sql, userId, signIn, call, post) => linkIdentity(deps, sql, userId, signIn, call, post),
  retryOnDuplicate,
})
