import type { Sql } from '../../../engines/postgres/index.ts'
import { prepareMail } from '../codes/send-token.ts'
import type { Call, Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import type { Post } from '../mails/outbox.ts'
import { type ExternalSignIn, identityDataOf, leadingEmail } from '../providers/provided-user.ts'
import { isBanned } from '../sessions/caller.ts'
import { insertAudit } from '../store/audit.ts'
import { findIdentityOwner, renewProviders } from '../store/identities.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { insertIdentity, lockUser, type UserRow, updateUser } from '../store/users.ts'
import { getUserRow } from '../users/new-user.ts'
import type { AccountOutcome } from './account.ts'
import { renewEmail } from './identity-email.ts'

/**
 * Adds a way to sign in to a user who asked for it (auth §14). A user without an address, as an anonymous one, gets
 * the provider's. Runs inside the caller's transaction.
 *
 * @throws identity_already_exists, email_exists, user_banned, user_not_found, over_email_send_rate_limit
 */
export async function linkIdentity(
  parts: Parts,
  sql: Sql,
  userId: string,
  signIn: ExternalSignIn,
  call: Pick<Call, 'work' | 'redirectTo'>,
  post: Post,
): Promise<AccountOutcome> {
  const { work } = call
  const { provider, user: provided } = signIn
  const now = parts.now()
  const { user } = await findLinkingTarget(parts, sql, userId, signIn, call)
  const id = parts.newId()
  const identity = { id, userId, provider, providerId: provided.subject, data: identityDataOf(provided) }
  await insertIdentity(sql, identity, now, work)
  await renewProviders(sql, userId, now, work)
  const traits = { identity_id: id, provider, provider_id: provided.subject }
  await insertAudit(sql, user, ['identity_linked'], { newId: parts.newId, now, work }, traits)

  const outcome = user.email ? null : await adoptEmail(parts, sql, user, signIn, call, post)
  if (outcome !== null) return outcome
  const linked = await getUserRow(sql, userId, work)
  parts.outbox.notify(sql, 'identity_linked', linked, work, { provider })
  return { kind: 'signed in', user: linked }
}

/**
 * The user to whom a way to sign in is to be added, locked.
 *
 * @throws identity_already_exists, user_banned, user_not_found
 */
export async function findLinkingTarget(
  parts: Pick<Parts, 'now'>,
  sql: Sql,
  userId: string,
  { provider, user: provided }: ExternalSignIn,
  { work }: Pick<Call, 'work'>,
): Promise<Extract<AccountOutcome, { kind: 'signed in' }>> {
  const user = await lockUser(sql, userId, work)
  if (user === undefined) throw authError('user_not_found/404', { message: 'Linking target user not found' })
  if (isBanned(user, parts.now())) throw authError('user_banned')
  const owner = await findIdentityOwner(sql, { provider, subject: provided.subject }, work)
  if (owner === undefined) return { kind: 'signed in', user }
  throw authError('identity_already_exists', {
    message: owner === user.id ? 'Identity is already linked' : 'Identity is already linked to another user',
  })
}

/** Gives a user without an address the provider's; null when they are as good as signed in with it. */
async function adoptEmail(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  { provider, user: provided }: ExternalSignIn,
  call: Pick<Call, 'work' | 'redirectTo'>,
  post: Post,
): Promise<AccountOutcome | null> {
  const { work } = call
  const now = parts.now()
  if ((await renewEmail(parts, sql, user.id, call)) === 'conflict') throw authError('email_exists/400')
  const current = await getUserRow(sql, user.id, work)
  if (current.email && !(leadingEmail(provided)?.verified ?? false)) {
    post(await prepareMail(parts, sql, current, 'confirmation', call, null))
    return {
      kind: 'refused',
      error: authError('email_not_confirmed/422', {
        message: `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`,
      }),
    }
  }
  await clearOneTimeTokens(sql, user.id, work)
  const confirmed = { emailConfirmedAt: now, userMetadata: { ...current.userMetadata, email_verified: true } }
  await updateUser(sql, user.id, { isAnonymous: false, ...(current.email ? confirmed : {}) }, now, work)
  return null
}
