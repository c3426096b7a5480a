import type { AuthResponse, Call } from '../model/call.ts'
import { adminListAudit } from './audit.ts'
import { adminChangeUser } from './change-user.ts'
import { type ConsoleUsers, createConsoleUsers } from './console/console.ts'
import { adminCreateUser } from './create-user.ts'
import { adminDeleteUser } from './delete-user.ts'
import type { AdminDeps } from './deps.ts'
import { generateLink } from './generate-link.ts'
import { invite } from './invite.ts'
import { adminGetUser, adminListUsers } from './list-users.ts'

type Bare = Pick<Call, 'context'>

/** The admin API of users and of the audit log (auth §18). */
export interface Admin {
  readonly invite: (call: Call) => Promise<AuthResponse>
  readonly generateLink: (call: Call) => Promise<AuthResponse>
  readonly listUsers: (call: Bare, query: URLSearchParams) => Promise<AuthResponse>
  readonly createUser: (call: Call) => Promise<AuthResponse>
  readonly getUser: (call: Bare, id: string) => Promise<AuthResponse>
  readonly changeUser: (call: Call, id: string) => Promise<AuthResponse>
  readonly deleteUser: (call: Call, id: string) => Promise<AuthResponse>
  readonly listAudit: (call: Bare, query: URLSearchParams) => Promise<AuthResponse>
  /** The users, as operators see and change them. */
  readonly users: ConsoleUsers
}

/** The use cases of the admin API. */
export const createAdmin = (deps: AdminDeps): Admin => ({
  invite: (call) => invite(deps, call),
  generateLink: (call) => generateLink(deps, call),
  listUsers: (call, query) => adminListUsers(deps, call, query),
  createUser: (call) => adminCreateUser(deps, call),
  getUser: (call, id) => adminGetUser(deps, call, id),
  changeUser: (call, id) => adminChangeUser(deps, call, id),
  deleteUser: (call, id) => adminDeleteUser(deps, call, id),
  listAudit: (call, query) => adminListAudit(deps, call, query),
  users: createConsoleUsers(deps),
})
