import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import type { Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import { findUser, type UserRow } from '../store/users.ts'

/**
 * The user of an id in a path.
 *
 * @throws validation_failed/404 for what is no id, user_not_found/404
 */
export async function getUserOfPath(parts: Pick<Parts, 'database'>, id: string, work: RequestWork): Promise<UserRow> {
  if (!isUuid(id)) throw authError('validation_failed/404', { message: 'user_id must be an UUID' })
  const user = await findUser(parts.database.sql, id, work)
  if (user === undefined) throw authError('user_not_found/404')
  return user
}

/** What the audit log says of the user an administrator acted on. */
export const traitsOf = (user: UserRow): Readonly<Record<string, unknown>> => ({
  user_id: user.id,
  user_email: user.email ?? '',
  user_phone: user.phone ?? '',
})
