import { expect, test } from 'vitest'
import ndjson from '../../test/fixtures/two-windows.ndjson?raw'
import { createDecoder } from './decode.ts'
import type { RecordedEvent, Recording } from './recording.ts'
import { idleAt, layOut, sceneAt } from './timeline.ts'

const snapshot = (timestamp: number): RecordedEvent => ({ type: 2, timestamp, data: { node: { type: 0, id: 1 } } })
const click = (timestamp: number): RecordedEvent => ({
  type: 3,
  timestamp,
  data: { source: 2, type: 2, x: 5, y: 5, id: 3 },
})
const marker = (timestamp: number): RecordedEvent => ({ type: 5, timestamp, data: { tag: 'sessionIdle', payload: {} } })
const recording = (windows: Readonly<Record<string, RecordedEvent[]>>): Recording => ({
  windows: Object.entries(windows).map(([windowId, events]) => ({ windowId, events })),
  damaged: 0,
})

test('the window that the person works in is the one that is shown', () => {
  const timeline = layOut(
    recording({
      a: [snapshot(1000), click(2000), click(9000)],
      b: [snapshot(4000), click(5000)],
    }),
    1000,
    9000,
  )
  const shown = [0, 2900, 3000, 7900, 8000, 9000].map((atMs) => sceneAt(timeline, atMs)?.recorded.windowId)
  expect(shown).toEqual(['a', 'a', 'b', 'b', 'a', 'a'])
})

test('a stretch without a person in it is idle; markers do not interrupt it', () => {
  const timeline = layOut(recording({ a: [snapshot(0), click(1000), marker(9000), click(61_000)] }), 0, 65_000)
  expect(timeline.idle).toEqual([{ fromMs: 1000, toMs: 61_000 }])
  expect(idleAt(timeline, 30_000)).toBeDefined()
  expect(idleAt(timeline, 62_000)).toBeUndefined()
})

test('markers written late do not prolong a session', () => {
  const timeline = layOut(recording({ a: [snapshot(0), click(1000), marker(400_000)] }), 0, 0)
  expect(timeline.durationMs).toBe(1000)
})

test('a window without a full snapshot has no picture', () => {
  const timeline = layOut(recording({ a: [marker(0), marker(10)] }), 0, 5000)
  expect(timeline.windows).toEqual([])
  expect(sceneAt(timeline, 10)).toBeUndefined()
  expect(timeline.idle).toEqual([])
})

test('a real visit: menu, then a second window, then the first again', async () => {
  const { windows } = await createDecoder().add(ndjson)
  const startedAt = Math.min(...windows.flatMap((window) => window.events.map((event) => event.timestamp)))
  const timeline = layOut({ windows, damaged: 0 }, startedAt, 0)
  const [first, second] = timeline.windows
  expect(timeline.scenes.map((scene) => scene.recorded)).toEqual([first, second, first])
  expect(timeline.scenes[0]?.fromMs).toBe(0)
  expect(timeline.scenes.at(-1)?.toMs).toBe(timeline.durationMs)
})
