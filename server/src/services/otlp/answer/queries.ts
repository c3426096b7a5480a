import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** A row of `spans` as ClickHouse answers it; 64-bit integers are texts. */
export interface SpanRow {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_span_id: string
  readonly start_ns: string
  readonly duration_ns: string
  readonly name: string
  readonly kind: string
  readonly service: string
  readonly scope: string
  readonly status: string
  readonly status_message: string
  readonly session_id: string
  readonly attributes: string
  readonly resource: string
  readonly events: string
  readonly dropped: number
}

/** A row of `server_logs`. */
export interface LogRow {
  readonly id: string
  readonly time_ns: string
  readonly trace_id: string
  readonly span_id: string
  readonly session_id: string
  readonly service: string
  readonly scope: string
  readonly level: string
  readonly event_name: string
  readonly text: string
  readonly attributes: string
}

/** Which traces are asked for. */
export interface TracesQuestion {
  /** A question for the ids of traces, in one column. */
  readonly traceIds: SqlFragment
  /** Besides, what names this recorded session, and the traces in which it is named. */
  readonly sessionId: string | null
  readonly limit: number
}

const named = (table: 'spans' | 'server_logs', sessionId: string): SqlFragment =>
  sql`select trace_id from ${constant(table)} where session_id = ${sessionId} and trace_id != ''`

/** What is of the traces, or names the session: a trace is the session's as a whole where one of its spans names it. */
const isAsked = ({ traceIds, sessionId }: TracesQuestion): SqlFragment =>
  sessionId === null
    ? sql`(trace_id != '' and trace_id in (${traceIds}))`
    : sql`(
        (trace_id != '' and trace_id in (
          ${traceIds} union all ${named('spans', sessionId)} union all ${named('server_logs', sessionId)}
        ))
        or session_id = ${sessionId}
      )`

/** Spans, the oldest first; one that was stored twice comes once. */
export const selectSpansStatement = (question: TracesQuestion): ClickHouseStatement =>
  compileClickHouse(sql`
    select
      trace_id, span_id, parent_span_id, start_ns, duration_ns, name, kind, service, scope, status, status_message,
      session_id, attributes, resource, events, dropped
    from spans
    where ${isAsked(question)}
    order by start_ns, span_id
    limit 1 by trace_id, span_id
    limit ${typed(question.limit, 'UInt32')}`)

/** The columns of a `LogRow`. */
export const logRowColumns = constant(
  'id, time_ns, trace_id, span_id, session_id, service, scope, level, event_name, text, attributes',
)

/** Log records, the oldest first. */
export const selectLogsStatement = (question: TracesQuestion): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${logRowColumns}
    from server_logs
    where ${isAsked(question)}
    order by time_ns, id
    limit 1 by id
    limit ${typed(question.limit, 'UInt32')}`)
