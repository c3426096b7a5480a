import { expect, test } from 'vitest'
import { describeHealth, initialState, next, type WorkerState } from './worker-state.ts'

const report = (state: 'starting' | 'up' | 'degraded' | 'off' | 'down', refusedRows = 0) =>
  ({
    kind: 'health',
    health: { name: 'row changes', state, detail: 'As the thread says.', pid: null },
    behindBytes: 10,
    refusedRows,
  }) as const

const heardAt = (nowMs: number, state: Parameters<typeof report>[0] = 'up'): WorkerState =>
  next(initialState, { kind: 'heard', report: report(state), nowMs })

test.each([
  ['one that speaks is as it says', 'up', 60_000, 'up'],
  ['one that falls silent is down after stuck_seconds', 'up', 60_001, 'down'],
  ['one that falls silent while it starts is down as well', 'starting', 60_001, 'down'],
  ['one that falls silent while degraded is down as well', 'degraded', 60_001, 'down'],
  ['one that records nothing stays off', 'off', 90_000, 'off'],
] as const)('of a thread that reads row changes, %s', (_, reported, silentMs, state) => {
  expect(describeHealth(heardAt(1000, reported), 1000 + silentMs, 60_000).state).toBe(state)
})

test('a short stuck_seconds does not take a thread down that is busy or starting', () => {
  const started = next(initialState, { kind: 'started', nowMs: 1000 })
  expect(describeHealth(started, 4000, 300).state).toBe('starting')
  expect(describeHealth(heardAt(1000), 7000, 300)).toMatchObject({
    state: 'down',
    detail: expect.stringContaining('has said nothing for 6 s'),
  })
})

test('what a thread has failed with is not hidden by its silence', () => {
  const ended = next(heardAt(1000), { kind: 'ended', problem: 'out of memory' })
  expect(describeHealth(ended, 100_000, 60_000).detail).toContain('out of memory')
})

test('pauses between starts grow, and begin again when a thread is up', () => {
  let state = next(initialState, { kind: 'ended', problem: '' })
  const pauses = [initialState.pauseMs, state.pauseMs]
  for (let ends = 0; ends < 8; ends += 1) {
    state = next(state, { kind: 'ended', problem: '' })
    pauses.push(state.pauseMs)
  }
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
  expect(next(state, { kind: 'heard', report: report('up'), nowMs: 0 }).pauseMs).toBe(100)
})

test('rows that were refused in a thread that ended are counted on', () => {
  const before = next(initialState, { kind: 'heard', report: report('up', 3), nowMs: 0 })
  const after = next(next(before, { kind: 'ended', problem: '' }), { kind: 'heard', report: report('up', 2), nowMs: 0 })
  expect([after.refusedBefore, after.refusedRows]).toEqual([3, 2])
})
