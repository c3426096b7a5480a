import type { Post } from '../mails/outbox.ts'
import type { Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { type ExternalSignIn, identityDataOf, leadingEmail } from '../model/provided-user.ts'
import type { UserRow } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { renewProviders } from '../store/identities.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { getUserRow, insertIdentity, updateUser } from '../store/users.ts'
import type { IdentitiesDeps } from './deps.ts'
import { identityError } from './errors.ts'
import type { AccountOutcome } from './identities.ts'
import { renewEmail } from './identity-email.ts'
import { findLinkingTarget } from './linking-target.ts'

/**
 * Adds a way to sign in to a user who asked for it (auth §14). A user without an address, as an anonymous one, gets
 * the provider's. Runs inside the caller's transaction.
 *
 * @throws identity_already_exists, email_exists, user_banned, user_not_found, over_email_send_rate_limit
 */
export async function linkIdentity(
  deps: IdentitiesDeps,
  sql: RequestSql,
  userId: string,
  signIn: ExternalSignIn,
  call: Pick<Call, 'context' | 'redirectTo'>,
  post: Post,
): Promise<AccountOutcome> {
  const { provider, user: provided } = signIn
  const now = deps.now()
  const { user } = await findLinkingTarget(deps, sql, userId, signIn)
  const id = deps.newId()
  const identity = { id, userId, provider, providerId: provided.subject, data: identityDataOf(provided) }
  await insertIdentity(sql, identity, now)
  await renewProviders(sql, userId, now)
  const traits = { identity_id: id, provider, provider_id: provided.subject }
  await deps.audit(sql, user, ['identity_linked'], traits)

  const outcome = user.email ? null : await adoptEmail(deps, sql, user, signIn, call, post)
  if (outcome !== null) return outcome
  const linked = await getUserRow(sql, userId)
  deps.outbox.notify(sql, 'identity_linked', linked, { provider })
  return { kind: 'signed in', user: linked }
}

/** Gives a user without an address the provider's; null when they are as good as signed in with it. */
async function adoptEmail(
  deps: IdentitiesDeps,
  sql: RequestSql,
  user: UserRow,
  { provider, user: provided }: ExternalSignIn,
  call: Pick<Call, 'context' | 'redirectTo'>,
  post: Post,
): Promise<AccountOutcome | null> {
  const now = deps.now()
  if ((await renewEmail(deps, sql, user.id)) === 'conflict') throw identityError('email_exists/400')
  const current = await getUserRow(sql, user.id)
  if (current.email && !(leadingEmail(provided)?.verified ?? false)) {
    post(await deps.prepareMail(sql, current, 'confirmation', call, null))
    return {
      kind: 'error',
      error: authError('email_not_confirmed/422', {
        message: `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`,
      }),
    }
  }
  await clearOneTimeTokens(sql, user.id)
  const confirmed = { emailConfirmedAt: now, userMetadata: { ...current.userMetadata, email_verified: true } }
  await updateUser(sql, user.id, { isAnonymous: false, ...(current.email ? confirmed : {}) }, now)
  return null
}
