import { type ClickHouse, type NamedRows, readNamed } from '../../../engines/clickhouse/index.ts'
import type { FoundSession } from '../../../ground/model/session.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { bySession, byVisitor } from '../queries.ts'

/** So many are read by their addresses, one behind another in the projection. */
const commonRows = 200_000
/** Addresses that rare events are read by, those of the latest: each may be in a granule of its own. */
const rareAddresses = 300

interface Row {
  readonly session_id: string
  readonly at_ms: string
}

/** Sessions in which a page's address contains a text, in any case; those whose last such event is latest come first. */
export async function findSessionsByUrl(
  { query }: Pick<ClickHouse, 'query'>,
  text: string,
  limit: number,
): Promise<readonly FoundSession[]> {
  const [named] = await query<NamedRow>(selectAddressesStatement(text))
  const find = async (statement: ClickHouseStatement): Promise<readonly FoundSession[]> =>
    (await query<Row>(statement)).map(foundSession)
  return readNamed({
    limit,
    named: namedRows(named),
    commonRows,
    rare: (since) => find(selectOfAddressesStatement(text, limit, since)),
    common: (since) => find(selectSinceStatement(text, limit, since)),
  })
}

/** Sessions in which one of these ids was seen; those with the latest event of one come first. */
export async function findSessionsByDistinctId(
  { query }: Pick<ClickHouse, 'query'>,
  distinctIds: readonly string[],
  limit: number,
): Promise<readonly FoundSession[]> {
  return (await query<Row>(selectVisitsStatement(distinctIds, limit))).map(foundSession)
}

const foundSession = ({ session_id, at_ms }: Row): FoundSession => ({
  sessionId: session_id,
  at: new Date(Number(at_ms)),
})

interface NamedRow {
  readonly named: string
  readonly first_ms: string
  readonly last_ms: string
}

const namedRows = (row: NamedRow | undefined): NamedRows => ({
  rows: Number(row?.named ?? 0),
  first: new Date(Number(row?.first_ms ?? 0)),
  last: new Date(Number(row?.last_ms ?? 0)),
})

const contains = (text: string): SqlFragment => sql`positionCaseInsensitiveUTF8(current_url, ${text}) > 0`
const instant = (at: Date): SqlFragment => sql`fromUnixTimestamp64Milli(${typed(at.getTime(), 'Int64')})`
const count = (limit: number): SqlFragment => sql`${typed(limit, 'UInt32')}`

/** How many events have such an address; the projection has a row for each address. */
const selectAddressesStatement = (text: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select sum(events) as named, toUnixTimestamp64Milli(min(first)) as first_ms, toUnixTimestamp64Milli(max(last)) as last_ms
    from (
      select count() as events, min(timestamp) as first, max(timestamp) as last
      from events
      where ${contains(text)}
      group by current_url
    )`)

const selectOfAddressesStatement = (text: string, limit: number, since: Date): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, toUnixTimestamp64Milli(max(timestamp)) as at_ms
    from events
    where session_id != '' and timestamp >= ${instant(since)} and current_url in (
      select current_url
      from events
      where ${contains(text)}
      group by current_url
      order by max(timestamp) desc
      limit ${count(rareAddresses)}
    )
    group by session_id
    order by at_ms desc, session_id
    limit ${count(limit)}`)

/** What the sessions of a stretch of time saw is read by session. */
const selectSinceStatement = (text: string, limit: number, since: Date): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, toUnixTimestamp64Milli(max(timestamp)) as at_ms
    from events
    where ${contains(text)} and session_id in (
      select session_id
      from events
      where session_id != '' and timestamp >= ${instant(since)}
    )
    group by session_id
    order by at_ms desc, session_id
    limit ${count(limit)}
    ${bySession}`)

const selectVisitsStatement = (distinctIds: readonly string[], limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, toUnixTimestamp64Milli(max(timestamp)) as at_ms
    from events
    where session_id != '' and distinct_id in ${typed(distinctIds, 'Array(String)')}
    group by session_id
    order by at_ms desc, session_id
    limit ${count(limit)}
    ${byVisitor}`)
