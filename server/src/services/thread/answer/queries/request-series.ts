import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../../../ground/sql/sql.ts'
import { at, count, isError } from './columns.ts'
import { type RequestFilter, requestFilterParts } from './request-filter.ts'
import { hasInPath, idConditions } from './search.ts'

/** The requests of one part of a time; 64-bit integers are texts. */
export interface SeriesRow {
  /** How many parts lie between 1970 and its beginning. */
  readonly part: string
  readonly answered: string
  readonly redirected: string
  readonly refused: string
  readonly failed: string
  readonly p95: number
}

/** All requests of a time. */
export interface SeriesTotalRow {
  readonly requests: string
  readonly errors: string
  /** The median and the 95th percentile; not a number without a request. */
  readonly durations: readonly [number | null, number | null]
}

const classes = constant(`
  countIf(status < 300) as answered,
  countIf(status between 300 and 399) as redirected,
  countIf(status between 400 and 499) as refused,
  countIf(status >= 500) as failed`)

const where = (filter: RequestFilter): SqlFragment => {
  const { q = '', userIds } = filter
  const found = [...idConditions(q, userIds), sql`session_id = ${q}`, hasInPath(q)]
  const parts = [...requestFilterParts(filter), ...(q === '' ? [] : [sql`(${join(found, ' or ')})`])]
  return parts.length === 0 ? sql`` : sql`where ${join(parts, ' and ')}`
}

/** Requests by parts of a time. */
export const selectSeriesStatement = (filter: RequestFilter, partMs: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select
      intDiv(toUnixTimestamp64Milli(time), ${typed(partMs, 'Int64')}) as part,
      ${classes},
      quantileTDigest(0.95)(duration_ms) as p95
    from requests
    ${where(filter)}
    group by part`)

/** How many requests there are, how many of them are errors, and how long they took. */
export const selectSeriesTotalStatement = (filter: RequestFilter): ClickHouseStatement =>
  compileClickHouse(sql`
    select
      count() as requests,
      countIf(${isError}) as errors,
      quantilesTDigest(0.5, 0.95)(duration_ms) as durations
    from requests
    ${where(filter)}`)

/** When the oldest of these requests began; 1970 without one. */
export const selectOldestRequestStatement = (filter: RequestFilter): ClickHouseStatement =>
  compileClickHouse(sql`select min(time) as oldest from requests ${where(filter)}`)

/** When the request began behind which so many newer ones lie; no row where there are fewer. */
export const selectTimeBehindStatement = (from: Date, to: Date, newer: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select time from requests
    where time >= ${at(from)} and time < ${at(to)}
    order by time desc
    limit 1 offset ${count(newer)}`)
