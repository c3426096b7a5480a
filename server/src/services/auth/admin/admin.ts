import type { Call, Parts, Reply } from '../deps.ts'
import { adminListAudit } from './audit.ts'
import { adminChangeUser } from './change-user.ts'
import { adminCreateUser } from './create-user.ts'
import { adminDeleteUser } from './delete-user.ts'
import { generateLink } from './generate-link.ts'
import { invite } from './invite.ts'
import { adminGetUser, adminListUsers } from './list-users.ts'

type Bare = Pick<Call, 'work'>

/** What whoever holds a secret key may do with users (auth §18). */
export interface Admin {
  readonly invite: (call: Call) => Promise<Reply>
  readonly generateLink: (call: Call) => Promise<Reply>
  readonly listUsers: (call: Bare, query: URLSearchParams) => Promise<Reply>
  readonly createUser: (call: Call) => Promise<Reply>
  readonly getUser: (call: Bare, id: string) => Promise<Reply>
  readonly changeUser: (call: Call, id: string) => Promise<Reply>
  readonly deleteUser: (call: Call, id: string) => Promise<Reply>
  readonly listAudit: (call: Bare, query: URLSearchParams) => Promise<Reply>
}

/** Makes the admin API's use cases of the service's parts. */
export const createAdmin = (parts: Parts): Admin => ({
  invite: (call) => invite(parts, call),
  generateLink: (call) => generateLink(parts, call),
  listUsers: (call, query) => adminListUsers(parts, call, query),
  createUser: (call) => adminCreateUser(parts, call),
  getUser: (call, id) => adminGetUser(parts, call, id),
  changeUser: (call, id) => adminChangeUser(parts, call, id),
  deleteUser: (call, id) => adminDeleteUser(parts, call, id),
  listAudit: (call, query) => adminListAudit(parts, call, query),
})
