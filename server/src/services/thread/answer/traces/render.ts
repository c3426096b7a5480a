import type { ServerLog as LogFacts, ServerSpan as SpanFacts } from '../../../../ground/traces/server-trace.ts'
import type { ServerLog, ServerSpan } from '../../schemas/trace.ts'
import { type Placed, treesOf } from './tree.ts'

/** A span with what a tree is made by. */
export interface SpanNode {
  readonly id: string
  readonly parentId: string | null
  readonly startMs: number
  readonly span: Omit<ServerSpan, 'id' | 'depth' | 'at' | 'offsetMs'>
}

/** A span of a server, at its place in its trace: two traces may hold one id. */
export const nodeOf = (facts: SpanFacts): SpanNode => ({
  id: nodeId(facts.traceId, facts.spanId),
  parentId: facts.parentSpanId === null ? null : nodeId(facts.traceId, facts.parentSpanId),
  startMs: facts.startMs,
  span: {
    traceId: facts.traceId,
    durationMs: facts.durationMs,
    kind: facts.kind,
    name: facts.name,
    service: facts.service,
    scope: facts.scope,
    status: facts.status,
    statusMessage: facts.statusMessage,
    attributes: { ...facts.attributes },
    resource: { ...facts.resource },
    events: facts.events.map(({ at, name, attributes }) => ({
      offsetMs: at.getTime() - facts.startMs,
      name,
      attributes: { ...attributes },
    })),
    dropped: facts.dropped,
  },
})

/** The trace that a request begins: what it led to stands there. */
export const ownTraceId = (requestId: string): string => requestId.replaceAll('-', '')

export const nodeId = (traceId: string, spanId: string): string => `${traceId} ${spanId}`

/** Nodes as the console shows them, one tree after another, on the time of the first of them all. */
export function renderNodes(nodes: readonly SpanNode[]): ServerSpan[] {
  const firstMs = Math.min(...nodes.map(({ startMs }) => startMs))
  return treesOf(nodes).flatMap((tree) => tree.map((placed) => renderNode(placed, firstMs)))
}

/** A node of a tree, on a time that begins with `firstMs`. */
export const renderNode = ({ node: { id, startMs, span }, depth }: Placed<SpanNode>, firstMs: number): ServerSpan => ({
  id: id.slice(id.indexOf(' ') + 1),
  ...span,
  depth,
  at: new Date(startMs).toISOString(),
  offsetMs: startMs - firstMs,
})

/** A log record as the console shows it. */
export const renderServerLog = (log: LogFacts): ServerLog => ({
  id: log.id,
  at: log.at.toISOString(),
  spanId: log.spanId,
  service: log.service,
  scope: log.scope,
  level: log.level,
  eventName: log.eventName,
  text: log.text,
  attributes: { ...log.attributes },
})
