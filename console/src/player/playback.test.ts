import { expect, test } from 'vitest'
import { createPlayback, type Stage } from './playback.ts'
import { layOut } from './timeline.ts'

const click = (timestamp: number) => ({ type: 3, timestamp, data: { source: 2, type: 2, x: 5, y: 5, id: 3 } })
const snapshot = (timestamp: number) => ({ type: 2, timestamp, data: { node: { type: 0, id: 1 } } })

const timeline = layOut(
  {
    damaged: 0,
    windows: [
      { windowId: 'a', events: [snapshot(0), click(1000), click(60_000)] },
      { windowId: 'b', events: [snapshot(2000), click(3000)] },
    ],
  },
  0,
  62_000,
)

/** @param costMs what it takes to show a picture */
function stand(costMs = 0) {
  let clock = 0
  let pending: readonly { readonly handle: number; readonly step: () => void }[] = []
  let handles = 0
  const shown: string[] = []
  const stage: Stage = {
    show(recorded, atMs, playing) {
      clock += costMs
      shown.push(`${recorded.windowId} ${atMs}${playing ? ' plays' : ''}`)
    },
    extend: () => true,
    setSpeed: () => undefined,
    hold: () => void shown.push('held'),
    reached: () => null,
  }
  const playback = createPlayback(0, {
    now: () => clock,
    request: (step) => {
      handles += 1
      pending = [...pending, { handle: handles, step }]
      return handles
    },
    cancel: (handle) => {
      pending = pending.filter((one) => one.handle !== handle)
    },
  })
  playback.load(timeline)
  playback.attach(stage)
  const pass = (ms: number) => {
    clock += ms
    const due = pending
    pending = []
    for (const { step } of due) step()
  }
  return { playback, shown, pass }
}

test('a seek shows the window of that moment, exactly there', () => {
  const { playback, shown } = stand()
  playback.seek(2500.5)
  expect(shown.at(-1)).toBe('b 2500.5')
  expect(playback.state()).toMatchObject({ nowMs: 2500.5, windowId: 'b', playing: false })
})

test('the playhead follows a pointer at once, and a picture that is quickly drawn with every frame', () => {
  const { playback, shown, pass } = stand()
  for (const ms of [100, 200, 300]) {
    playback.scrub(ms)
    expect(playback.state().nowMs).toBe(ms)
    pass(16)
    expect(shown.at(-1)).toBe(`a ${ms}`)
  }
})

test('a picture that takes long waits until the pointer rests, and is that of where it rests', () => {
  const { playback, shown, pass } = stand(50)
  playback.scrub(100)
  pass(16)
  const before = shown.length
  for (const ms of [200, 300, 400]) {
    playback.scrub(ms)
    pass(16)
  }
  expect(shown).toHaveLength(before)
  pass(100)
  expect(shown.slice(before)).toEqual(['a 400'])
})

test('what plays goes on from where the pointer let it', () => {
  const { playback, shown, pass } = stand()
  playback.play()
  playback.scrub(500)
  pass(16)
  expect(shown.at(-1)).toBe('a 500 plays')
  pass(100)
  expect(playback.state().nowMs).toBe(600)
})

test('a tab that is kept is shown at every moment, until it is let go', () => {
  const { playback, shown } = stand()
  playback.pin('a')
  playback.seek(2500)
  expect(shown.at(-1)).toBe('a 2500')
  playback.pin(null)
  expect(shown.at(-1)).toBe('b 2500')
})

test('playing passes time at its speed and cuts to the other window', () => {
  const { playback, shown, pass } = stand()
  playback.setSpeed(2)
  playback.play()
  pass(900)
  expect(playback.state().nowMs).toBe(1800)
  pass(200)
  expect(shown.at(-1)).toBe('b 2200 plays')
})

test('idle stretches are passed over, or watched when asked', () => {
  const { playback, pass } = stand()
  playback.seek(3000)
  playback.play()
  pass(2000)
  expect(playback.state().nowMs).toBeCloseTo(59_200)
  playback.setSkipIdle(false)
  playback.seek(5000)
  pass(1000)
  expect(playback.state().nowMs).toBe(6000)
})

