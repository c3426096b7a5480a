import type { ServerLog as LogFacts } from '../../../../ground/traces/server-trace.ts'
import type { TracesPort } from '../../ports.ts'
import type { ServerLog, ServerSpan } from '../../schemas/trace.ts'
import type { SessionRequest } from '../../timeline/places.ts'
import { tracesOfSession } from '../queries/traces.ts'
import { nodeOf, ownTraceId, renderNode, renderServerLog } from './render.ts'
import { treesOf } from './tree.ts'

/** A span that stands in no other, with those below it. */
export interface SessionTrace {
  readonly startMs: number
  readonly spans: readonly ServerSpan[]
  /** Of the request that stands in the trace. */
  readonly windowId: string | null
}

/** What servers told of a session. */
export interface SessionTraces {
  readonly traces: readonly SessionTrace[]
  readonly logs: readonly { readonly log: ServerLog; readonly windowId: string | null }[]
}

/**
 * What servers told of a session: of the traces of its requests, and where they name the session themselves. What stands in
 * the trace of another's request with the session's id does not count.
 */
export async function readSessionTraces(
  { find }: TracesPort,
  sessionId: string,
  requests: readonly SessionRequest[],
): Promise<SessionTraces> {
  const { spans, logs } = await find({ traceIds: tracesOfSession(sessionId), sessionId })
  if (spans.length === 0 && logs.length === 0) return { traces: [], logs: [] }
  const windows = new Map<string, string | null>()
  const foreign = new Set<string>()
  for (const { id, traceId = null, link, windowId } of requests)
    for (const trace of traceId === null ? [ownTraceId(id)] : [ownTraceId(id), traceId]) {
      if (link.foreign) foreign.add(trace)
      else windows.set(trace, windowId)
    }
  const naming = new Set([...spans, ...logs].filter((each) => each.sessionId === sessionId).map((each) => each.traceId))
  const isOwn = ({ traceId }: Pick<LogFacts, 'traceId'>): boolean =>
    traceId === null || !foreign.has(traceId) || windows.has(traceId) || naming.has(traceId)
  const windowOf = (traceId: string | null): string | null => (traceId === null ? null : (windows.get(traceId) ?? null))
  return {
    traces: treesOf(spans.filter(isOwn).map(nodeOf)).flatMap((tree) => {
      const [root] = tree
      if (root === undefined) return []
      const { startMs, span } = root.node
      return { startMs, spans: tree.map((placed) => renderNode(placed, startMs)), windowId: windowOf(span.traceId) }
    }),
    logs: logs.filter(isOwn).map((log) => ({ log: renderServerLog(log), windowId: windowOf(log.traceId) })),
  }
}
