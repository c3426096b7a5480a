import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { renewEmail } from '../identities/identity-email.ts'
import type { AuthResponse, Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { IdentityRow } from '../model/user.ts'
import { deleteIdentity, forgetPhone, renewProviders } from '../store/identities.ts'
import { lockUser } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import type { ExternalDeps } from './deps.ts'
import { externalError } from './errors.ts'

/**
 * `DELETE /user/identities/{identity_id}` (auth §14): takes a way to sign in away from the caller, never the last.
 *
 * @throws manual_linking_disabled, validation_failed, unexpected_audience, single_identity_not_deletable,
 *         identity_not_found, email_conflict_identity_not_deletable
 */
export async function unlinkIdentity(
  deps: ExternalDeps,
  { context }: Pick<Call, 'context'>,
  id: string,
): Promise<AuthResponse> {
  const { user: caller } = await deps.findOwner(context)
  if (!deps.settings.enableManualLinking) throw externalError('manual_linking_disabled')
  if (!isUuid(id)) throw authError('validation_failed/404', { message: 'identity_id must be an UUID' })
  const { aud } = context.identity.kind === 'caller' ? context.identity.caller.claims : {}
  if (aud !== audienceOf(context, deps.settings)) throw externalError('unexpected_audience')

  await deps.database.change(context, async (sql) => {
    // Locked, so that of two simultaneous calls the second sees what the first left.
    const user = await lockUser(sql, caller.id)
    if (user === undefined) throw authError('user_not_found')
    const identity = findIdentity(user.identities, id)
    const now = deps.now()
    const traits = { identity_id: identity.id, provider: identity.provider, provider_id: identity.provider_id }
    await deps.audit(sql, user, ['identity_unlinked'], traits)
    await deleteIdentity(sql, identity.id)
    if (identity.provider === 'phone') await forgetPhone(sql, user.id)
    else if ((await renewEmail(deps, sql, user.id)) === 'conflict')
      throw externalError('email_conflict_identity_not_deletable')
    await renewProviders(sql, user.id, now)
    // To the address that was there before: it may be another one now.
    deps.outbox.notify(sql, 'identity_unlinked', user, { provider: identity.provider })
  })
  return { status: 200, body: {} }
}

function findIdentity(identities: readonly IdentityRow[], id: string): IdentityRow {
  if (identities.length <= 1) throw externalError('single_identity_not_deletable')
  const found = identities.find((identity) => identity.id === id.toLowerCase())
  if (found === undefined) throw externalError('identity_not_found')
  return found
}
