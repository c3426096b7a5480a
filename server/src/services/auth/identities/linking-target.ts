import { authError } from '../model/errors.ts'
import type { ExternalSignIn } from '../model/provided-user.ts'
import { isBanned } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { findIdentityOwner } from '../store/identities.ts'
import { lockUser } from '../store/users.ts'
import { identityError } from './errors.ts'
import type { AccountOutcome } from './identities.ts'

/**
 * The user who gets another identity, locked.
 *
 * @throws identity_already_exists, user_banned, user_not_found
 */
export async function findLinkingTarget(
  { now }: { readonly now: () => Date },
  sql: RequestSql,
  userId: string,
  { provider, user: provided }: ExternalSignIn,
): Promise<Extract<AccountOutcome, { kind: 'signed in' }>> {
  const user = await lockUser(sql, userId)
  if (user === undefined) throw authError('user_not_found/404', { message: 'Linking target user not found' })
  if (isBanned(user, now())) throw authError('user_banned')
  const owner = await findIdentityOwner(sql, { provider, subject: provided.subject })
  if (owner === undefined) return { kind: 'signed in', user }
  throw identityError('identity_already_exists', {
    message: owner === user.id ? 'Identity is already linked' : 'Identity is already linked to another user',
  })
}
