import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { type Operator, type OperatorRole, operatorColumns } from '../accounts/store.ts'

/** One sign-in of an operator, in one browser. */
export interface OperatorSession {
  readonly id: string
  readonly address: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

/** The session of a request, and its operator. */
export interface CurrentSession {
  readonly operator: Operator
  readonly id: string
  readonly expiresAt: Date
  readonly lastSeenAt: Date
  /** When the operator last confirmed their identity with all factors that the account requires. */
  readonly provenAt: Date
}

/** A session that was found by its token. */
export interface FoundSession extends CurrentSession {
  /** As it is stored: under the root key that counted when it was last used. */
  readonly tokenHash: string
}

/** A session that is to be stored. */
export interface NewSession {
  readonly id: string
  readonly tokenHash: string
  readonly operatorId: string
  readonly address: string
  readonly userAgent: string
  readonly startsAt: Date
  readonly expiresAt: Date
}

/** Stores a session, and deletes those that have expired. */
export const insertSession = (on: Sql, session: NewSession): Promise<unknown> =>
  on.query(insertSessionStatement(session))

const insertSessionStatement = (session: NewSession): Statement =>
  compile(sql`
    with expired as (delete from clew_operators.operator_sessions where expires_at <= ${session.startsAt})
    insert into clew_operators.operator_sessions (
      id, token_hash, operator_id, address, user_agent, created_at, last_seen_at, proven_at, expires_at
    )
    values (
      ${typed(session.id, 'uuid')}, ${session.tokenHash}, ${typed(session.operatorId, 'uuid')}, ${session.address},
      ${session.userAgent}, ${session.startsAt}, ${session.startsAt}, ${session.startsAt}, ${session.expiresAt}
    )`)

interface CurrentSessionRow extends Operator {
  readonly sessionId: string
  readonly tokenHash: string
  readonly expiresAt: Date
  readonly lastSeenAt: Date
  readonly provenAt: Date
}

/** The session of a token, by its hash under any root key, unless it has expired. */
export async function findSession(
  on: Sql,
  tokenHashes: readonly string[],
  now: Date,
): Promise<FoundSession | undefined> {
  const [row] = (await on.query<CurrentSessionRow>(selectSessionStatement(tokenHashes, now))).rows
  if (row === undefined) return undefined
  const { sessionId, tokenHash, expiresAt, lastSeenAt, provenAt, ...operator } = row
  return { operator, id: sessionId, tokenHash, expiresAt, lastSeenAt, provenAt }
}

const selectSessionStatement = (tokenHashes: readonly string[], now: Date): Statement =>
  compile(sql`
    select ${operatorColumns}, s.id as "sessionId", s.token_hash as "tokenHash", s.expires_at as "expiresAt", s.last_seen_at as "lastSeenAt",
      s.proven_at as "provenAt"
    from clew_operators.operator_sessions s
    join clew_operators.operators o on o.id = s.operator_id
    where s.token_hash = any (${typed(tokenHashes, 'text[]')}) and s.expires_at > ${now}`)

/** The roles of the operators of sessions, by their ids; without those that have ended. */
export async function findRoles(
  on: Sql,
  sessionIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, OperatorRole>> {
  const { rows } = await on.query<{ id: string; role: OperatorRole }>(selectRolesStatement(sessionIds, now))
  return new Map(rows.map(({ id, role }) => [id, role]))
}

const selectRolesStatement = (sessionIds: readonly string[], now: Date): Statement =>
  compile(sql`
    select s.id, o.role
    from clew_operators.operator_sessions s
    join clew_operators.operators o on o.id = s.operator_id
    where s.id = any(${typed(sessionIds, 'uuid[]')}) and s.expires_at > ${now}`)

/** The last use of a session. */
interface SessionUse {
  /** Under the root key that counts. */
  readonly tokenHash: string
  readonly at: Date
  readonly address: string
  readonly expiresAt: Date
}

/** Records that a session was used, from which address, and until when it lives. */
export const touchSession = (on: Sql, id: string, use: SessionUse): Promise<unknown> =>
  on.query(updateSessionUseStatement(id, use))

const updateSessionUseStatement = (id: string, { tokenHash, at, address, expiresAt }: SessionUse): Statement =>
  compile(sql`
    update clew_operators.operator_sessions
    set token_hash = ${tokenHash}, last_seen_at = ${at}, address = ${address}, expires_at = ${expiresAt}
    where id = ${typed(id, 'uuid')}`)

/** Records that the operator of a session confirmed their identity. */
export const recordProof = (on: Sql, id: string, now: Date): Promise<unknown> =>
  on.query(updateSessionProofStatement(id, now))

const updateSessionProofStatement = (id: string, now: Date): Statement =>
  compile(sql`update clew_operators.operator_sessions set proven_at = ${now} where id = ${typed(id, 'uuid')}`)

/** Every session of an operator, the most recently used first. */
export const findSessions = async (on: Sql, operatorId: string, now: Date): Promise<readonly OperatorSession[]> =>
  (await on.query<OperatorSession>(selectSessionsStatement(operatorId, now))).rows

const selectSessionsStatement = (operatorId: string, now: Date): Statement =>
  compile(sql`
    select id, address, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt"
    from clew_operators.operator_sessions
    where operator_id = ${typed(operatorId, 'uuid')} and expires_at > ${now}
    order by last_seen_at desc`)

/** Ends the session of a token. */
export const deleteSession = (on: Sql, tokenHashes: readonly string[]): Promise<unknown> =>
  on.query(deleteSessionStatement(tokenHashes))

const deleteSessionStatement = (tokenHashes: readonly string[]): Statement =>
  compile(sql`delete from clew_operators.operator_sessions where token_hash = any (${typed(tokenHashes, 'text[]')})`)

/** Ends one session of an operator; false when they have no such session. */
export const deleteSessionById = async (on: Sql, operatorId: string, id: string): Promise<boolean> =>
  (await on.query(deleteSessionByIdStatement(operatorId, id))).rowCount === 1

const deleteSessionByIdStatement = (operatorId: string, id: string): Statement =>
  compile(sql`
    delete from clew_operators.operator_sessions
    where operator_id = ${typed(operatorId, 'uuid')} and id = ${typed(id, 'uuid')}`)

/** Ends every session of an operator but one. */
export const deleteOtherSessions = (on: Sql, operatorId: string, exceptId: string): Promise<unknown> =>
  on.query(deleteOtherSessionsStatement(operatorId, exceptId))

const deleteOtherSessionsStatement = (operatorId: string, exceptId: string): Statement =>
  compile(sql`
    delete from clew_operators.operator_sessions
    where operator_id = ${typed(operatorId, 'uuid')} and id <> ${typed(exceptId, 'uuid')}`)
