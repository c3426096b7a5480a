import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { findOwner } from '../sessions/caller.ts'
import { insertAudit } from '../store/audit.ts'
import { deleteIdentity, forgetPhone, renewProviders } from '../store/identities.ts'
import { type IdentityRow, lockUser } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import { renewEmail } from './identity-email.ts'

/**
 * `DELETE /user/identities/{identity_id}` (auth §14): takes a way to sign in away from the caller, never the last.
 *
 * @throws manual_linking_disabled, validation_failed, unexpected_audience, single_identity_not_deletable,
 *         identity_not_found, email_conflict_identity_not_deletable
 */
export async function unlinkIdentity(parts: Parts, { work }: Pick<Call, 'work'>, id: string): Promise<Reply> {
  const { user: caller } = await findOwner(parts, work)
  if (!parts.settings.enableManualLinking) throw authError('manual_linking_disabled')
  if (!isUuid(id)) throw authError('validation_failed/404', { message: 'identity_id must be an UUID' })
  const { aud } = work.identity.kind === 'caller' ? work.identity.caller.claims : {}
  if (aud !== audienceOf(work, parts.settings)) throw authError('unexpected_audience')

  await parts.database.change(work, async (sql) => {
    // Locked, so that of two calls at the same moment the second sees what the first left.
    const user = await lockUser(sql, caller.id, work)
    if (user === undefined) throw authError('user_not_found')
    const identity = findIdentity(user.identities, id)
    const now = parts.now()
    const traits = { identity_id: identity.id, provider: identity.provider, provider_id: identity.provider_id }
    await insertAudit(sql, user, ['identity_unlinked'], { newId: parts.newId, now, work }, traits)
    await deleteIdentity(sql, identity.id, work)
    if (identity.provider === 'phone') await forgetPhone(sql, user.id, work)
    else if ((await renewEmail(parts, sql, user.id, { work })) === 'conflict')
      throw authError('email_conflict_identity_not_deletable')
    await renewProviders(sql, user.id, now, work)
    // To the address that was there before: it may be another one now.
    parts.outbox.notify(sql, 'identity_unlinked', user, work, { provider: identity.provider })
  })
  return { status: 200, body: {} }
}

function findIdentity(identities: readonly IdentityRow[], id: string): IdentityRow {
  if (identities.length <= 1) throw authError('single_identity_not_deletable')
  const found = identities.find((identity) => identity.id === id.toLowerCase())
  if (found === undefined) throw authError('identity_not_found')
  return found
}
