import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { constant, empty, join, type SqlFragment, sql, typed } from '../../../../ground/sql/sql.ts'
import { at, byId, bySession, count, texts } from './columns.ts'
import { byKey, isFrom, ofSession, type RequestFilter, requestFilterParts, type Sender } from './request-filter.ts'

/** A row of `requests` as ClickHouse answers it; 64-bit integers are texts. */
export interface RequestRow {
  readonly id: string
  readonly time: string
  readonly duration_ms: number
  readonly database_ms: number
  readonly service: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly error_code: string
  readonly rows: string | null
  readonly role: string
  readonly user_id: string
  readonly auth_session_id: string
  readonly session_id: string
  readonly window_id: string
  readonly distinct_id: string
  readonly channel: string
  readonly exact: boolean
  readonly request_bytes: string
  readonly response_bytes: string
  readonly remote_address: string
  readonly user_agent: string
  readonly statements: number
  readonly cause_id: string
  readonly trace_id: string
  readonly parent_span_id: string
}

/** A row of `function_logs` as ClickHouse answers it. */
export interface LogRow {
  readonly id: string
  readonly time: string
  readonly request_id: string
  readonly kind: string
  readonly level: string
  readonly text: string
}

/** A row of `statements` as ClickHouse answers it. */
export interface StatementRow {
  readonly request_id: string
  readonly time: string
  readonly text: string
  readonly parameter_types: readonly string[]
  readonly rows: string | null
  readonly duration_ms: number
  readonly role: string
  readonly error_code: string
}

const requestColumns = constant(
  `id, time, duration_ms, database_ms, service, method, path, query, status, error_code, rows, role, user_id,
   auth_session_id, session_id, window_id, distinct_id, channel, exact, request_bytes, response_bytes, remote_address, user_agent,
   statements, cause_id, trace_id, parent_span_id`,
)
const statementColumns = constant('request_id, time, text, parameter_types, rows, duration_ms, role, error_code')

/** Whether a request has one of these ids. */
export const withIds = (ids: readonly string[]): SqlFragment => byKey(sql`id in (${texts(ids)})`)

/** What stretch of the requests is read. */
export interface RequestStretch {
  /** Only requests that come after this one, newest first; null: from the newest on. */
  readonly after: Pick<RequestRow, 'id' | 'time'> | null
  /** Only those from then on; null: all. */
  readonly since: Date | null
}

/**
 * Requests, newest first.
 *
 * @param found what is looked for, by which a text is found
 */
export function selectRequestsStatement(
  filter: RequestFilter & { readonly limit: number },
  { after, since }: RequestStretch,
  found: SqlFragment | null,
): ClickHouseStatement {
  const conditions = [
    sql`time >= ${at(since ?? new Date(0))}`,
    ...requestFilterParts(filter),
    ...(found === null ? [] : [found]),
  ]
  if (after !== null) {
    const time = typed(after.time, "DateTime64(3, 'UTC')")
    conditions.push(sql`(time < ${time} or (time = ${time} and id < ${after.id}))`)
  }
  return compileClickHouse(sql`
    select ${requestColumns}
    from requests
    where ${join(conditions, ' and ')}
    order by time desc, id desc
    limit ${count(filter.limit)}
    ${filter.session === undefined ? empty : bySession}`)
}

/** Requests of a person up to an instant. */
export interface PersonRequestsQuery extends Sender {
  readonly until: Date
  /** Whether only those that changed rows are asked for. */
  readonly writes: boolean
  readonly limit: number
}

/** Requests with the token of a person's user, or with an id of theirs, newest first. */
export const selectPersonRequestsStatement = (query: PersonRequestsQuery): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${requestColumns}
    from requests
    where time <= ${at(query.until)}
      and ${isFrom(query)}
      ${query.writes ? sql`and writes` : sql``}
    order by time desc, id desc
    limit ${count(query.limit)}`)

/** Requests by their ids. */
export const selectRequestsByIdStatement = (ids: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`select ${requestColumns} from requests where ${withIds(ids)} ${byId}`)

/** The first requests of a session. */
export const selectSessionRequestsStatement = (sessionId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${requestColumns}
    from requests
    where ${ofSession(sessionId)}
    order by time, id
    limit ${count(limit)}
    ${bySession}`)

/** The statements of a session's requests. */
export const selectSessionStatementsStatement = (sessionId: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${statementColumns}
    from statements
    where request_id in (select id from requests where session_id = ${sessionId})
    order by request_id, ordinal
    ${bySession}`)

const logColumns = constant('id, time, request_id, kind, level, text')

/** What functions logged for a session's requests, oldest first; a line that was stored twice comes once. */
export const selectSessionLogsStatement = (sessionId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${logColumns}
    from function_logs
    where request_id in (select id from requests where session_id = ${sessionId} and service = 'functions')
    order by time, id
    limit 1 by id
    limit ${count(limit)}
    ${bySession}`)

/** What a function logged for a request, oldest first. */
export const selectRequestLogsStatement = (requestId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${logColumns}
    from function_logs
    where request_id = ${requestId}
    order by time, id
    limit 1 by id
    limit ${count(limit)}`)

/** The requests that a function made for a call. */
export const selectCausedRequestsStatement = (causeId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${requestColumns}
    from requests
    where cause_id = ${causeId}
    order by time, id
    limit ${count(limit)}`)

/** The statements of a request. */
export const selectRequestStatementsStatement = (requestId: string): ClickHouseStatement =>
  compileClickHouse(sql`select ${statementColumns} from statements where request_id = ${requestId} order by ordinal`)
