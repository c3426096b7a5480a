import type { KeptTable } from '../../../ground/model/service-tables.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, identifier, join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'

/** A stretch of time, on the server's clock. */
export interface Span {
  readonly from: Date
  /** Null for all that comes. */
  readonly to: Date | null
}

/** What is kept longer, as it was looked up once. */
export interface Pass {
  readonly id: string
  readonly at: Date
  readonly spans: readonly Span[]
}

/** What a row of `kept_longer` names; the mark tells that the pass is there, and has no value. */
export type KeptKind = 'mark' | 'session' | 'id'

/** @throws TypeError for an instant that is none: the value stands in the statement, which has no room for many parameters */
const instantText = (instant: Date): SqlFragment => {
  const ms = instant.getTime()
  if (!Number.isSafeInteger(ms)) throw new TypeError(`${ms} is no instant.`)
  return constant(`fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`)
}

/** Whether a row is of a stretch of time. */
export const isWithin = ({ time }: KeptTable, { from, to }: Span): SqlFragment =>
  to === null
    ? sql`${constant(time)} >= ${instantText(from)}`
    : sql`(${constant(time)} >= ${instantText(from)} and ${constant(time)} < ${instantText(to)})`

const valuesOf = ({ id }: Pass, kind: KeptKind): SqlFragment =>
  sql`(select value from kept_longer where pass = ${id} and kind = ${kind})`

const isTied = ({ ties }: KeptTable, pass: Pass): readonly SqlFragment[] => [
  ...(ties.session === undefined ? [] : [sql`${identifier(ties.session)} in ${valuesOf(pass, 'session')}`]),
  ...(ties.ids ?? []).map((column) => sql`${identifier(column)} in ${valuesOf(pass, 'id')}`),
]

/**
 * The condition that a row is kept longer; true of all rows when the pass is gone.
 *
 * @param requests the table of requests, which rows may be tied to
 */
export function keptCondition(table: KeptTable, requests: KeptTable | undefined, pass: Pass): SqlFragment {
  const { request, trace } = table.ties
  const ofRequests = (column: string | undefined, named: SqlFragment): readonly SqlFragment[] =>
    column === undefined || requests === undefined
      ? []
      : [
          sql`(${identifier(column)} != '' and ${identifier(column)} in (
            select ${named} from ${identifier(requests.name)} where ${keptCondition(requests, undefined, pass)}
          ))`,
        ]
  const conditions = [
    sql`'' not in ${valuesOf(pass, 'mark')}`,
    ...pass.spans.map((span) => isWithin(table, span)),
    ...isTied(table, pass),
    ...ofRequests(request, sql`id`),
    ...ofRequests(trace, sql`arrayJoin([replaceAll(id, '-', ''), trace_id])`),
  ]
  return sql`(${join(conditions, ' or ')})`
}

/** Adds the sessions of the ids and spans of a pass to it, as one table knows them. */
export const keepSessionsStatement = (table: KeptTable, session: string, pass: Pass): ClickHouseStatement => {
  const ofIds = (table.ties.ids ?? []).map((column) => sql`${identifier(column)} in ${valuesOf(pass, 'id')}`)
  const conditions = [...ofIds, ...pass.spans.map((span) => isWithin(table, span))]
  return keepStatement(table, session, pass, sql`(${join(conditions, ' or ')})`)
}

/** Adds the sessions to a pass that had an error since an instant, as one table knows them. */
export const keepErrorsStatement = (
  table: KeptTable,
  { session, isError }: { readonly session: string; readonly isError: string },
  pass: Pass,
  since: Date,
): ClickHouseStatement =>
  keepStatement(table, session, pass, sql`${isWithin(table, { from: since, to: null })} and (${constant(isError)})`)

const keepStatement = (
  table: KeptTable,
  session: string,
  { id, at }: Pass,
  condition: SqlFragment,
): ClickHouseStatement =>
  compileClickHouse(sql`
    insert into kept_longer (pass, at, kind, value)
    select ${id}, toDateTime(${instantText(at)}, 'UTC'), 'session', ${identifier(session)}
    from ${identifier(table.name)}
    where ${identifier(session)} != '' and ${condition}
    group by ${identifier(session)}`)

/** The sessions of a pass. */
export const passSessionsStatement = ({ id }: Pass): ClickHouseStatement =>
  compileClickHouse(sql`select distinct value from kept_longer where pass = ${id} and kind = 'session'`)

/** Days of passes from before that of an instant. */
export const pastDaysStatement = (before: Date): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct partition_id as id
    from system.parts
    where database = currentDatabase() and table = 'kept_longer' and active
      and partition_id < toString(toYYYYMMDD(${instantText(before)}))`)

/** @throws TypeError for an id that is no day: statements of definition take no parameters */
export function dropDayStatement(id: string): ClickHouseStatement {
  if (!/^\d{8}$/.test(id)) throw new TypeError(`${id} is no day of a partition.`)
  return compileClickHouse(sql`alter table kept_longer drop partition id ${constant(`'${id}'`)}`)
}
