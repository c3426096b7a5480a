import type { SessionStartsQuery } from '../../../../ground/model/session.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { constant, type SqlFragment, sql } from '../../../../ground/sql/sql.ts'
import { at, type ClaimRow, claimColumns, count, isError, texts } from './columns.ts'

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
    limit ${count(claimsPerSession)} by session_id`)

/** A session's longest way: what the browser itself ends. */
const longestSession = constant('toIntervalHour(24)')
/** How long a call may take that is still of a session which goes on. */
const longestCall = constant('toIntervalHour(1)')

/** Sessions of requests, newest start first: those that began since an instant. */
export function selectSessionStartsStatement(
  { startedBefore, only, limit }: SessionStartsQuery,
  since: Date | null,
): ClickHouseStatement {
  const before = at(startedBefore)
  const from = at(since ?? new Date(0))
  const sessionsWith = (condition: SqlFragment): SqlFragment =>
    sql`session_id in (select session_id from requests where session_id != '' and ${condition})`
  const active = sessionsWith(sql`time >= ${from} and time < ${before}`)
  const chosen =
    only === undefined
      ? active
      : only === 'errors'
        ? // The request that fails may follow long after the start.
          sql`${active} and ${sessionsWith(
            sql`${isError} and time >= ${from} and time < ${before} + ${longestSession}`,
          )}`
        : sessionsWith(sql`time >= ${at(only.activeSince)} - ${longestCall}
            and time + toIntervalMillisecond(toInt64(duration_ms)) >= ${at(only.activeSince)}`)
  return compileClickHouse(sql`
    select session_id, min(time) as started_at
    from requests
    where ${chosen}
    group by session_id
    having started_at >= ${from} and started_at < ${before}
    order by started_at desc
    limit ${count(limit)}`)
}

/**
 * Of which sessions, newest first, a request's path, person, user or id is `text`, or its path contains it; with what
 * the request says of who sent it.
 */
export const selectMatchingClaimsStatement = (text: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${claimColumns}
    from requests
    where session_id != ''
      and (session_id = ${text} or distinct_id = ${text} or user_id = ${text} or id = ${text}
        or positionCaseInsensitiveUTF8(path, ${text}) > 0)
    group by ${claimColumns}
    order by max(time) desc
    limit ${count(limit)}`)
