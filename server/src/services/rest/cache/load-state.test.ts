import { expect, test } from 'vitest'
import { bookSchema } from '../../../../test/book-schema.ts'
import {
  initialLoadState,
  isLoadStateReady,
  type LoadEffect,
  type LoadEvent,
  type LoadReason,
  nextLoadState,
} from './load-state.ts'

const cache = bookSchema()
const requested = (reason: LoadReason): LoadEvent => ({ kind: 'requested', reason })
const loaded: LoadEvent = { kind: 'loaded', cache, tookMs: 250 }
const failed: LoadEvent = { kind: 'load_failed' }

function after(...events: readonly LoadEvent[]) {
  let state = initialLoadState
  let effects: readonly LoadEffect[] = []
  for (const event of events) [state, effects] = nextLoadState(state, event)
  return { state, effects }
}

test('one load runs, one is queued, with the widest of all reasons', () => {
  expect(after(requested('lookup')).effects).toEqual([{ kind: 'load', reason: 'lookup' }])
  const asked = [requested('schema'), requested('lookup'), requested('config'), requested('schema')]
  expect(after(...asked)).toMatchObject({ state: { running: 'schema', queued: 'config' }, effects: [] })
  for (const ended of [loaded, failed]) {
    const { state, effects } = after(...asked, ended)
    expect(state).toMatchObject({ running: 'config', queued: null })
    expect(effects).toContainEqual({ kind: 'load', reason: 'config' })
  }
})

test('a failed load keeps the cache, and is tried again less and less often', () => {
  const events: LoadEvent[] = [requested('schema'), loaded, requested('schema')]
  const delays: number[] = []
  for (let round = 0; round < 7; round += 1) {
    const { state, effects } = after(...events, failed)
    expect(state).toMatchObject({ cache, failed: true, retryScheduled: true })
    for (const effect of effects) if (effect.kind === 'schedule_retry') delays.push(effect.delayMs)
    events.push(failed, { kind: 'retry_due' }, requested('schema'))
    expect(after(...events).effects).toEqual([{ kind: 'load', reason: 'schema' }])
  }
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 32_000])
  expect(after(...events, loaded).state).toMatchObject({
    failed: false,
    retryDelayMs: 1000,
    counts: { succeeded: 2, failed: 7, lastSeconds: 0.25 },
  })
})

test('one retry is scheduled at a time, and a load that succeeds cancels it', () => {
  const failing = [requested('schema'), failed, requested('lookup')]
  expect(after(...failing, failed).effects).toEqual([])
  expect(after(...failing, loaded).effects).toEqual([{ kind: 'cancel_retry' }])
})

test('a closed loader retries nothing', () => {
  const closed: LoadEvent = { kind: 'closed' }
  expect(after(requested('schema'), failed, closed).effects).toEqual([{ kind: 'cancel_retry' }])
  expect(after(requested('schema'), closed, failed).effects).toEqual([])
})

test('is ready with a cache, unless it is reloaded or the last load failed', () => {
  const ready = (...events: readonly LoadEvent[]) => isLoadStateReady(after(...events).state)
  expect(ready()).toBe(false)
  expect(ready(requested('schema'), loaded)).toBe(true)
  expect(ready(requested('schema'), loaded, requested('schema'))).toBe(false)
  expect(ready(requested('schema'), loaded, requested('lookup'))).toBe(true)
  expect(ready(requested('schema'), loaded, requested('lookup'), failed)).toBe(false)
})
