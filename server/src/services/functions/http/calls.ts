import { LRUCache } from 'lru-cache'
import type { RequestContext, SessionTag } from '../../../ground/model/request.ts'

/** The sessions of recent calls: what a function asks of the API for a call belongs to that call's session. */
export interface Calls {
  remember(context: Pick<RequestContext, 'id' | 'tag'>): void
  /** The session of a call, which its function's own requests have; null where it has none. */
  tagOf(requestId: string): SessionTag | null
}

/** @param count calls remembered: those that may still be running */
export function createCalls(count: number): Calls {
  const tags = new LRUCache<string, SessionTag>({ max: count })
  return {
    remember({ id, tag }) {
      if (tag !== null) tags.set(id, { ...tag, channel: 'function' })
    },
    tagOf: (requestId) => tags.get(requestId) ?? null,
  }
}
