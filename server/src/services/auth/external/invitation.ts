import type { AccountOutcome } from '../identities/identities.ts'
import { authError } from '../model/errors.ts'
import { type ExternalSignIn, identityDataOf } from '../model/provided-user.ts'
import { isBanned } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { emptyAccount } from '../store/prepared-account.ts'
import { findInvited, getUserRow, insertIdentity, lockUser, updateUser } from '../store/users.ts'
import type { ExternalDeps } from './deps.ts'
import { externalError } from './errors.ts'

/**
 * Lets an invited user in with a provider instead of a password (auth §13): the invitation proves the address, so the
 * provider has only to name it. Runs inside the caller's transaction.
 *
 * @throws invite_not_found, validation_failed when the provider's addresses are others, user_banned
 */
export async function acceptInvitation(
  deps: ExternalDeps,
  sql: RequestSql,
  token: string,
  { provider, user: provided }: ExternalSignIn,
): Promise<AccountOutcome> {
  const now = deps.now()
  const invited = await findInvited(sql, token)
  const user = invited === undefined ? undefined : await lockUser(sql, invited.id)
  if (user === undefined) throw externalError('invite_not_found')
  if (isBanned(user, now)) throw authError('user_banned')
  const address = user.email?.toLowerCase() ?? ''
  if (address === '' || !provided.emails.some((email) => email.address.toLowerCase() === address))
    throw authError('validation_failed', { message: 'Invited email does not match emails from external provider' })

  const data = identityDataOf(provided)
  await insertIdentity(sql, { id: deps.newId(), userId: user.id, provider, providerId: provided.subject, data }, now)
  // The account was unconfirmed until now: what a stranger may have put there is removed.
  await emptyAccount(sql, user.id, { kind: 'identity', provider, subject: provided.subject }, now)
  await clearOneTimeTokens(sql, user.id)
  const userMetadata = { ...data, email_verified: true }
  await updateUser(sql, user.id, { emailConfirmedAt: now, userMetadata }, now)
  await deps.audit(sql, user, ['invite_accepted'], { provider })
  return { kind: 'signed in', user: await getUserRow(sql, user.id) }
}
