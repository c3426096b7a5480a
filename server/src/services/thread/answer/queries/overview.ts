import { ownAgent } from '../../../../ground/http/own-agent.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { identifier, type SqlFragment, sql } from '../../../../ground/sql/sql.ts'
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

/** What one hour had, counted back from an instant. */
export interface HourRow {
  /** Hours that passed since its end. */
  readonly ago: number
  readonly requests: string
  readonly errors: string
}

/** Requests by the hours before an instant. */
export const selectHoursStatement = (until: Date, hours: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${hoursAgo('time', until)} as ago, count() as requests, countIf(${isError}) as errors
    from requests
    where ${withinHours('time', until, hours)} and ${isOthers}
    group by ago`)

/** Row changes by the hours before an instant. */
export const selectChangeHoursStatement = (until: Date, hours: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${hoursAgo('commit_time', until)} as ago, uniqExact(lsn, seq) as changes
    from changes
    where ${withinHours('commit_time', until, hours)}
    group by ago`)

const hoursAgo = (column: 'time' | 'commit_time', until: Date): SqlFragment =>
  sql`toUInt32(intDiv(toUnixTimestamp64Milli(${at(until)}) - 1 - toUnixTimestamp64Milli(${identifier(column)}), 3600000))`
const withinHours = (column: 'time' | 'commit_time', until: Date, hours: number): SqlFragment =>
  sql`${identifier(column)} >= ${at(new Date(until.getTime() - hours * 3_600_000))} and ${identifier(column)} < ${at(until)}`

/** Sessions that requests were tied to. */
export const selectSessionIdsStatement = (since: Date, until: Date | undefined): ClickHouseStatement =>
  compileClickHouse(sql`select distinct session_id from requests where ${between(since, until)} and session_id != ''`)

const between = (since: Date, until: Date | undefined): SqlFragment =>
  until === undefined ? sql`time >= ${at(since)}` : sql`time >= ${at(since)} and time < ${at(until)}`

/** Distinct ids and users of requests, empty where not known. */
export const selectPeopleStatement = (since: Date, until: Date | undefined): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct distinct_id, user_id
    from requests
    where ${between(since, until)} and (distinct_id != '' or user_id != '')`)

/** The first request; no row without one. */
export const selectFirstRequestStatement = (since: Date): ClickHouseStatement =>
  compileClickHouse(sql`select time from requests where time >= ${at(since)} and ${isOthers} order by time limit 1`)
