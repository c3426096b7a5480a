import { expect, test, vi } from 'vitest'
import type { RecordingNews } from '../decode.ts'
import type { Stretch } from '../recording.ts'
import { layOut, missingAt } from '../timeline.ts'
import type { RecordingClock } from './held.ts'
import type { Outline, Part } from './outline.ts'
import { createReader } from './reader.ts'

const begunMs = 1_000_000
const offsetMs = 500
const minuteMs = 60_000

/** A quarter of an hour with a page every five minutes, two messages a minute. */
const parts = Array.from({ length: 30 }, (_, index): Part => {
  const fromMs = index * 30_000
  const tail = String(index).padStart(12, '0')
  const times = { fromMs, lastFromMs: fromMs, toMs: fromMs + 1000, active: null }
  return { windowId: 'a', tail, messages: 1, ...times, hasPage: index % 10 === 0, bytes: 40_000 }
})
const line = ({ windowId, tail, fromMs, hasPage }: Part): string =>
  JSON.stringify({
    ...{ windowId, tail, offsetMs, receivedMs: begunMs + fromMs },
    events: hasPage
      ? [
          { type: 4, timestamp: begunMs + fromMs, data: { href: 'http://a/', width: 1, height: 1 } },
          { type: 2, timestamp: begunMs + fromMs + 1, data: {} },
        ]
      : [{ type: 3, timestamp: begunMs + fromMs, data: { source: 3, text: 'x'.repeat(1000) } }],
  })
const linesOf = ({ fromMs, toMs }: Stretch): string =>
  parts
    .filter((part) => part.fromMs >= fromMs && part.fromMs < toMs)
    .map(line)
    .join('\n')

interface StandOptions {
  readonly keeps?: number
  readonly outline?: Outline
  /** What is shown first. */
  readonly first?: Stretch
}

/** A server that answers when a test lets it. */
function stand({ keeps, outline = { begunMs, parts }, first = { fromMs: 0, toMs: minuteMs } }: StandOptions = {}) {
  const reads: {
    stretch: Stretch
    clock?: RecordingClock | undefined
    answer: () => void
    fail: () => void
    signal: AbortSignal
  }[] = []
  const reader = createReader(
    {
      isFromStart: first.fromMs === 0,
      first: async () => linesOf(first),
      outline: async () => outline,
      read: (stretch, clock, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          reads.push({
            ...{ stretch, clock, signal },
            answer: () => resolve(linesOf(stretch)),
            fail: () => reject(new Error('It is gone.')),
          })
        }),
      news: async (asked) => {
        news.asked.push(asked)
        return news.lines
      },
    },
    ...(keeps === undefined ? [] : [keeps]),
  )
  /** What is new, when it is asked for. */
  const news: { lines: string; readonly asked: RecordingNews[] } = { lines: '', asked: [] }
  reader.open()
  const isShownAt = (ms: number): boolean => {
    const { recording } = reader.state()
    const [window] = recording === null ? [] : layOut(recording, begunMs + offsetMs, 0).windows
    return window !== undefined && missingAt(window, ms) === undefined
  }
  const follow = (ms: number, playing = false, isGrowing = false) =>
    reader.follow({ atMs: begunMs + offsetMs + ms, windowId: 'a', playing, isGrowing })
  const arrives = (...arrived: readonly Part[]) => {
    news.lines = arrived.map(line).join('\n')
    return reader.grow(new AbortController().signal)
  }
  return { reader, reads, news, isShownAt, follow, arrives }
}

const minutesOf = ({ fromMs, toMs }: Stretch): readonly number[] => [fromMs / minuteMs, Math.ceil(toMs / minuteMs)]

test('the first minute is here before anything else is read; what comes next is read when it was drawn', async () => {
  const { isShownAt, reads, follow, reader } = stand()
  await expect.poll(() => isShownAt(20_000)).toBe(true)
  expect(isShownAt(70_000)).toBe(false)
  expect(reads).toEqual([])
  follow(0)
  await expect.poll(() => reads.length).toBe(1)
  expect(minutesOf(reads[0]?.stretch ?? { fromMs: 0, toMs: 0 })).toEqual([1, 4])
  // The server need not look for what it said before.
  expect(reads[0]?.clock).toEqual({ begunMs, offsetMs })
  reads[0]?.answer()
  await expect.poll(() => isShownAt(190_000)).toBe(true)
  reader.close()
})

