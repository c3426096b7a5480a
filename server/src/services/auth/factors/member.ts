import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import type { Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import { findOwner } from '../sessions/caller.ts'
import { type FactorSecretRow, findFactor } from '../store/factors.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { UserRow } from '../store/users.ts'

/** A user with a session, who is not anonymous: who may have factors and passkeys. */
export interface Member {
  readonly user: UserRow
  readonly session: SessionRow
}

/** @throws what `findOwner` throws, and no_authorization for anonymous users */
export async function findMember(
  parts: Pick<Parts, 'database' | 'now' | 'settings'>,
  work: RequestWork,
): Promise<Member> {
  const { user, session } = await findOwner(parts, work)
  const claimed = work.identity.kind === 'caller' && work.identity.caller.claims.is_anonymous === true
  if (claimed || user.isAnonymous)
    throw authError('no_authorization/403', { message: 'Anonymous user not allowed to perform these actions' })
  if (session === null) throw authError('session_not_found')
  return { user, session }
}

/**
 * A factor of a user by the id in a path.
 *
 * @throws validation_failed (404) when it is no id, mfa_factor_not_found
 */
export async function getFactor(
  parts: Pick<Parts, 'database'>,
  userId: string,
  id: string,
  work: RequestWork,
): Promise<FactorSecretRow> {
  if (!isUuid(id)) throw authError('validation_failed/404', { message: 'factor_id must be an UUID' })
  const factor = await findFactor(parts.database.sql, userId, id, work)
  if (factor === undefined) throw authError('mfa_factor_not_found')
  return factor
}
