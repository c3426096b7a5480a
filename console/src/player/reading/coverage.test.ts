import { expect, test } from 'vitest'
import { layOut, missingAt } from '../timeline.ts'
import { stretchAhead, stretchOfMoment, withMissing } from './coverage.ts'
import { type Outline, type Part, readOutline } from './outline.ts'

const part = (windowId: string, fromMs: number, hasPage = false): Part => ({
  ...{ windowId, messages: 1, fromMs, lastFromMs: fromMs, toMs: fromMs + 900, hasPage, bytes: 1000 },
  tail: `${windowId}${fromMs}`,
  active: hasPage ? null : { fromMs: fromMs + 100, toMs: fromMs + 200 },
})

/** Ten minutes with a page every five, a message every ten seconds; another window for a while. */
const parts = [
  ...Array.from({ length: 60 }, (_, index) => part('a', index * 10_000, index % 30 === 0)),
  part('b', 125_000, true),
  part('b', 127_000),
].toSorted((one, other) => one.fromMs - other.fromMs)
const outline: Outline = { begunMs: 1_000_000, parts }
const only =
  (...tails: readonly string[]) =>
  ({ tail }: Part) =>
    tails.includes(tail)
const nothing = () => false
const until =
  (ms: number) =>
  ({ fromMs }: Part) =>
    fromMs < ms

test('a moment is read from its window’s last whole page on, until its minute ends', () => {
  expect(stretchOfMoment(parts, nothing, { windowId: 'a', atMs: 0 })).toEqual({ fromMs: 0, toMs: 50_001 })
  expect(stretchOfMoment(parts, nothing, { windowId: 'a', atMs: 130_000 })).toEqual({ fromMs: 0, toMs: 170_001 })
  // The address of the page may stand in the message before.
  expect(stretchOfMoment(parts, nothing, { windowId: 'a', atMs: 400_000 })).toEqual({ fromMs: 300_000, toMs: 410_001 })
  // The page is not written down yet.
  expect(stretchOfMoment(parts, nothing, { windowId: 'a', atMs: 300_500 })?.fromMs).toBe(0)
  expect(stretchOfMoment(parts, nothing, { windowId: 'b', atMs: 130_000 })?.fromMs).toBe(125_000)
})

test('of a minute of messages all are read, with that in which the page’s address may stand', () => {
  const minutes = [
    { ...part('a', 0, true) },
    { ...part('a', 10_000), messages: 5, tail: '', lastFromMs: 59_000, toMs: 60_500 },
    { ...part('a', 61_500, true) },
    { ...part('a', 62_000), messages: 5, tail: '', lastFromMs: 119_000, toMs: 119_900 },
  ]
  expect(stretchOfMoment(minutes, nothing, { windowId: 'a', atMs: 70_000 })).toEqual({ fromMs: 61_500, toMs: 119_001 })
  expect(stretchOfMoment(minutes, nothing, { windowId: 'a', atMs: 30_000 })).toEqual({ fromMs: 0, toMs: 59_001 })
  const later = minutes.with(2, { ...part('a', 60_500, true) })
  expect(stretchOfMoment(later, nothing, { windowId: 'a', atMs: 70_000 })).toEqual({ fromMs: 10_000, toMs: 119_001 })
  expect(stretchAhead(minutes, until(5000), { atMs: 0, mostBytes: 1, isOnward: false })).toEqual({
    fromMs: 10_000,
    toMs: 59_001,
  })
})

test('what is here is not read again', () => {
  expect(stretchOfMoment(parts, until(60_000), { windowId: 'a', atMs: 70_000 })).toEqual({
    ...{ fromMs: 60_000, toMs: 110_001 },
  })
  expect(stretchOfMoment(parts, until(120_000), { windowId: 'a', atMs: 70_000 })).toBeNull()
})

