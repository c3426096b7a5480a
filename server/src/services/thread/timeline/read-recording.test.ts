import { afterAll, expect, test } from 'vitest'
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
const budget = { budgetBytes: 1_000_000 }

function readAtOnce(sessionId: string) {
  const [reader, nameReader] = [createRecordingReader(options), createNodeNameReader(budget.budgetBytes)]
  for (const one of recordings[sessionId] ?? []) {
    reader.read(one)
    nameReader.read(one)
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
