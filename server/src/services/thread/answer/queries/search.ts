import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { type SqlFragment, sql } from '../../../../ground/sql/sql.ts'
import { at, type ClaimRow, claimColumns, count, texts } from './columns.ts'
import { withIds } from './requests.ts'

/** Requests of one session with equal claims that a text was found in. */
export interface FoundClaimRow extends ClaimRow {
  readonly at_ms: string
}

/** Of which sessions requests are found, newest first; with what they say of who sent them. */
export const selectMatchingClaimsStatement = (found: SqlFragment, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${claimColumns}, toUnixTimestamp64Milli(max(time)) as at_ms
    from requests
    where session_id != '' and ${found}
    group by ${claimColumns}
    order by at_ms desc
    limit ${count(limit)}`)

/** How many requests have a path with a text in it; 64-bit numbers arrive as texts. */
export interface NamedRow {
  readonly named: string
  readonly first_ms: string
  readonly last_ms: string
}

/** Of all paths with the text; the projection has a row for each path. */
export const selectPathsStatement = (text: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select sum(requests) as named, toUnixTimestamp64Milli(min(first)) as first_ms, toUnixTimestamp64Milli(max(last)) as last_ms
    from (
      select count() as requests, min(time) as first, max(time) as last
      from requests
      where ${hasInPath(text)}
      group by path
    )`)

/** Whether a path contains a text, in any case. */
export const hasInPath = (text: string): SqlFragment => sql`positionCaseInsensitiveUTF8(path, ${text}) > 0`

/** What `hasInPath` says, by the paths that fit, which an index knows; between the first and the last of them. */
export const hasPathWith = (
  text: string,
  { first, last }: { readonly first: Date; readonly last: Date },
): SqlFragment =>
  sql`path in (select path from requests where ${hasInPath(text)} group by path) and time between ${at(first)} and ${at(last)}`

/** Requests of which an id is the text, or whose user is one of these: a condition for each index that knows of it. */
export const idConditions = (text: string, userIds: readonly string[]): readonly SqlFragment[] => [
  withIds([text]),
  sql`distinct_id = ${text}`,
  sql`user_id in (${texts([...new Set([text, ...userIds])])})`,
]
