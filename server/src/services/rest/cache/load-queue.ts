import {
  initialLoadState,
  type LoadEffect,
  type LoadEvent,
  type LoadReason,
  type LoadState,
  nextLoadState,
} from './load-state.ts'
import type { SchemaCache } from './schema-cache.ts'

/** A cache, and how long reading it took. */
export interface LoadedCache {
  readonly cache: SchemaCache
  readonly tookMs: number
}

export interface LoadQueueDeps {
  /** Loads a cache. @param before the one that is served meanwhile */
  readonly load: (reason: LoadReason, before: SchemaCache | null) => Promise<LoadedCache>
  readonly onFailure: (error: unknown, cache: SchemaCache | null) => void
  /** Called when a failed load is to be tried again. */
  readonly onRetryDue: () => void
}

/** One load at a time, and at most one that waits. */
export interface LoadQueue {
  state(): LoadState
  /** The cache of a load that begins after this call. */
  request(reason: LoadReason): Promise<SchemaCache>
  /** The cache of the load that runs; null when none does. */
  running(): Promise<SchemaCache> | null
  /** Ends retries and waits for what runs. */
  close(): Promise<void>
}

/** A promise and the functions that settle it. */
interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

function createDeferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, 'promise'> = { resolve: () => undefined, reject: () => undefined }
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // A load by a notification has no caller that would see its failure.
  promise.catch(() => undefined)
  return { promise, ...settle }
}

/** Performs the effects that `nextLoadState` decides on. */
export function createLoadQueue(deps: LoadQueueDeps): LoadQueue {
  let state = initialLoadState
  let running = createDeferred<SchemaCache>()
  let next = createDeferred<SchemaCache>()
  let retry: NodeJS.Timeout | undefined

  const load = async (reason: LoadReason, result: Deferred<SchemaCache>): Promise<void> => {
    try {
      const { cache, tookMs } = await deps.load(reason, state.cache)
      dispatch({ kind: 'loaded', cache, tookMs })
      result.resolve(cache)
    } catch (error) {
      if (!state.closed) deps.onFailure(error, state.cache)
      dispatch({ kind: 'load_failed' })
      result.reject(error)
    }
  }

  const perform = (effect: LoadEffect): void => {
    switch (effect.kind) {
      case 'load':
        running = next
        next = createDeferred()
        void load(effect.reason, running)
        break
      case 'schedule_retry':
        retry = setTimeout(() => {
          dispatch({ kind: 'retry_due' })
          deps.onRetryDue()
        }, effect.delayMs).unref()
        break
      case 'cancel_retry':
        clearTimeout(retry)
        break
    }
  }

  const dispatch = (event: LoadEvent): void => {
    const [after, effects] = nextLoadState(state, event)
    state = after
    for (const effect of effects) perform(effect)
  }

  return {
    state: () => state,
    request(reason) {
      const { promise } = next
      dispatch({ kind: 'requested', reason })
      return promise
    },
    running: () => (state.running === null ? null : running.promise),
    async close() {
      dispatch({ kind: 'closed' })
      if (state.running === null) return
      const last = state.queued === null ? running : next
      await last.promise.catch(() => undefined)
    },
  }
}
