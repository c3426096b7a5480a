import { ownAgent } from '../../../../ground/http/own-agent.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { sql } from '../../../../ground/sql/sql.ts'
import { at, isError } from './columns.ts'

/** The requests of one minute. */
export interface MinuteRow {
  readonly minute: string
  readonly requests: string
  readonly errors: string
  readonly p95: number
}

/** What a start of Clew asks of itself is no request of the application. */
const isOthers = sql`user_agent != ${ownAgent}`

/** Requests by the minute. */
export const selectMinutesStatement = (since: Date): ClickHouseStatement =>
  compileClickHouse(sql`
    select
      toStartOfMinute(time) as minute,
      count() as requests,
      countIf(${isError}) as errors,
      quantile(0.95)(duration_ms) as p95
    from requests
    where time >= ${at(since)} and ${isOthers}
    group by minute`)

/** Sessions that requests were tied to. */
export const selectSessionIdsStatement = (since: Date): ClickHouseStatement =>
  compileClickHouse(sql`select distinct session_id from requests where time >= ${at(since)} and session_id != ''`)

/** Distinct ids and users of requests, empty where not known. */
export const selectPeopleStatement = (since: Date): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct distinct_id, user_id
    from requests
    where time >= ${at(since)} and (distinct_id != '' or user_id != '')`)

/** The first request; no row without one. */
export const selectFirstRequestStatement = (since: Date): ClickHouseStatement =>
  compileClickHouse(sql`select time from requests where time >= ${at(since)} and ${isOthers} order by time limit 1`)
