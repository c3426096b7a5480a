import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { findUser } from '../store/users.ts'
import type { UsersDeps } from './deps.ts'
import type { Subject } from './users.ts'

/**
 * The user of an id in a path.
 *
 * @throws validation_failed/404 for what is no id, user_not_found/404
 */
export async function getUserOfPath(
  deps: Pick<UsersDeps, 'database'>,
  id: string,
  context: RequestContext,
): Promise<UserRow> {
  if (!isUuid(id)) throw authError('validation_failed/404', { message: 'user_id must be an UUID' })
  const user = await findUser(deps.database.for(context), id)
  if (user === undefined) throw authError('user_not_found/404')
  return user
}

/**
 * The administrator who calls, and the user of the path.
 *
 * @throws what `checkAdmin` and `getUserOfPath` throw
 */
export async function findSubject(
  deps: Pick<UsersDeps, 'database' | 'checkAdmin'>,
  userId: string,
  context: RequestContext,
): Promise<Subject> {
  const admin = await deps.checkAdmin(context)
  return { admin, user: await getUserOfPath(deps, userId, context) }
}
