import { LRUCache } from 'lru-cache'
import type { Traces } from '../../ground/http/trace.ts'
import type { RequestContext, SessionTag } from '../../ground/model/request.ts'
import { noOthers, type OpenTopic } from '../../ground/model/topic.ts'

/** What led to another request, with the session that it was of. */
export interface RequestCause {
  readonly id: string
  readonly tag: SessionTag | null
}

/**
 * The sessions of recent requests: what was made for one of them, by a function or as a webhook, belongs to its session, too.
 */
export interface Causes {
  remember(requestId: string, tag: SessionTag): void
  /** The session of a recent request; null where it is of none, or not known. */
  tagOf(requestId: string): SessionTag | null
  /** The cause that a request names, where this instance named it; null otherwise. */
  causeOf(headers: RequestContext['headers']): RequestCause | null
}

/** Requests remembered: those that may still lead to others. */
const remembered = 10_000

/** Causes as `traces` names them: what a request leads to may come to another process. */
export function createCauses(traces: Pick<Traces, 'causeOf'>, topic: OpenTopic = noOthers): Causes {
  const others = topic<readonly [requestId: string, tag: SessionTag]>('gateway.causes')
  const tags = new LRUCache<string, SessionTag>({ max: remembered })
  others.hear(([requestId, tag]) => void tags.set(requestId, tag))
  return {
    remember(requestId, tag) {
      tags.set(requestId, tag)
      others.tell([requestId, tag])
    },
    tagOf: (requestId) => tags.get(requestId) ?? null,
    causeOf(headers) {
      const id = headers.traceparent === undefined ? null : traces.causeOf(headers)
      if (id === null) return null
      const tag = tags.get(id)
      return { id, tag: tag === undefined ? null : { ...tag, channel: 'function' } }
    },
  }
}
