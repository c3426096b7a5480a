import { createContactUser } from './contact-user.ts'
import type { UsersDeps } from './deps.ts'
import { createUser } from './new-user.ts'
import { findSubject, getUserOfPath } from './subject.ts'
import type { Users } from './users.ts'

/** Binds the functions of users to what they need. */
export const createUsers = (deps: UsersDeps): Users => ({
  createUser: (sql, user) => createUser(deps, sql, user),
  createContactUser: (sql, newcomer) => createContactUser(deps, sql, newcomer),
  getUserOfPath: (id, context) => getUserOfPath(deps, id, context),
  findSubject: (userId, context) => findSubject(deps, userId, context),
})
