import type { QueryCache } from '@tanstack/react-query'
import { createContext, use, useSyncExternalStore } from 'react'
import { ApiError } from './api-error.ts'

/** Whether Clew answers, by the console's own requests. */
export interface Connection {
  /** When it answered last, once it no longer does; null while it does. Milliseconds since 1970. */
  readonly lostSince: () => number | null
  readonly subscribe: (changed: () => void) => () => void
}

/**
 * Watches the answers to the console's own requests; sends none itself. An error response counts as an answer.
 *
 * @param cache    the console's queries
 * @param restored called when Clew answers again: what is shown is as old as the outage was long
 */
export function createConnection(cache: QueryCache, restored: () => void): Connection {
  let answeredAt = Date.now()
  let since: number | null = null
  const watchers = new Set<() => void>()
  const set = (next: number | null) => {
    if (since === next) return
    since = next
    for (const changed of watchers) changed()
  }
  cache.subscribe((event) => {
    if (event.type !== 'updated') return
    const { action } = event
    if (action.type === 'success' && action.manual !== true) {
      answeredAt = Date.now()
      const wasLost = since !== null
      set(null)
      if (wasLost) restored()
    } else if (action.type === 'failed' || action.type === 'error') {
      if (isUnanswered(action.error)) set(since ?? answeredAt)
      else if (action.error instanceof ApiError) {
        answeredAt = Date.now()
        set(null)
      }
    }
  })
  return {
    lostSince: () => since,
    subscribe: (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
  }
}

/** Nothing came back, or a proxy found nothing behind it. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 504)

const always: Connection = { lostSince: () => null, subscribe: () => () => undefined }

/** The connection of the running console. */
export const ConnectionContext = createContext<Connection>(always)

/** When Clew answered last, where it no longer does; null while it does. */
export function useLostSince(): number | null {
  const { subscribe, lostSince } = use(ConnectionContext)
  return useSyncExternalStore(subscribe, lostSince)
}
