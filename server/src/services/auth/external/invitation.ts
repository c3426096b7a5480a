import type { Sql } from '../../../engines/postgres/index.ts'
import type { Call, Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import { type ExternalSignIn, identityDataOf } from '../providers/provided-user.ts'
import { isBanned } from '../sessions/caller.ts'
import { insertAudit } from '../store/audit.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { emptyAccount } from '../store/prepared-account.ts'
import { findInvited, insertIdentity, lockUser, updateUser } from '../store/users.ts'
import { getUserRow } from '../users/new-user.ts'
import type { AccountOutcome } from './account.ts'

/**
 * Lets an invited user in with a provider instead of a password (auth §13): the invitation proves the address, so the
 * provider has only to name it. Runs inside the caller's transaction.
 *
 * @throws invite_not_found, validation_failed when the provider's addresses are others, user_banned
 */
export async function acceptInvitation(
  parts: Parts,
  sql: Sql,
  token: string,
  { provider, user: provided }: ExternalSignIn,
  { work }: Pick<Call, 'work'>,
): Promise<AccountOutcome> {
  const now = parts.now()
  const invited = await findInvited(sql, token, work)
  const user = invited === undefined ? undefined : await lockUser(sql, invited.id, work)
  if (user === undefined) throw authError('invite_not_found')
  if (isBanned(user, now)) throw authError('user_banned')
  const address = user.email?.toLowerCase() ?? ''
  if (address === '' || !provided.emails.some((email) => email.address.toLowerCase() === address))
    throw authError('validation_failed', { message: 'Invited email does not match emails from external provider' })

  const data = identityDataOf(provided)
  await insertIdentity(
    sql,
    { id: parts.newId(), userId: user.id, provider, providerId: provided.subject, data },
    now,
    work,
  )
  // Nobody has confirmed anything of this account before: what somebody put there goes.
  await emptyAccount(sql, user.id, { kind: 'identity', provider, subject: provided.subject }, now, work)
  await clearOneTimeTokens(sql, user.id, work)
  const userMetadata = { ...data, email_verified: true }
  await updateUser(sql, user.id, { emailConfirmedAt: now, userMetadata }, now, work)
  await insertAudit(sql, user, ['invite_accepted'], { newId: parts.newId, now, work }, { provider })
  return { kind: 'signed in', user: await getUserRow(sql, user.id, work) }
}
