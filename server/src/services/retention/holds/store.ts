import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'

/** A hold as it is stored. */
export interface HoldRow {
  readonly id: string
  readonly kind: 'session' | 'person' | 'span'
  readonly sessionId: string | null
  /** Of analytics. */
  readonly personId: string | null
  /** Of auth. */
  readonly userId: string | null
  /** Every id that analytics knew the person by; none for another kind. */
  readonly ids: readonly string[]
  readonly fromAt: Date | null
  /** Null for all that comes. */
  readonly toAt: Date | null
  readonly reason: string
  /** E-mail address. */
  readonly createdBy: string
  readonly createdAt: Date
  /** Null until an owner ends it. */
  readonly until: Date | null
  readonly endedAt: Date | null
  readonly endedBy: string | null
  readonly endReason: string | null
}

const columns = constant(`
  id, kind, session_id as "sessionId", person_id as "personId", user_id as "userId", ids, from_at as "fromAt",
  to_at as "toAt", reason, created_by as "createdBy", created_at as "createdAt", until, ended_at as "endedAt",
  ended_by as "endedBy", end_reason as "endReason"`)

const isOpen = (now: Date) => sql`ended_at is null and (until is null or until > ${typed(now, 'timestamptz')})`

/** Stores a hold unless `limit` of them are open; one row with it, or none. */
export const insertHoldStatement = (
  hold: Omit<HoldRow, 'endedAt' | 'endedBy' | 'endReason'>,
  limit: number,
): Statement =>
  compile(sql`
    insert into clew_retention.holds
      (id, kind, session_id, person_id, user_id, ids, from_at, to_at, reason, created_by, created_at, until)
    select ${typed(hold.id, 'uuid')}, ${hold.kind}, ${typed(hold.sessionId, 'text')}, ${typed(hold.personId, 'uuid')},
      ${typed(hold.userId, 'uuid')}, ${typed(hold.ids, 'text[]')}, ${typed(hold.fromAt, 'timestamptz')},
      ${typed(hold.toAt, 'timestamptz')}, ${hold.reason}, ${hold.createdBy}, ${typed(hold.createdAt, 'timestamptz')},
      ${typed(hold.until, 'timestamptz')}
    where (select count(*) from clew_retention.holds where ${isOpen(hold.createdAt)}) < ${typed(limit, 'int')}
    returning ${columns}`)

/** Open holds, the oldest first. */
export const selectOpenHoldsStatement = (now: Date): Statement =>
  compile(sql`
    select ${columns}
    from clew_retention.holds
    where ${isOpen(now)}
    order by created_at, id`)

/** Holds, those that are open before others, the newest first. */
export const selectHoldsStatement = (now: Date, limit: number): Statement =>
  compile(sql`
    select ${columns}
    from clew_retention.holds
    order by ${isOpen(now)} desc, created_at desc, id desc
    limit ${typed(limit, 'int')}`)

export const selectHoldStatement = (id: string): Statement =>
  compile(sql`select ${columns} from clew_retention.holds where id = ${typed(id, 'uuid')}`)

/** Ends an open hold; one row with it, or none. */
export const endHoldStatement = (id: string, by: string, reason: string, at: Date): Statement =>
  compile(sql`
    update clew_retention.holds
    set ended_at = ${typed(at, 'timestamptz')}, ended_by = ${by}, end_reason = ${reason}
    where id = ${typed(id, 'uuid')} and ${isOpen(at)}
    returning ${columns}`)

/** Keeps the ids that a held person has become known by. */
export const updateIdsStatement = (id: string, ids: readonly string[]): Statement =>
  compile(sql`
    update clew_retention.holds
    set ids = ${typed(ids, 'text[]')}
    where id = ${typed(id, 'uuid')}`)
