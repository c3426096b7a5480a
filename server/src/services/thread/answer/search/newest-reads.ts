import { type ClickHouse, createReaches, readBack } from '../../../../engines/clickhouse/index.ts'
import {
  kindOfAllStarts,
  kindOfStarts,
  type SessionStart,
  type SessionStartsQuery,
} from '../../../../ground/model/session.ts'
import { instantOf } from '../../record/request-lines.ts'
import type { RequestCondition } from '../queries/request-condition.ts'
import type { RequestFilter } from '../queries/request-filter.ts'
import { type RequestRow, selectRequestsStatement } from '../queries/requests.ts'
import { type StartRow, selectSessionStartsStatement } from '../queries/sessions.ts'
import type { createRequestSearch } from './request-search.ts'

/** Which requests are asked for, and after which one the page begins. */
type RequestPageFilter = RequestFilter & { readonly limit: number; readonly before?: string }

/** What is read from the newest on, and no further than a page needs. */
export function createNewestReads(
  query: ClickHouse['query'],
  now: () => Date,
  requestsById: (ids: readonly string[]) => Promise<readonly RequestRow[]>,
  search: ReturnType<typeof createRequestSearch>,
) {
  const reaches = createReaches<SessionStart>(({ startedAt }) => startedAt)
  return {
    /** A page of requests, newest first; empty after a request that is not there. */
    async requests({ before, ...filter }: RequestPageFilter): Promise<readonly RequestRow[]> {
      const [cursor] = before === undefined ? [null] : await requestsById([before])
      if (cursor === undefined) return []
      const { q } = filter
      if (q !== undefined && q !== '') return search.requestsMatching({ ...filter, q }, cursor)
      const find = (since: Date | null) =>
        query<RequestRow>(selectRequestsStatement(filter, { after: cursor, since }, null))
      // A session's are found by its id, however old they are.
      if (filter.session !== undefined) return find(null)
      return readBack({
        limit: filter.limit,
        from: cursor === null ? new Date(filter.to ?? now()) : instantOf(cursor.time),
        ...(filter.from !== undefined && { first: new Date(filter.from) }),
        find,
      })
    },
    /** Sessions of requests, newest start first. */
    async sessionStarts(
      wanted: SessionStartsQuery & { readonly requests?: RequestCondition | undefined },
    ): Promise<readonly SessionStart[]> {
      const find = async (since: Date | null): Promise<readonly SessionStart[]> => {
        const statement = selectSessionStartsStatement(wanted, since)
        return (await query<StartRow>(statement)).map((row) => ({
          sessionId: row.session_id,
          startedAt: instantOf(row.started_at),
          endedAt: instantOf(row.ended_at),
          errors: Number(row.errors),
        }))
      }
      const { limit, from, only, requests } = wanted
      if (typeof only === 'object') return find(null)
      const kind = `${kindOfStarts(wanted)} ${JSON.stringify(requests ?? null)}`
      return readBack({ limit, from, find, reach: reaches.of(kind, `${kindOfAllStarts(wanted)} null`) })
    },
  }
}
