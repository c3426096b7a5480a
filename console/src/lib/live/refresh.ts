import type { Query, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { inBackground } from '../in-background.ts'
import type { LiveConnection } from './connection.ts'

/** Without a connection queries are refreshed so often. */
const withoutConnectionMs = 5_000

/** Refreshes a query, one look after another. */
interface Refresher {
  /** Looks as soon as the last look is long enough ago. */
  look(): void
  close(): void
}

/**
 * Refreshes the queries that are on the screen and say by `meta: live(…)` what they are made of, when the server says that
 * there is something new of it; every few seconds while there is no connection.
 */
export function refreshLiveQueries(queryClient: QueryClient, connection: LiveConnection): void {
  const kept = new Map<string, { readonly key: string; readonly refresher: Refresher; readonly end: () => void }>()
  let poll: ReturnType<typeof setInterval> | undefined

  const lookAtAll = () => {
    for (const { refresher } of kept.values()) refresher.look()
  }
  const update = (query: Query) => {
    const { topics, everyMs } = query.meta?.live ?? { topics: [], everyMs: 0 }
    const key = query.isActive() && !isRefused(query) ? `${everyMs} ${topics.join(' ')}` : ''
    const known = kept.get(query.queryHash)
    if ((known?.key ?? '') === (topics.length === 0 ? '' : key)) return
    known?.end()
    kept.delete(query.queryHash)
    if (topics.length === 0 || key === '') return
    const refresher = createRefresher(queryClient, query, everyMs)
    const unwatch = connection.watch(topics, refresher.look)
    const end = () => {
      unwatch()
      refresher.close()
    }
    kept.set(query.queryHash, { key, refresher, end })
  }
  queryClient.getQueryCache().subscribe((event) => {
    const { type, query } = event
    if (type === 'removed') {
      kept.get(query.queryHash)?.end()
      kept.delete(query.queryHash)
    } else if (type === 'updated' ? isOutcome(event.action.type) : type !== 'observerResultsUpdated') update(query)
  })
  connection.subscribe(() => {
    // A break is often the server's end: what is asked now finds out.
    lookAtAll()
    if (!connection.isLost()) {
      clearInterval(poll)
      poll = undefined
    } else poll ??= setInterval(lookAtAll, withoutConnectionMs)
  })
}

/** Whether the operator's role does not allow what was asked: nothing that is new changes that. */
const isRefused = ({ state: { error } }: Query): boolean => error instanceof ApiError && error.status === 403

const isOutcome = (action: string): boolean => action === 'error' || action === 'success'

function createRefresher(queryClient: QueryClient, query: Query, everyMs: number): Refresher {
  let isDue = false
  let isLooking = false
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const run = async () => {
    timer = undefined
    isLooking = true
    // An answer that is on its way may have been read before.
    isDue = query.state.fetchStatus === 'fetching'
    lookedAtMs = performance.now()
    await queryClient.refetchQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
    isLooking = false
    if (isDue) schedule()
  }
  const schedule = () => {
    if (isClosed || isLooking || timer !== undefined) return
    const waitMs = Math.max(0, lookedAtMs + everyMs - performance.now())
    timer = setTimeout(() => inBackground(run()), waitMs)
  }
  return {
    look() {
      isDue = true
      schedule()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
