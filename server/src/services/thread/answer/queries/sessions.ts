import { isShortStretch, longestSessionMs, type SessionStartsQuery } from '../../../../ground/model/session.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { constant, join, type SqlFragment, sql } from '../../../../ground/sql/sql.ts'
import { at, byRequest, bySession, type ClaimRow, claimColumns, count, isError, texts } from './columns.ts'
import { meets, type RequestCondition } from './request-condition.ts'

/** Requests of one session with equal claims about their sender. */
export interface RequestClaimRow extends ClaimRow {
  readonly first_ms: string
  readonly last_ms: string
  readonly ended_ms: string
  readonly request_count: string
  readonly error_count: string
}

/** A client that changes what it says of itself with every request is cut off here. */
const claimsPerSession = 500

/** The requests of these sessions, by what they say of who sent them. */
export const selectClaimsStatement = (sessionIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select
      ${claimColumns},
      toUnixTimestamp64Milli(min(time)) as first_ms,
      toUnixTimestamp64Milli(max(time)) as last_ms,
      max(toUnixTimestamp64Milli(time) + toInt64(duration_ms)) as ended_ms,
      count() as request_count,
      countIf(${isError}) as error_count
    from requests
    where session_id in (${texts(sessionIds)})
    group by ${claimColumns}
    order by request_count desc
    limit ${count(claimsPerSession)} by session_id
    ${bySession}`)

/** How long a call may take that is still of a session which goes on. */
const longestCall = constant('toIntervalHour(1)')

/** Which of these sessions have a request as the condition says. */
export const selectSessionsMeetingStatement = (
  ids: readonly string[],
  condition: RequestCondition,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct session_id from requests
    where session_id in (${texts(ids)}) and ${meets(condition, { from: null, before: null })}
    ${bySession}`)

/** A session as its requests know it. */
export interface StartRow {
  readonly session_id: string
  readonly started_at: string
  readonly ended_at: string
  readonly errors: string
}

/** Sessions of requests, newest start first: those that began since an instant. */
export function selectSessionStartsStatement(
  { startedBefore, only, limit, requests }: SessionStartsQuery & { readonly requests?: RequestCondition | undefined },
  since: Date | null,
): ClickHouseStatement {
  const before = at(startedBefore)
  const from = at(since ?? new Date(0))
  const sessionsWith = (condition: SqlFragment): SqlFragment =>
    sql`session_id in (select session_id from requests where session_id != '' and ${condition})`
  // What is looked for may follow long after the start.
  const last = new Date(startedBefore.getTime() + longestSessionMs)
  const until = at(last)
  const found = [
    ...(only === 'errors' ? [sessionsWith(sql`${isError} and time >= ${from} and time < ${until}`)] : []),
    ...(requests === undefined
      ? []
      : [sessionsWith(sql`${meets(requests, { from: since, before: last })} and time >= ${from} and time < ${until}`)]),
  ]
  const chosen =
    typeof only === 'object'
      ? [
          sessionsWith(sql`time >= ${at(only.activeSince)} - ${longestCall}
            and time + toIntervalMillisecond(toInt64(duration_ms)) >= ${at(only.activeSince)}`),
        ]
      : found.length === 0 || isShortStretch(since, startedBefore)
        ? [sessionsWith(sql`time >= ${from} and time < ${before}`)]
        : []
  return compileClickHouse(sql`
    select session_id, min(time) as started_at, max(time + toIntervalMillisecond(toInt64(duration_ms))) as ended_at,
      countIf(${isError}) as errors
    from requests
    where ${join([...chosen, ...found], ' and ')}
    group by session_id
    having started_at >= ${from} and started_at < ${before}
    order by started_at desc
    limit ${count(limit)}
    ${bySession}`)
}

/** A request of a session that changed rows, failed, or found nothing. */
export interface NotableRow extends ClaimRow {
  readonly id: string
  readonly path: string
  readonly status: number
  readonly writes: boolean
}

/** Requests that a session is told by. */
const notablePerSession = 30

/** The first of these sessions' requests that are worth telling. */
export const selectNotableStatement = (sessionIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${claimColumns}, id, path, status, writes
    from requests
    -- Where they are, by the table's key: the projection by session has it.
    where (time, id) in (select time, id from requests where session_id in (${texts(sessionIds)}))
      and (writes or ${isError} or (service = 'rest' and method = 'GET' and rows = 0))
    order by time, id
    limit ${count(notablePerSession)} by session_id
    ${bySession}`)

/** What a request changed first: rows of one table. */
export interface FirstChangeRow {
  readonly request_id: string
  readonly schema_name: string
  readonly table_name: string
  readonly operation: string
  readonly key: string
  readonly rows: string
}

/** What each request changed first, of which the rest follows: by triggers, or in the same function. */
export const selectFirstChangesStatement = (requestIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select request_id, schema_name, table_name, operation, argMin(key, (lsn, seq)) as key,
      toString(uniqExact(lsn, seq)) as rows
    from changes
    where request_id in (${texts(requestIds)})
    group by request_id, schema_name, table_name, operation
    order by min((lsn, seq))
    limit 1 by request_id
    ${byRequest}`)

/** The slowest statement of requests of a session, with what they say of who sent them. */
export interface SlowestRow extends ClaimRow {
  readonly slowest_ms: number
}

/** So many of the slowest requests of a stretch of time are looked at. */
const slowestRequests = 5000

/** The slowest statements between two instants, by the sessions that they were run for. */
export const selectSlowestStatement = (from: Date, before: Date): ClickHouseStatement => {
  const slow = sql`
    select request_id, max(duration_ms) as slowest_ms
    from statements
    where time >= ${at(from)} and time < ${at(before)}
    group by request_id
    order by slowest_ms desc
    limit ${count(slowestRequests)}`
  return compileClickHouse(sql`
    select ${claimColumns}, max(slowest_ms) as slowest_ms
    from (
      select id, ${claimColumns}
      from requests
      where session_id != '' and (time, id) in (
        select time, id from requests where id in (select request_id from (${slow}))
      )
    ) as request
    inner join (${slow}) as statement on statement.request_id = request.id
    group by ${claimColumns}`)
}
