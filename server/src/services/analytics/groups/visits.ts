import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { empty, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

const dayOf = (since: Date): SqlFragment => sql`${typed(since.toISOString().slice(0, 10), 'Date')}`

/** A type with some of its keys, from a day on. */
export interface VisitsOf {
  readonly type: string
  readonly keys: readonly string[]
  readonly since: Date
}

const visitsOf = ({ type, keys, since }: VisitsOf): SqlFragment => sql`
  type = ${type} and key in ${typed([...keys], 'Array(String)')} and day > ${dayOf(since)}`

/** What events that named a group come to. */
export interface GroupCountsRow {
  readonly key: string
  readonly visitors: string
  readonly session_count: string
  readonly event_count: string
  readonly exception_count: string
}

export const selectGroupCountsStatement = (of: VisitsOf): ClickHouseStatement =>
  compileClickHouse(sql`
    select key, uniq(distinct_id) as visitors, uniqIf(session_id, session_id != '') as session_count,
      uniqMerge(events) as event_count, uniqMerge(exceptions) as exception_count
    from group_visits
    where ${visitsOf(of)}
    group by key`)

/** An id whose events named a group. */
export interface GroupVisitorRow {
  readonly distinct_id: string
  readonly last_ms: string
  readonly event_count: string
}

/** Those seen latest first. */
export const selectGroupVisitorsStatement = (of: VisitsOf, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct_id, toUnixTimestamp64Milli(max(last_at)) as last_ms, uniqMerge(events) as event_count
    from group_visits
    where ${visitsOf(of)}
    group by distinct_id
    order by last_ms desc, distinct_id
    limit ${typed(limit, 'UInt32')}`)

/** A session whose events named a group. */
export interface GroupSessionRow extends GroupVisitorRow {
  readonly session_id: string
  readonly first_ms: string
}

/** Where a page of sessions goes on. */
export interface SessionPlace {
  readonly atMs: number
  readonly id: string
}

/** Those seen latest first, from a day on. */
export const selectGroupSessionsStatement = (
  of: VisitsOf,
  before: SessionPlace | null,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, argMax(distinct_id, last_at) as distinct_id, toUnixTimestamp64Milli(min(first_at)) as first_ms,
      toUnixTimestamp64Milli(max(last_at)) as last_ms, uniqMerge(events) as event_count
    from group_visits
    where ${visitsOf(of)} and session_id != ''
    group by session_id
    ${before === null ? empty : sql`having (last_ms, session_id) < (${typed(before.atMs, 'Int64')}, ${before.id})`}
    order by last_ms desc, session_id desc
    limit ${typed(limit, 'UInt32')}`)

/** When a group's events were. */
export interface GroupSpanRow {
  readonly first_ms: string
  readonly last_ms: string
}

/** Without a row for a group that no event named. */
export const selectGroupSpanStatement = (type: string, key: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select toUnixTimestamp64Milli(min(first_at)) as first_ms, toUnixTimestamp64Milli(max(last_at)) as last_ms
    from group_visits
    where type = ${type} and key = ${key}
    having count() > 0`)
