import { parseTraceParent } from '../../ground/http/traceparent.ts'
import type { RequestRecord, StatementRecord } from '../../ground/model/request.ts'

/** Of `SpanKind` (opentelemetry/proto/trace/v1/trace.proto). */
const kinds = { server: 2, client: 3 }
/** Of `StatusCode`. */
const failed = 2

type Value = { readonly stringValue: string } | { readonly intValue: string }
type Attributes = Readonly<Record<string, string | number | null | undefined>>

/** A span as OTLP's JSON has it: times are nanoseconds as texts. */
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
  readonly status: { readonly code?: number }
}

/** Where a request stands in its trace. */
interface TracePlace {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  /** Whether the caller decided that the trace is kept; null where that is ours to decide. */
  readonly isSampled: boolean | null
}

/**
 * Finds the place of a request: in its caller's trace, where there is one (`traceparent`); below the request that led to it
 * within this instance; else in a trace of its own, whose id is the request's, so that one leads to the other.
 */
export function placeInTrace({ id, causeId, headers }: RequestRecord['context']): TracePlace {
  const own = hexOf(id)
  const parent = parseTraceParent(headers.traceparent)
  const cause = hexOf(causeId ?? '')
  // The trace that this instance has given its own calls on the way (`ground/http/trace.ts`).
  if (cause.length === traceIdLength)
    return { traceId: parent?.traceId ?? cause, ...spanOf(own), parentSpanId: cause.slice(16), isSampled: null }
  if (parent === null) return { traceId: own, ...spanOf(own), parentSpanId: null, isSampled: null }
  return { traceId: parent.traceId, ...spanOf(own), parentSpanId: parent.spanId, isSampled: parent.isSampled }
}

const traceIdLength = 32
/** A UUID as hexadecimal digits; nothing of any other text. */
const hexOf = (id: string): string => (/^[0-9a-f-]{36}$/.test(id) ? id.replaceAll('-', '') : '')
const spanOf = (hex: string) => ({ spanId: hex.slice(16) })

/** Whether a trace is among so many in a hundred: all processes, and all requests of the trace, decide alike. */
export const isChosen = (traceId: string, percentage: number): boolean =>
  (Number.parseInt(traceId.slice(-8), 16) / 2 ** 32) * 100 < percentage

/**
 * A finished request and its statements as spans. Who called, from where, and the address' query are not told.
 *
 * @param newSpanId makes 16 hexadecimal digits
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export function spansOf(
  { context, ...record }: RequestRecord,
  { traceId, spanId, parentSpanId }: TracePlace,
  newSpanId: () => string,
): readonly Span[] {
  const request: Span = {
    ...{ traceId, spanId, name: `${context.method} ${record.service}`, kind: kinds.server },
    ...(parentSpanId !== null && { parentSpanId }),
    ...timesOf(context.startedAt, record.durationMs),
    attributes: attributesOf({
      'http.request.method': context.method,
      'url.path': context.path,
      'http.response.status_code': record.status,
      'http.request.body.size': record.requestBytes,
      'http.response.body.size': record.responseBytes,
      'error.type': context.errorCode ?? (record.status >= 500 ? String(record.status) : null),
      'session.id': context.tag?.sessionId,
      'clew.request_id': context.id,
      'clew.service': record.service,
    }),
    status: record.status >= 500 ? { code: failed } : {},
  }
  return [request, ...context.statements.map((statement) => statementSpan(statement, traceId, spanId, newSpanId()))]
}

/** @see https://opentelemetry.io/docs/specs/semconv/database/postgresql/ */
function statementSpan(statement: StatementRecord, traceId: string, parentSpanId: string, spanId: string): Span {
  const operation = /[a-z]+/i.exec(statement.text)?.[0].toUpperCase() ?? 'SQL'
  return {
    ...{ traceId, spanId, parentSpanId, name: operation, kind: kinds.client },
    ...timesOf(statement.startedAt, statement.durationMs),
    attributes: attributesOf({
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': statement.text,
      'db.response.returned_rows': statement.rows,
      'db.response.status_code': statement.errorCode,
      'clew.role': statement.role,
    }),
    status: statement.errorCode === null ? {} : { code: failed },
  }
}

const nanosAMs = 1_000_000

function timesOf(startedAt: Date, durationMs: number) {
  const start = BigInt(startedAt.getTime()) * BigInt(nanosAMs)
  return {
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + BigInt(Math.round(durationMs * nanosAMs))),
  }
}

const attributesOf = (attributes: Attributes): Span['attributes'] =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === null || value === undefined) return []
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }]
  })
