import type { Body, RequestContext } from '../model/call.ts'
import type { NewUser, UserRow } from '../model/user.ts'
import type { Administrator } from '../sessions/sessions.ts'
import type { RequestSql } from '../store/database.ts'

/** A user who signs up with an address. */
export interface Newcomer {
  /** One of the two is there. */
  readonly email: string | null
  readonly phone: string | null
  /** Empty for a user who signs in without one. */
  readonly passwordHash: string
  /** The metadata of the call. */
  readonly data: Body
  /** Whether the address counts as confirmed from the beginning. */
  readonly confirmed: boolean
}

/** An administrator, and the user they act on. */
export interface Subject {
  readonly admin: Administrator
  readonly user: UserRow
}

/** The creation and finding of users: what other features ask of this one. */
export interface Users {
  /** Adds a user in the caller's transaction. @throws the before-user-created hook's error */
  createUser(sql: RequestSql, user: NewUser): Promise<void>
  /** Adds a user with an address and its identity in the caller's transaction. */
  createContactUser(sql: RequestSql, newcomer: Newcomer): Promise<UserRow>
  /** @throws validation_failed/404 for what is no id, user_not_found/404 */
  getUserOfPath(id: string, context: RequestContext): Promise<UserRow>
  /** @throws what `checkAdmin` and `getUserOfPath` throw */
  findSubject(userId: string, context: RequestContext): Promise<Subject>
}