test('what comes next is read ahead, within a length, and what lies before at last', () => {
  expect(stretchAhead(parts, until(60_000), { atMs: 0, mostBytes: 3000, isOnward: false })).toEqual({
    fromMs: 60_000,
    toMs: 80_001,
  })
  expect(
    stretchAhead(parts, (one) => one.fromMs >= 60_000, { atMs: 300_000, mostBytes: 100_000, isOnward: false }),
  ).toEqual({ fromMs: 0, toMs: 50_001 })
  expect(stretchAhead(parts, until(60_000), { atMs: 0, mostBytes: 1, isOnward: false })).toEqual({
    fromMs: 60_000,
    toMs: 60_001,
  })
  expect(stretchAhead(parts, () => true, { atMs: 0, mostBytes: 3000, isOnward: false })).toBeNull()
  expect(
    stretchAhead(parts, (one) => one.fromMs >= 60_000, { atMs: 300_000, mostBytes: 100_000, isOnward: true }),
  ).toBeNull()
  // Up to what is here, which would come twice.
  expect(stretchAhead(parts, only('a20000'), { atMs: 0, mostBytes: 100_000, isOnward: false })).toEqual({
    fromMs: 0,
    toMs: 10_001,
  })
})

const meta = (timestamp: number) => ({ type: 4, timestamp, data: { href: 'http://a/', width: 1, height: 1 } })
const page = (timestamp: number) => ({ type: 2, timestamp, data: {} })

test('a window cannot be shown from an absent message on until a page is here whole', () => {
  const startedAt = 5_000_000
  const isHere = (one: Part) => one.windowId === 'a' && (one.fromMs < 60_000 || one.fromMs >= 300_000)
  const events = [meta(startedAt), page(startedAt + 1), meta(startedAt + 300_000), page(startedAt + 300_001)]
  const recording = withMissing({ damaged: 0, windows: [{ windowId: 'a', events }] }, outline, isHere, startedAt)
  const timeline = layOut(recording, startedAt, 0)
  const [a, b] = timeline.windows
  if (a === undefined || b === undefined) throw new Error('A window is not laid out.')
  expect(a.missing).toEqual([{ fromMs: 60_000, toMs: 300_900 }])
  expect([59_999, 60_000, 300_899, 300_900].map((ms) => missingAt(a, ms) !== undefined)).toEqual([
    ...[false, true, true, false],
  ])
  expect(b).toMatchObject({ events: [], playableMs: 125_000, endMs: 127_900, missing: [{ toMs: Infinity }] })
  expect(missingAt(b, 0)).toBeDefined()
  // What is known of the messages says how long it is, who was where, and that nobody was idle.
  expect(timeline.durationMs).toBe(590_900)
  expect(timeline.scenes.map(({ fromMs, recorded }) => [recorded.windowId, fromMs])).toEqual([
    ['a', 0],
    ['b', 125_000],
    ['a', 130_100],
  ])
  const unread = timeline.idle.filter(({ fromMs }) => fromMs > 60_000 && fromMs < 290_000)
  expect(unread).toEqual([])
})

test('an outline’s lists are its messages', () => {
  const { begunMs, parts: read } = readOutline({
    ...{ begunMs: 7, windows: ['a', 'b'], window: [0, 1], tail: ['x', ''], messages: [1, 4], fromMs: [0, 5] },
    ...{ lastFromMs: [0, 8], toMs: [2, 9] },
    ...{ activeFromMs: [null, 6], activeToMs: [null, 8], hasPage: [true, false], bytes: [30, 40] },
  })
  expect(begunMs).toBe(7)
  expect(read).toEqual([
    {
      ...{ windowId: 'a', tail: 'x', messages: 1, fromMs: 0, lastFromMs: 0, toMs: 2, active: null },
      ...{ hasPage: true, bytes: 30 },
    },
    {
      ...{ windowId: 'b', tail: '', messages: 4, fromMs: 5, lastFromMs: 8, toMs: 9, active: { fromMs: 6, toMs: 8 } },
      ...{ hasPage: false, bytes: 40 },
    },
  ])
})
