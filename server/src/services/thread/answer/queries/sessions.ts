import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { sql } from '../../../../ground/sql/sql.ts'
import { at, type ClaimRow, claimColumns, count, isError, texts } from './columns.ts'

/** Requests of one session with equal claims about their sender. */
export interface RequestClaimRow extends ClaimRow {
  readonly first_ms: string
  readonly last_ms: string
  readonly ended_ms: string
  readonly request_count: string
  readonly error_count: string
}

/** Which sessions are asked for, by their starts. */
export interface SessionStartsQuery {
  readonly startedBefore?: Date
  readonly limit: number
}

/** A client that changes what it says of itself with every request is cut off here. */
const claimsPerSession = 500
const farFuture = new Date('2200-01-01T00:00:00Z')

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

/** Sessions of requests, newest start first. */
export const selectSessionStartsStatement = ({ startedBefore, limit }: SessionStartsQuery): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, min(time) as started_at
    from requests
    where session_id != ''
    group by session_id
    having started_at < ${at(startedBefore ?? farFuture)}
    order by started_at desc
    limit ${count(limit)}`)

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
