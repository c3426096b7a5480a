import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { type FactorSecretRow, findFactor } from '../store/factors.ts'
import type { FactorsDeps } from './deps.ts'
import { factorError } from './errors.ts'

/**
 * A factor of a user by the id in a path.
 *
 * @throws validation_failed (404) when it is no id, mfa_factor_not_found
 */
export async function getFactor(
  deps: Pick<FactorsDeps, 'database'>,
  userId: string,
  id: string,
  context: RequestContext,
): Promise<FactorSecretRow> {
  if (!isUuid(id)) throw authError('validation_failed/404', { message: 'factor_id must be an UUID' })
  const factor = await findFactor(deps.database.for(context), userId, id)
  if (factor === undefined) throw factorError('mfa_factor_not_found')
  return factor
}
