import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { constant, type SqlFragment, sql } from '../../../../ground/sql/sql.ts'
import { texts } from './columns.ts'
import { ofSession } from './request-filter.ts'

/** The trace that a request stands in, and the one that it begins: its own id. */
export const traceIdsOfRequest = constant(`arrayJoin([replaceAll(id, '-', ''), trace_id]) as trace`)

/** The traces of a session's requests. */
export const tracesOfSession = (sessionId: string): SqlFragment =>
  sql`select ${traceIdsOfRequest} from requests where ${ofSession(sessionId)}`

/** The sessions whose requests stand in some traces, or began them. */
export const selectSessionsOfTracesStatement = (traceIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct session_id
    from (
      select session_id from requests where trace_id in (${texts(traceIds)})
      union all
      select session_id from requests where id in (${texts(traceIds.map(requestIdOf))})
    )
    where session_id != ''`)

/** The first request that stands in each of some traces, or began it. */
export const selectRequestsOfTracesStatement = (traceIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select trace, id
    from (
      select trace_id as trace, id, time from requests where trace_id in (${texts(traceIds)})
      union all
      select replaceAll(id, '-', '') as trace, id, time from requests where id in (${texts(traceIds.map(requestIdOf))})
    )
    order by time, id
    limit 1 by trace`)

const requestIdOf = (traceId: string): string => traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
