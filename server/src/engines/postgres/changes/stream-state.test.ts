import { describe, expect, test } from 'vitest'
import { describeHealth, initialState, next, type StreamEvent, type StreamState } from './stream-state.ts'

const first: StreamEvent = { kind: 'readers', count: 1, at: 1000 }
const reading: StreamEvent = { kind: 'reading', slot: 'clew_5', lastGap: null }
const lost: StreamEvent = { kind: 'ended', failure: { permanent: false, reason: 'it broke' }, at: 2000 }

function after(...events: readonly StreamEvent[]): StreamState {
  return events.reduce((state, event) => next(state, event).state, initialState)
}

const effectsOf = (state: StreamState, event: StreamEvent) => next(state, event).effects

describe('a change stream', () => {
  test('connects for its first reader, and for no other', () => {
    expect(effectsOf(initialState, first)).toEqual([{ kind: 'connect' }])
    expect(effectsOf(after(first), { ...first, count: 2 })).toEqual([])
  })

  test('leaves when the last reader has left, and rests after a pause', () => {
    const state = after(first, reading)
    expect(effectsOf(state, { ...first, count: 0 })).toEqual([{ kind: 'leave' }])
    const ended = after(first, reading, { ...first, count: 0 }, { kind: 'ended', failure: null, at: 2000 })
    expect(effectsOf(ended, { kind: 'paused', at: 2100 })).toEqual([])
    expect(next(ended, { kind: 'paused', at: 2100 }).state.health.detail).toBe('Nobody reads row changes.')
  })

  test('connects again for a reader that comes during the pause', () => {
    const state = after(first, reading, { ...first, count: 0 }, { kind: 'ended', failure: null, at: 2000 })
    const again = next(state, first)
    expect(again.effects).toEqual([])
    expect(effectsOf(again.state, { kind: 'paused', at: 2100 })).toEqual([{ kind: 'connect' }])
  })

  test('logs a failure once, and pauses longer each time, at most ten seconds', () => {
    let state = after(first)
    const pauses: number[] = []
    const lines: string[] = []
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const step = next(state, { ...lost, at: state.connectedAt + 1 })
      for (const effect of step.effects) {
        if (effect.kind === 'pause') pauses.push(effect.ms)
        if (effect.kind === 'log') lines.push(effect.line)
      }
      state = next(step.state, { kind: 'paused', at: state.connectedAt + 1 }).state
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
    expect(lines).toEqual(['postgres: Row changes wait: it broke.'])
  })

  test('begins with short pauses again after a connection that lasted', () => {
    const state = after(first, lost, { kind: 'paused', at: 3000 }, reading)
    expect(effectsOf(state, { ...lost, at: 60_000 })).toContainEqual({ kind: 'pause', ms: 50 })
  })

  test('is off where the server does not allow logical decoding, and asks again', () => {
    const step = next(after(first), { kind: 'ended', failure: { permanent: true, reason: 'Set wal_level.' }, at: 1001 })
    expect(step.state.health).toEqual({ state: 'off', detail: 'Set wal_level.' })
    expect(step.effects).toContainEqual({ kind: 'pause', ms: 100 })
  })

  test('does nothing more once it is closed', () => {
    const closed = next(after(first, reading), { kind: 'closed' })
    expect(closed.effects).toEqual([{ kind: 'disconnect' }])
    for (const event of [first, lost, { kind: 'paused', at: 1 } as const, { kind: 'closed' } as const])
      expect(effectsOf(closed.state, event)).toEqual([])
  })
})

describe('its health', () => {
  const now = new Date('2026-01-02T00:00:00Z')
  const progress = { behindBytes: 0, stalledMs: 0, stuckMs: 60_000, now }
  const gapAt = (endedAt: Date) => ({ id: 1, fromLsn: null, toLsn: null, endedAt, reason: 'The slot was dropped.' })

  test('is down while readers settle nothing for too long, and up again when they do', () => {
    const state = after(first, reading)
    expect(describeHealth(state, { ...progress, stalledMs: 60_000 }).state).toBe('up')
    expect(describeHealth(state, { ...progress, stalledMs: 61_000, behindBytes: 5 * 1024 ** 2 })).toEqual({
      state: 'down',
      detail: 'No row change was stored for 61 s. The log is kept for them (5 MiB); look at the health of the engines.',
    })
    expect(describeHealth(state, progress).state).toBe('up')
  })

  test('names the reason why it does not read rather than that nothing is stored', () => {
    expect(describeHealth(after(first, lost), { ...progress, stalledMs: 61_000 }).detail).toContain('it broke')
  })

  test('tells of log that is still to be stored', () => {
    expect(describeHealth(after(first, reading), { ...progress, behindBytes: 20 * 1024 ** 2 }).detail).toContain(
      '20 MiB of the log are still to be stored',
    )
  })

  test('is degraded for a day after changes were missed', () => {
    const withGap = (hours: number) =>
      after(first, { ...reading, lastGap: gapAt(new Date(now.getTime() - hours * 3_600_000)) })
    expect(describeHealth(withGap(23), progress)).toMatchObject({
      state: 'degraded',
      detail: expect.stringContaining('The slot was dropped.'),
    })
    expect(describeHealth(withGap(25), progress).state).toBe('up')
  })
})
