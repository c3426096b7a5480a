import type { ReloadScope } from './debounce.ts'
import type { SchemaCache } from './schema-cache.ts'

/** Why a load runs: `lookup` for a name that a request did not find, else what is read anew. */
export type LoadReason = 'lookup' | ReloadScope

/** How often the cache was loaded, and how long the last successful load took. */
export interface LoadCounts {
  readonly succeeded: number
  readonly failed: number
  readonly lastSeconds: number
}

/** The loader between two events. */
export interface LoadState {
  /** The cache that is served; null before the first was loaded. */
  readonly cache: SchemaCache | null
  /** The load that runs; null when none does. */
  readonly running: LoadReason | null
  /** The one load that follows it, shared by every request for a load in the meantime. */
  readonly queued: LoadReason | null
  /** Whether the last load failed. */
  readonly failed: boolean
  readonly retryDelayMs: number
  readonly retryScheduled: boolean
  readonly counts: LoadCounts
  readonly closed: boolean
}

export type LoadEvent =
  | { readonly kind: 'requested'; readonly reason: LoadReason }
  | { readonly kind: 'loaded'; readonly cache: SchemaCache; readonly tookMs: number }
  | { readonly kind: 'load_failed' }
  /** The retry's time has come; the request for it follows. */
  | { readonly kind: 'retry_due' }
  | { readonly kind: 'closed' }

export type LoadEffect =
  | { readonly kind: 'load'; readonly reason: LoadReason }
  | { readonly kind: 'schedule_retry'; readonly delayMs: number }
  | { readonly kind: 'cancel_retry' }

export type LoadTransition = readonly [state: LoadState, effects: readonly LoadEffect[]]

const firstRetryMs = 1_000
const longestRetryMs = 32_000

/** The loader before its first load. */
export const initialLoadState: LoadState = {
  cache: null,
  running: null,
  queued: null,
  failed: false,
  retryDelayMs: firstRetryMs,
  retryScheduled: false,
  counts: { succeeded: 0, failed: 0, lastSeconds: 0 },
  closed: false,
}

const breadth: Readonly<Record<LoadReason, number>> = { lookup: 0, schema: 1, config: 2 }

const widest = (left: LoadReason | null, right: LoadReason): LoadReason =>
  left !== null && breadth[left] > breadth[right] ? left : right

function startQueued(state: LoadState, effects: readonly LoadEffect[]): LoadTransition {
  const { queued } = state
  if (queued === null) return [{ ...state, running: null }, effects]
  return [{ ...state, running: queued, queued: null }, [...effects, { kind: 'load', reason: queued }]]
}

function afterFailure(state: LoadState): LoadTransition {
  const { counts, closed, retryScheduled, retryDelayMs } = state
  const failed = { ...state, failed: true, counts: { ...counts, failed: counts.failed + 1 } }
  if (closed || retryScheduled) return startQueued(failed, [])
  const waiting = { ...failed, retryScheduled: true, retryDelayMs: Math.min(retryDelayMs * 2, longestRetryMs) }
  return startQueued(waiting, [{ kind: 'schedule_retry', delayMs: retryDelayMs }])
}

/**
 * The loader after an event, and what is to be done about it. At most one load runs and at most one is queued; a failed
 * load is tried again after 1 second, then 2, 4 … 32.
 */
export function nextLoadState(state: LoadState, event: LoadEvent): LoadTransition {
  switch (event.kind) {
    case 'requested': {
      const { reason } = event
      if (state.running !== null) return [{ ...state, queued: widest(state.queued, reason) }, []]
      return [{ ...state, running: reason }, [{ kind: 'load', reason }]]
    }
    case 'loaded': {
      const { succeeded, failed } = state.counts
      const counts = { succeeded: succeeded + 1, failed, lastSeconds: event.tookMs / 1000 }
      const healthy = { failed: false, retryDelayMs: firstRetryMs, retryScheduled: false }
      const effects: readonly LoadEffect[] = state.retryScheduled ? [{ kind: 'cancel_retry' }] : []
      return startQueued({ ...state, ...healthy, cache: event.cache, counts }, effects)
    }
    case 'load_failed':
      return afterFailure(state)
    case 'retry_due':
      return [{ ...state, retryScheduled: false }, []]
    case 'closed':
      return [{ ...state, closed: true, retryScheduled: false }, state.retryScheduled ? [{ kind: 'cancel_retry' }] : []]
  }
}

/**
 * Whether a cache is served, the last load succeeded, and no reload runs. A lookup does not count: an unknown name in one
 * request is no reason to send the others elsewhere.
 */
export const isLoadStateReady = ({ cache, failed, running }: LoadState): boolean =>
  cache !== null && !failed && (running === null || running === 'lookup')