test('a minute that is sought is read at once, from its last page on, before what was read ahead', async () => {
  const { isShownAt, reads, follow, reader } = stand()
  await expect.poll(() => reader.state().recording).not.toBeNull()
  follow(0)
  await expect.poll(() => reads.length).toBe(1)
  follow(13.5 * minuteMs)
  await expect.poll(() => reads.length).toBe(2)
  expect(reads[0]?.signal.aborted).toBe(true)
  expect(minutesOf(reads[1]?.stretch ?? { fromMs: 0, toMs: 0 })).toEqual([10, 14])
  reads[1]?.answer()
  await expect.poll(() => isShownAt(13.5 * minuteMs)).toBe(true)
  expect(isShownAt(9 * minuteMs)).toBe(false)
  expect(reader.state().error).toBeNull()
  reader.close()
})

test('all of it is here at last, and nothing more is asked for', async () => {
  const { isShownAt, reads, follow, reader } = stand()
  follow(0)
  for (let answered = 0; !(isShownAt(14 * minuteMs) && isShownAt(5 * minuteMs)); answered += 1) {
    await expect.poll(() => reads.length).toBe(answered + 1)
    reads[answered]?.answer()
    const before = reader.state()
    await expect.poll(() => reader.state()).not.toBe(before)
  }
  const { length } = reads
  follow(60_000, true)
  expect(reads).toHaveLength(length)
  const { recording } = reader.state()
  expect(recording?.windows[0]?.events.map(({ timestamp }) => timestamp)).toHaveLength(parts.length + 3)
  reader.close()
})

test('a minute that cannot be read is said, and read on demand', async () => {
  const { isShownAt, reads, follow, reader } = stand()
  follow(0)
  await expect.poll(() => reads.length).toBe(1)
  reads[0]?.fail()
  await expect.poll(() => reader.state().error?.message).toBe('It is gone.')
  expect(isShownAt(20_000)).toBe(true)
  follow(90_000)
  expect(reads).toHaveLength(1)
  reader.retry()
  await expect.poll(() => reads.length).toBe(2)
  expect(reader.state().error).toBeNull()
  reads[1]?.answer()
  await expect.poll(() => isShownAt(90_000)).toBe(true)
  reader.close()
})

test('of a long recording what lies furthest away is given up, and read again when it is sought', async () => {
  const keeps = 9000
  const { isShownAt, reads, follow, reader } = stand({ keeps })
  let answered = 0
  const answerAll = async (isDone: () => boolean) => {
    while (!isDone()) {
      await expect.poll(() => isDone() || reads.length > answered).toBe(true)
      for (; answered < reads.length; answered += 1) reads[answered]?.answer()
    }
  }
  const seek = async (ms: number) => {
    follow(ms)
    await answerAll(() => isShownAt(ms))
  }
  await seek(1 * minuteMs)
  await seek(14 * minuteMs)
  expect(isShownAt(20_000)).toBe(false)
  await seek(20_000)
  expect(isShownAt(14 * minuteMs)).toBe(false)
  const kept = reader.state().recording?.windows[0]?.events ?? []
  expect(JSON.stringify(kept).length).toBeLessThan(keeps * 1.5)
  reader.close()
})

test('a message that is gone is not asked for again', async () => {
  const gone: Part = { ...(parts[1] as Part), tail: 'f'.repeat(12), fromMs: 65_000, lastFromMs: 65_000, toMs: 66_000 }
  const all = [...parts, gone].toSorted((one, other) => one.fromMs - other.fromMs)
  const { isShownAt, reads, follow, reader } = stand({ outline: { begunMs, parts: all } })
  follow(70_000)
  await expect.poll(() => reads.length).toBe(1)
  reads[0]?.answer()
  await expect.poll(() => isShownAt(70_000)).toBe(true)
  reader.close()
})

