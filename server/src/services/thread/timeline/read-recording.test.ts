import { afterAll, describe, expect, test } from 'vitest'
import { createThreads } from '../../../engines/threads/index.ts'
import type { RecordedMessage } from '../../../ground/model/recording.ts'
import { createNodeNameReader } from './node-names.ts'
import { createReadRecording } from './read-recording.ts'
import { createRecordingReader } from './rrweb.ts'

const thread = createThreads({ threads: 1 })
afterAll(() => thread.close())

const button = { id: 2, type: 2, tagName: 'button', childNodes: [{ id: 3, type: 3, textContent: 'Send' }] }
const message = (n: number, bytes: number): RecordedMessage => ({
  windowId: 'w',
  offsetMs: 0,
  events: [
    ...(n === 0 ? [{ type: 2, timestamp: 1, data: { node: { id: 1, type: 0, childNodes: [button] } } }] : []),
    { type: 3, timestamp: 10 + n, data: { source: 0, filler: 'x'.repeat(bytes) } },
    { type: 3, timestamp: 10 + n, data: { source: 2, type: 2, id: 2 } },
  ],
})
const recordings: Readonly<Record<string, readonly RecordedMessage[]>> = {
  small: [message(0, 10), message(1, 10)],
  large: Array.from({ length: 30 }, (_, n) => message(n, 100_000)),
  // Some of it is in the thread already when it fails.
  torn: Array.from({ length: 12 }, (_, n) => message(n, 100_000)),
}
const { moments, names } = createReadRecording({
  thread,
  async *messages(sessionId) {
    for (const one of recordings[sessionId] ?? []) yield JSON.stringify(one)
    if (sessionId === 'torn') throw new Error('The engine ended.')
  },
})
const options = { idleGapMs: 1000, limit: 100 }
const budget = { budgetBytes: 1_000_000, moments: 1 }

function readAtOnce(sessionId: string) {
  const [reader, nameReader] = [createRecordingReader(options), createNodeNameReader(budget.budgetBytes)]
  for (const one of recordings[sessionId] ?? []) {
    reader.read(one)
    nameReader.read(one, JSON.stringify(one).length)
  }
  return [reader.recorded(), nameReader.names()]
}

test.each(['small', 'large'])('a %s recording reads alike on the event loop and in a thread', async (sessionId) => {
  expect([await moments(sessionId, options), await names(sessionId, budget)]).toEqual(readAtOnce(sessionId))
})

test('recordings that are read at once do not mix, and one that breaks off leaves the others alone', async () => {
  const outcomes = await Promise.allSettled([
    moments('large', options),
    moments('torn', options),
    names('large', budget),
    moments('large', options),
  ])
  const [recorded, found] = readAtOnce('large')
  expect(outcomes).toMatchObject([{ value: recorded }, { status: 'rejected' }, { value: found }, { value: recorded }])
})

describe('a recording that grows', () => {
  const stored = (n: number, receivedMs: number, bytes = 10) => ({
    windowId: 'a "window',
    tail: String(n).padStart(12, '0'),
    receivedMs,
    offsetMs: 0,
    events: message(n, bytes).events,
  })
  type Stored = ReturnType<typeof stored>

  /** Reads one of which more may be stored, and counts what is read. */
  function growing(first: readonly Stored[]) {
    const all = [...first]
    const asked: number[] = []
    const { moments: read } = createReadRecording({
      thread,
      async *messages(_sessionId, { news }) {
        const wanted = all.filter(
          ({ tail, receivedMs }) =>
            news === undefined || (receivedMs >= news.since.getTime() && !news.known.includes(tail)),
        )
        asked.push(wanted.length)
        for (const one of wanted.sort((left, right) => (left.tail < right.tail ? -1 : 1))) yield JSON.stringify(one)
      },
    })
    const whole = () => {
      const reader = createRecordingReader(options)
      for (const one of [...all].sort((left, right) => (left.tail < right.tail ? -1 : 1))) reader.read(one)
      return reader.recorded()
    }
    return { all, asked, read: () => read('s', options), whole }
  }

  test.each([
    ['on the event loop', 10],
    ['in a thread', 150_000],
  ])('is read on from where it stood, %s', async (_where, bytes) => {
    const { all, asked, read, whole } = growing([
      stored(0, 1000, bytes),
      stored(1, 2000, bytes),
      stored(2, 3000, bytes),
    ])
    expect(await read()).toEqual(whole())
    all.push(stored(3, 3000), stored(4, 4000))
    expect(await read()).toEqual(whole())
    expect(await read()).toEqual(whole())
    all.push(stored(5, 90_000))
    expect(await Promise.all([read(), read()])).toEqual([whole(), whole()])
    expect(asked).toEqual([3, 2, 0, 1, 0])
  })

  test('is read anew where something belongs before what was read', async () => {
    const { all, asked, read, whole } = growing([stored(0, 1000), stored(3, 2000)])
    await read()
    all.push(stored(1, 3000))
    expect(await read()).toEqual(whole())
    expect(asked).toEqual([2, 1, 3])
  })

  test('is read anew in a thread where much is new', async () => {
    const { all, asked, read, whole } = growing([stored(0, 1000)])
    await read()
    all.push(stored(1, 2000, 300_000))
    expect(await read()).toEqual(whole())
    expect(asked).toEqual([1, 1, 2])
  })

  test('of which more arrives at once than can be named is read on nonetheless', async () => {
    const { all, asked, read, whole } = growing(Array.from({ length: 450 }, (_, n) => stored(n, 1000 + n)))
    await read()
    all.push(stored(450, 2000))
    expect(await read()).toEqual(whole())
    expect(asked).toEqual([450, 1])
  })
})
