import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { renderUser } from '../render/user.ts'
import type { RequestSql } from '../store/database.ts'
import { findUser, insertUser, type NewUser } from '../store/users.ts'
import type { UsersDeps } from './deps.ts'

/**
 * Adds a user who came by themselves: asks the before-user-created hook, inserts the row, and tells the
 * after-user-created hook once the transaction is committed. Runs inside the caller's transaction.
 *
 * @throws what the hook refused with
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

/** The row of an id that must be there. */
export async function getUserRow(sql: RequestSql, id: string): Promise<UserRow> {
  const user = await findUser(sql, id)
  // A trigger of the application may have taken the row away again.
  if (user === undefined) throw authError('unexpected_failure')
  return user
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

/** A user of whom nothing is known. */
export const blankUser: UserRow = {
  id: '',
  aud: null,
  role: '',
  email: null,
  phone: null,
  passwordHash: null,
  emailConfirmedAt: null,
  phoneConfirmedAt: null,
  confirmedAt: null,
  invitedAt: null,
  confirmationSentAt: null,
  recoverySentAt: null,
  emailChangeSentAt: null,
  emailChangeStatus: 0,
  phoneChangeSentAt: null,
  reauthenticationSentAt: null,
  lastSignInAt: null,
  bannedUntil: null,
  deletedAt: null,
  newEmail: null,
  newPhone: null,
  appMetadata: {},
  userMetadata: {},
  isAnonymous: false,
  isSsoUser: false,
  createdAt: null,
  updatedAt: null,
  identities: [],
  factors: [],
}
