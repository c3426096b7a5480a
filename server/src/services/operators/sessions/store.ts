import type { Sql } from '../../../engines/postgres/index.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { type Operator, operatorColumns } from '../accounts/store.ts'

/** One sign-in of an operator, in one browser. */
export interface OperatorSession {
  readonly id: string
  readonly address: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

/** The session of a request, and whose it is. */
export interface CurrentSession {
  readonly operator: Operator
  readonly id: string
  readonly expiresAt: Date
  readonly lastSeenAt: Date
  /** When the operator last proved to be there with all that the account asks for. */
  readonly provenAt: Date
}

/** Begins a session, and lets go of those that are over. */
export async function insertSession(
  on: Sql,
  session: Pick<OperatorSession, 'id' | 'address' | 'userAgent'> & {
    readonly tokenHash: string
    readonly operatorId: string
    readonly expiresAt: Date
  },
  now: Date,
): Promise<void> {
  await on.query(
    compile(sql`
      with over as (delete from clew_operators.operator_sessions where expires_at <= ${now})
      insert into clew_operators.operator_sessions (
        id, token_hash, operator_id, address, user_agent, created_at, last_seen_at, proven_at, expires_at
      )
      values (
        ${typed(session.id, 'uuid')}, ${session.tokenHash}, ${typed(session.operatorId, 'uuid')}, ${session.address},
        ${session.userAgent}, ${now}, ${now}, ${now}, ${session.expiresAt}
      )`),
  )
}

/** The session of a token, when it is not over. */
export async function findSession(on: Sql, tokenHash: string, now: Date): Promise<CurrentSession | undefined> {
  type Row = Operator & {
    readonly sessionId: string
    readonly expiresAt: Date
    readonly lastSeenAt: Date
    readonly provenAt: Date
  }
  const { rows } = await on.query<Row>(
    compile(sql`
      select ${operatorColumns}, s.id as "sessionId", s.expires_at as "expiresAt", s.last_seen_at as "lastSeenAt",
        s.proven_at as "provenAt"
      from clew_operators.operator_sessions s
      join clew_operators.operators o on o.id = s.operator_id
      where s.token_hash = ${tokenHash} and s.expires_at > ${now}`),
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { sessionId, expiresAt, lastSeenAt, provenAt, ...operator } = row
  return { operator, id: sessionId, expiresAt, lastSeenAt, provenAt }
}

/** Notes that a session is in use, and from where; it lives until `expiresAt`. */
export async function touchSession(
  on: Sql,
  id: string,
  seen: { readonly at: Date; readonly address: string; readonly expiresAt: Date },
): Promise<void> {
  await on.query(
    compile(sql`
      update clew_operators.operator_sessions
      set last_seen_at = ${seen.at}, address = ${seen.address}, expires_at = ${seen.expiresAt}
      where id = ${typed(id, 'uuid')}`),
  )
}

/** Notes that the operator of a session proved to be there. */
export async function proveSession(on: Sql, id: string, now: Date): Promise<void> {
  await on.query(
    compile(sql`update clew_operators.operator_sessions set proven_at = ${now} where id = ${typed(id, 'uuid')}`),
  )
}

/** Every session of an operator, the one in use last first. */
export async function findSessions(on: Sql, operatorId: string, now: Date): Promise<readonly OperatorSession[]> {
  const { rows } = await on.query<OperatorSession>(
    compile(sql`
      select id, address, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt"
      from clew_operators.operator_sessions
      where operator_id = ${typed(operatorId, 'uuid')} and expires_at > ${now}
      order by last_seen_at desc`),
  )
  return rows
}

/** Ends the session of a token. */
export async function deleteSession(on: Sql, tokenHash: string): Promise<void> {
  await on.query(compile(sql`delete from clew_operators.operator_sessions where token_hash = ${tokenHash}`))
}

/** Ends one session of an operator; false when they have no such session. */
export async function deleteSessionById(on: Sql, operatorId: string, id: string): Promise<boolean> {
  const { rowCount } = await on.query(
    compile(sql`
      delete from clew_operators.operator_sessions
      where operator_id = ${typed(operatorId, 'uuid')} and id = ${typed(id, 'uuid')}`),
  )
  return rowCount === 1
}

/** Ends every session of an operator but one. */
export async function deleteOtherSessions(on: Sql, operatorId: string, keptId: string): Promise<void> {
  await on.query(
    compile(sql`
      delete from clew_operators.operator_sessions
      where operator_id = ${typed(operatorId, 'uuid')} and id <> ${typed(keptId, 'uuid')}`),
  )
}
