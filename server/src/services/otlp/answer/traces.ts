import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { type JsonObject, objectOf } from '../../../ground/json/object.ts'
import type { ServerLog, ServerSpan, ServerTraces } from '../../../ground/traces/server-trace.ts'
import { type LogRow, type SpanRow, selectLogsStatement, selectSpansStatement, type TracesQuestion } from './queries.ts'

/** Finds what servers told of some traces. */
export type FindTraces = (question: Omit<TracesQuestion, 'limit'>) => Promise<ServerTraces>

/** @param limit most spans, and most log records, of one answer */
export const createFindTraces =
  ({ query }: Pick<ClickHouse, 'query'>, limit: number): FindTraces =>
  async (asked) => {
    const question = { ...asked, limit: limit + 1 }
    const [spans, logs] = await Promise.all([
      query<SpanRow>(selectSpansStatement(question)),
      query<LogRow>(selectLogsStatement(question)),
    ])
    return {
      spans: spans.slice(0, limit).map(renderSpan),
      logs: logs.slice(0, limit).map(renderLog),
      isCut: spans.length > limit || logs.length > limit,
    }
  }

const renderSpan = (row: SpanRow): ServerSpan => ({
  traceId: row.trace_id,
  spanId: row.span_id,
  parentSpanId: unlessEmpty(row.parent_span_id),
  startMs: milliseconds(row.start_ns),
  durationMs: milliseconds(row.duration_ns),
  name: row.name,
  // We wrote both ourselves.
  kind: row.kind as ServerSpan['kind'],
  status: row.status as ServerSpan['status'],
  service: row.service,
  scope: row.scope,
  statusMessage: row.status_message,
  sessionId: unlessEmpty(row.session_id),
  attributes: members(row.attributes),
  resource: members(row.resource),
  events: list(row.events).map((event) => ({
    at: new Date(Number(event.at)),
    name: String(event.name),
    attributes: objectOf(event.attributes) ?? {},
  })),
  dropped: row.dropped,
})

/** A log record as it is answered. */
export const renderLog = (row: LogRow): ServerLog => ({
  id: row.id,
  at: new Date(milliseconds(row.time_ns)),
  traceId: unlessEmpty(row.trace_id),
  spanId: unlessEmpty(row.span_id),
  sessionId: unlessEmpty(row.session_id),
  service: row.service,
  scope: row.scope,
  // We wrote it ourselves.
  level: row.level as ServerLog['level'],
  eventName: row.event_name,
  text: row.text,
  attributes: members(row.attributes),
})

const unlessEmpty = (text: string): string | null => (text === '' ? null : text)

const nanosAMicrosecond = 1000n

/** Nanoseconds as milliseconds, to a microsecond: more digits than a number has are none. */
const milliseconds = (nanos: string): number => Number(BigInt(nanos) / nanosAMicrosecond) / 1000

// We wrote these texts ourselves.
const members = (json: string): JsonObject => (json === '' ? {} : JSON.parse(json))
const list = (json: string): readonly JsonObject[] => (json === '' ? [] : JSON.parse(json))
