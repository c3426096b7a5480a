import { sql, typed } from '../../../../ground/sql/sql.ts'
import type { TracesPort } from '../../ports.ts'
import { instantOf } from '../../record/request-lines.ts'
import type { Statement } from '../../schemas/request.ts'
import type { RequestTrace } from '../../schemas/trace.ts'
import type { RequestRow } from '../queries/requests.ts'
import { nodeId, nodeOf, ownTraceId, renderNodes, renderServerLog, type SpanNode } from './render.ts'

type TracedRow = Pick<
  RequestRow,
  'id' | 'time' | 'duration_ms' | 'method' | 'path' | 'status' | 'error_code' | 'trace_id' | 'parent_span_id'
>

/** The spans and log records of a request's traces, with the request and its statements among them; null where there are none. */
export async function readRequestTrace(
  traces: TracesPort,
  row: TracedRow,
  statements: readonly Statement[],
): Promise<RequestTrace | null> {
  const traceIds = [ownTraceId(row.id), row.trace_id].filter((id) => id !== '')
  const found = await traces.find({
    traceIds: sql`select arrayJoin(${typed(traceIds, 'Array(String)')})`,
    sessionId: null,
  })
  if (found.spans.length === 0 && found.logs.length === 0) return null
  const request = requestNode(row)
  const ids = new Set(found.spans.map(({ traceId, spanId }) => nodeId(traceId, spanId)))
  const spans = found.spans.map((facts) => {
    const node = nodeOf(facts)
    // What the request led to names a span that no server has sent: the request itself.
    const isLedTo = facts.traceId === ownTraceId(row.id) && (node.parentId === null || !ids.has(node.parentId))
    return isLedTo ? { ...node, parentId: request.id } : node
  })
  return {
    spans: renderNodes([...spans, request, ...statements.map((each, place) => statementNode(each, place, request))]),
    logs: found.logs.map(renderServerLog),
    isCut: found.isCut,
  }
}

const nothing = { service: '', scope: 'clew', statusMessage: '', attributes: {}, resource: {}, events: [], dropped: 0 }

const requestNode = (row: TracedRow): SpanNode => ({
  id: nodeId(row.trace_id, row.id),
  parentId: row.parent_span_id === '' ? null : nodeId(row.trace_id, row.parent_span_id),
  startMs: instantOf(row.time).getTime(),
  span: {
    ...nothing,
    traceId: row.trace_id,
    durationMs: row.duration_ms,
    kind: 'request',
    name: `${row.method} ${row.path}`,
    status: row.status >= 500 ? 'error' : 'unset',
    statusMessage: row.error_code,
  },
})

const statementNode = (statement: Statement, place: number, request: SpanNode): SpanNode => ({
  id: `${request.id}:${place}`,
  parentId: request.id,
  startMs: Date.parse(statement.startedAt),
  span: {
    ...nothing,
    traceId: request.span.traceId,
    durationMs: statement.durationMs,
    kind: 'statement',
    name: statement.text,
    status: statement.errorCode === null ? 'unset' : 'error',
    statusMessage: statement.errorCode ?? '',
  },
})