test('a recording that is known by its minutes is read by them, and its first minute once', async () => {
  const minutes = parts.flatMap((part, index): readonly Part[] => {
    const next = parts[index + 1]
    if (part.hasPage) return [part]
    if (index % 2 === 1) return parts[index - 1]?.hasPage ? [part] : []
    return [{ ...part, tail: '', messages: 2, lastFromMs: next?.fromMs ?? 0, toMs: next?.toMs ?? 0, bytes: 80_000 }]
  })
  expect(minutes.length).toBeLessThan(20)
  const { isShownAt, reads, follow, reader } = stand({ keeps: 9000, outline: { begunMs, parts: minutes } })
  let answered = 0
  const seek = async (ms: number) => {
    follow(ms)
    while (!isShownAt(ms)) {
      await expect.poll(() => isShownAt(ms) || reads.length > answered).toBe(true)
      for (; answered < reads.length; answered += 1) reads[answered]?.answer()
    }
  }
  await expect.poll(() => isShownAt(20_000)).toBe(true)
  follow(0)
  await expect.poll(() => reads.length).toBe(1)
  expect(reads[0]?.stretch.fromMs).toBe(minuteMs)
  await seek(12.5 * minuteMs)
  expect(isShownAt(3.5 * minuteMs)).toBe(false)
  await seek(3.5 * minuteMs)
  expect(isShownAt(12.5 * minuteMs)).toBe(false)
  await seek(12.5 * minuteMs)
  reader.close()
})

/** A message of a minute that lies behind the end of `parts`. */
const later = (minute: number, hasPage = false): Part => ({
  ...(parts[1] as Part),
  ...{ tail: String(1000 + minute).padStart(12, '0'), hasPage },
  ...{ fromMs: minute * minuteMs, lastFromMs: minute * minuteMs, toMs: minute * minuteMs + 1000 },
})

test('of a recording that grows its last page is read, then what is new, and a minute before when it is sought', async () => {
  const { isShownAt, reads, news, follow, arrives, reader } = stand({
    first: { fromMs: 10 * minuteMs, toMs: Infinity },
  })
  await expect.poll(() => isShownAt(14 * minuteMs)).toBe(true)
  const atEnd = (ms: number) => follow(ms, true, true)
  atEnd(14 * minuteMs)
  await arrives()
  for (const minute of [15, 16, 17]) {
    await arrives(later(minute))
    atEnd(minute * minuteMs)
    expect(isShownAt(minute * minuteMs)).toBe(true)
  }
  expect(news.asked.at(-1)?.known?.split(',')).toEqual([later(16).tail])
  expect(reads).toEqual([])
  expect(isShownAt(7 * minuteMs)).toBe(false)

  follow(7 * minuteMs, false, true)
  await expect.poll(() => reads.length).toBe(1)
  expect(minutesOf(reads[0]?.stretch ?? { fromMs: 0, toMs: 0 })).toEqual([5, 8])
  reads[0]?.answer()
  await expect.poll(() => isShownAt(7 * minuteMs)).toBe(true)
  await arrives(later(18))
  expect(isShownAt(18 * minuteMs)).toBe(true)
  reader.close()
})

test('of a recording that grows no more is kept than of another, and what is given up is read again', async () => {
  const keeps = 12_000
  const { isShownAt, reads, follow, arrives, reader } = stand({
    keeps,
    first: { fromMs: 10 * minuteMs, toMs: Infinity },
  })
  await expect.poll(() => isShownAt(14 * minuteMs)).toBe(true)
  const lengths: number[] = []
  for (let minute = 15; minute < 40; minute += 1) {
    follow((minute - 1) * minuteMs, true, true)
    await arrives(later(minute, minute % 5 === 0))
    expect(isShownAt(minute * minuteMs)).toBe(true)
    lengths.push(JSON.stringify(reader.state().recording?.windows[0]?.events).length)
  }
  expect(Math.max(...lengths)).toBeLessThan(keeps * 1.5)
  expect(isShownAt(12 * minuteMs)).toBe(false)
  expect(reads).toEqual([])
  follow(17 * minuteMs, false, true)
  await expect.poll(() => reads.length).toBe(1)
  expect(minutesOf(reads[0]?.stretch ?? { fromMs: 0, toMs: 0 })).toEqual([15, 18])
  reader.close()
})

test('what is read ahead ends when no more may be kept', async () => {
  const { reads, follow, reader } = stand({ keeps: 9000 })
  follow(0)
  await expect.poll(() => reads.length).toBe(1)
  let answered = 0
  await vi.waitFor(async () => {
    for (; answered < reads.length && answered < 100; answered += 1) reads[answered]?.answer()
    const asked = reads.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (reads.length !== asked && reads.length < 100) throw new Error('More is read.')
  }, 10_000)
  expect(reads.length).toBeLessThan(parts.length)
  reader.close()
})
