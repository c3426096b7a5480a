import type { NewUser, UserRow } from '../model/user.ts'
import { blankUser } from '../model/user.ts'
import { renderUser } from '../render/user.ts'
import type { RequestSql } from '../store/database.ts'
import { findUser, insertUser } from '../store/users.ts'
import type { UsersDeps } from './deps.ts'

/**
 * Adds a user who came by themselves: asks the before-user-created hook, inserts the row, and tells the
 * after-user-created hook once the transaction is committed. Runs inside the caller's transaction.
 *
 * @throws the hook's error
 */
export async function createUser(
  deps: Pick<UsersDeps, 'hooks' | 'database' | 'now'>,
  sql: RequestSql,
  user: NewUser,
): Promise<void> {
  const now = deps.now()
  await deps.hooks.beforeUserCreated(renderUser(previewOf(user, now)), { sql, context: sql.context })
  await insertUser(sql, user, now)
  deps.database.afterCommit(sql, async () => {
    const created = await findUser(deps.database.for(sql.context), user.id)
    if (created !== undefined) await deps.hooks.afterUserCreated(renderUser(created), sql.context)
  })
}

/** A user who is not there yet, as a hook is shown them. */
const previewOf = (user: NewUser, now: Date): UserRow => ({
  ...blankUser,
  id: user.id,
  aud: user.audience,
  role: user.role,
  email: user.email,
  phone: user.phone,
  emailConfirmedAt: user.emailConfirmedAt,
  phoneConfirmedAt: user.phoneConfirmedAt,
  confirmedAt: user.emailConfirmedAt ?? user.phoneConfirmedAt,
  appMetadata: user.appMetadata,
  userMetadata: user.userMetadata,
  isAnonymous: user.isAnonymous,
  createdAt: now,
  updatedAt: now,
})
