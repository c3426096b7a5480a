import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../../../ground/sql/sql.ts'
import { at, count, isError } from './columns.ts'
import type { LogRow } from './requests.ts'

/** The calls of a function in one part of a time, or in all of it. */
export interface FunctionCallsRow {
  readonly name: string
  /** Counted from the beginning of the time; -1 for all of it. */
  readonly part: number
  readonly calls: string
  readonly errors: string
  readonly p50: number
  readonly p95: number
}

/** A line of a function's log, with the request that it was written for; empty where that is not known. */
export interface FunctionLogRow extends LogRow {
  readonly version: string
}

export interface FunctionCallsFilter {
  readonly since: Date
  readonly partSeconds: number
  /** One function; null for all. */
  readonly name: string | null
}

const nameOf = constant(`extract(path, '^/functions/v1/([^/?]+)')`)

/** Calls by function: for each part of the time in which there were some, and in all. */
export function selectFunctionCallsStatement({ since, partSeconds, name }: FunctionCallsFilter): ClickHouseStatement {
  const part = sql`toInt32(intDiv(dateDiff('second', ${at(since)}, time), ${typed(partSeconds, 'UInt32')}))`
  const ofOne = name === null ? constant('true') : sql`${nameOf} = ${name}`
  const figures = sql`count() as calls, countIf(${isError}) as errors,
      quantile(0.5)(duration_ms) as p50, quantile(0.95)(duration_ms) as p95
    from requests
    where service = 'functions' and time >= ${at(since)} and ${ofOne}`
  return compileClickHouse(sql`
    select ${nameOf} as name, ${part} as part, ${figures} group by name, part
    union all
    select ${nameOf} as name, toInt32(-1) as part, ${figures} group by name`)
}

export interface FunctionLogsFilter {
  readonly name: string
  readonly level: string | null
  readonly q: string | null
  /** Only lines from then on; null for all. */
  readonly since: Date | null
  /** Only lines that come after this one, newest first. */
  readonly before: { readonly id: string; readonly time: string } | null
  readonly limit: number
}

const logColumns = constant('id, time, request_id, kind, level, text, version')

/** Lines of a function's log, newest first; a line that was stored twice comes once. */
export function selectFunctionLogsStatement({
  name,
  level,
  q,
  since,
  before,
  limit,
}: FunctionLogsFilter): ClickHouseStatement {
  const conditions: SqlFragment[] = [sql`name = ${name}`]
  if (level !== null) conditions.push(sql`level = ${level}`)
  if (q !== null && q !== '') conditions.push(sql`(request_id = ${q} or positionCaseInsensitiveUTF8(text, ${q}) > 0)`)
  if (since !== null) conditions.push(sql`time >= ${at(since)}`)
  if (before !== null) {
    const time = typed(before.time, "DateTime64(3, 'UTC')")
    conditions.push(sql`(time < ${time} or (time = ${time} and id < ${before.id}))`)
  }
  return compileClickHouse(sql`
    select ${logColumns}
    from function_logs
    where ${join(conditions, ' and ')}
    order by time desc, id desc
    limit 1 by id
    limit ${count(limit)}`)
}

/** A line by its id; no row where it is gone. */
export const selectFunctionLogStatement = (name: string, id: string): ClickHouseStatement =>
  compileClickHouse(sql`select ${logColumns} from function_logs where name = ${name} and id = ${id} limit 1`)
