import { type ClickHouse, type NamedRows, readNamed } from '../../../../engines/clickhouse/index.ts'
import { type SqlFragment, sql } from '../../../../ground/sql/sql.ts'
import { instantOf } from '../../record/request-lines.ts'
import { at } from '../queries/columns.ts'
import type { RequestFilter } from '../queries/request-filter.ts'
import { type RequestRow, selectRequestsStatement } from '../queries/requests.ts'
import {
  type FoundClaimRow,
  hasInPath,
  hasPathWith,
  idConditions,
  type NamedRow,
  selectMatchingClaimsStatement,
  selectPathsStatement,
} from '../queries/search.ts'

/** Requests of a path stand between others: more of them than that are read back from the last. */
const commonRows = 20_000

/** Finds requests by a text: an id of theirs, or part of their path in any case. No search reads all requests. */
export function createRequestSearch(query: ClickHouse['query']) {
  async function pathsWith(text: string): Promise<NamedRows> {
    const [row] = await query<NamedRow>(selectPathsStatement(text))
    return {
      rows: Number(row?.named ?? 0),
      first: new Date(Number(row?.first_ms ?? 0)),
      last: new Date(Number(row?.last_ms ?? 0)),
    }
  }

  return {
    /** Of which sessions requests are found, newest first; of each condition as many as the limit. */
    async claimsMatching(text: string, limit: number): Promise<readonly FoundClaimRow[]> {
      const find = (found: SqlFragment) => query<FoundClaimRow>(selectMatchingClaimsStatement(found, limit))
      const byPath = async () => {
        const named = await pathsWith(text)
        return readNamed({
          ...{ limit, named, commonRows },
          rare: (since) => find(hasPathWith(text, { first: since, last: named.last })),
          common: (since) => find(sql`time >= ${at(since)} and ${hasInPath(text)}`),
        })
      }
      return (await Promise.all([...idConditions(text, []).map(find), byPath()])).flat()
    },

    /** Requests that a text is found in, newest first: those after another one where it is given. */
    async requestsMatching(
      { q, userIds, ...filter }: RequestFilter & { readonly q: string; readonly limit: number },
      after: RequestRow | null,
    ): Promise<readonly RequestRow[]> {
      const { limit } = filter
      const find = (found: SqlFragment, since: Date | null = null) =>
        query<RequestRow>(selectRequestsStatement({ ...filter, userIds }, { after, since }, found))
      const byPath = async () => {
        const named = await pathsWith(q)
        const last =
          after === null ? named.last : new Date(Math.min(named.last.getTime(), instantOf(after.time).getTime()))
        return readNamed({
          ...{ limit, named: { ...named, last }, commonRows },
          rare: (since) => find(hasPathWith(q, { first: since, last })),
          common: (since) => find(hasInPath(q), since),
        })
      }
      const lists = await Promise.all([
        ...idConditions(q, userIds).map((found) => find(found)),
        find(sql`session_id = ${q}`),
        byPath(),
      ])
      const rows = [...new Map(lists.flat().map((row) => [row.id, row])).values()]
      return rows.sort(byNewest).slice(0, limit)
    },
  }
}

const byNewest = (a: RequestRow, b: RequestRow): number => compare(b.time, a.time) || compare(b.id, a.id)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