test('the end stops it; playing again begins at the start', () => {
  const { playback, pass } = stand()
  playback.seek(61_000)
  playback.play()
  pass(2000)
  expect(playback.state()).toMatchObject({ playing: false, nowMs: 62_000 })
  playback.play()
  expect(playback.state()).toMatchObject({ playing: true, nowMs: 0 })
})

test('a seek never leaves the session', () => {
  const { playback } = stand()
  playback.seek(-20)
  expect(playback.state().nowMs).toBe(0)
  playback.seek(999_999)
  expect(playback.state().nowMs).toBe(62_000)
})

test('a link’s moment behind the end is the end, once it is known', () => {
  const playback = createPlayback(999_999, { now: () => 0, request: () => 1, cancel: () => undefined })
  playback.load(layOut({ windows: [], damaged: 0 }, 0, 62_000))
  expect(playback.state().nowMs).toBe(999_999)
  playback.load(timeline)
  expect(playback.state().nowMs).toBe(62_000)
})

test('a recording that is followed is played to its end as it grows, within a second, until something else is done', () => {
  const { playback, pass } = stand()
  const grown = (endMs: number) =>
    layOut({ damaged: 0, windows: [{ windowId: 'a', events: [snapshot(0), click(1000), click(endMs)] }] }, 0, 90_000)
  playback.load(grown(60_000))
  playback.follow()
  // What lies too far back to be played in time is passed over.
  expect(playback.state()).toMatchObject({ following: true, playing: true, nowMs: 59_600 })
  pass(800)
  expect(playback.state()).toMatchObject({ following: true, playing: false, nowMs: 60_000 })
  playback.load(grown(64_000))
  pass(200)
  expect(playback.state().nowMs).toBeCloseTo(62_000)
  pass(200)
  expect(playback.state()).toMatchObject({ following: true, playing: false, nowMs: 64_000 })
  playback.seek(1000)
  playback.load(grown(66_000))
  expect(playback.state()).toMatchObject({ following: false, playing: false, nowMs: 1000 })
  playback.play()
  pass(500)
  expect(playback.state().nowMs).toBe(1500)
})

const partly = (missing: readonly { fromMs: number; toMs: number }[]) => {
  const [a] = timeline.windows
  if (a === undefined) throw new Error('There is no window.')
  const recorded = { ...a, missing }
  return { ...timeline, windows: [recorded], scenes: [{ recorded, fromMs: 0, toMs: 62_000 }], idle: [] }
}

test('a moment that is not here is waited for, the last picture staying, and shown when it came', () => {
  const { playback, shown } = stand()
  playback.load(partly([{ fromMs: 10_000, toMs: 40_000 }]))
  playback.seek(5000)
  playback.seek(20_000)
  expect(playback.state()).toMatchObject({ nowMs: 20_000, waiting: true })
  expect(shown.slice(-2)).toEqual(['a 5000', 'held'])
  playback.load(partly([{ fromMs: 10_000, toMs: 15_000 }]))
  expect(playback.state()).toMatchObject({ nowMs: 20_000, waiting: false })
  expect(shown.at(-1)).toBe('a 20000')
})

test('what plays stops where the recording is not here, and goes on once it is', () => {
  const { playback, shown, pass } = stand()
  playback.load(partly([{ fromMs: 1000, toMs: 40_000 }]))
  playback.play()
  pass(900)
  expect(playback.state()).toMatchObject({ nowMs: 900, waiting: false })
  pass(200)
  expect(playback.state()).toMatchObject({ playing: true, waiting: true })
  const { nowMs } = playback.state()
  pass(5000)
  expect(playback.state().nowMs).toBe(nowMs)
  playback.load(partly([]))
  expect(shown.at(-1)).toBe(`a ${nowMs} plays`)
  pass(300)
  expect(playback.state()).toMatchObject({ nowMs: nowMs + 300, playing: true, waiting: false })
})
