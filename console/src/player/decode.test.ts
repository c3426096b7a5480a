import { gzipSync, strFromU8, strToU8 } from 'fflate'
import { expect, test } from 'vitest'
import ndjson from '../../test/fixtures/two-windows.ndjson?raw'
import { createDecoder } from './decode.ts'
import { eventType, sourceOf } from './recording.ts'

// What posthog-js 1.434 sent for a visit to a small café, in two windows; compressed as it came.
const lines = ndjson.trim().split('\n')

function shifted(line: string, offsetMs: number): string {
  return JSON.stringify({ ...JSON.parse(line), offsetMs })
}

test('compressed snapshots and mutations come out as rrweb’s own', async () => {
  const { windows, damaged } = await createDecoder().add(ndjson)
  expect(damaged).toBe(0)
  expect(windows).toHaveLength(2)
  for (const { events } of windows) {
    const snapshot = events.find((event) => event.type === eventType.fullSnapshot)
    expect(snapshot?.data).toMatchObject({ node: { type: 0 } })
    const mutations = events.filter((event) => sourceOf(event) === 0)
    expect(mutations.length).toBeGreaterThan(0)
    for (const mutation of mutations) expect(mutation.data).toMatchObject({ adds: expect.any(Array) })
  }
})

test('a message that arrived twice is played once', async () => {
  const once = await createDecoder().add(ndjson)
  const twice = await createDecoder().add([...lines, ...lines].join('\n'))
  expect(twice).toEqual(once)
  const resentLater = await createDecoder().add([...lines, ...lines.map((line) => shifted(line, 40))].join('\n'))
  expect(resentLater).toEqual(once)
})

test('messages that arrived out of order are played in order', async () => {
  const ordered = await createDecoder().add(ndjson)
  const { windows } = await createDecoder().add(lines.toReversed().join('\n'))
  for (const { windowId, events } of windows) {
    expect(events.map((event) => event.timestamp)).toEqual(events.map((event) => event.timestamp).toSorted())
    expect(events).toHaveLength(ordered.windows.find((window) => window.windowId === windowId)?.events.length ?? 0)
  }
})

test('times stand on the server’s clock, by the offset least delayed on the way', async () => {
  const [plain] = (await createDecoder().add(ndjson)).windows
  const late = lines.map((line, index) => shifted(line, index === 1 ? 1500 : 1800)).join('\n')
  const [moved] = (await createDecoder().add(late)).windows
  expect(moved?.events.map((event) => event.timestamp)).toEqual(plain?.events.map((event) => event.timestamp + 1500))
})

test('what comes before the first full snapshot is dropped, but for pages and markers', async () => {
  const later = JSON.stringify({
    windowId: 'w',
    offsetMs: 0,
    events: [
      { type: 3, timestamp: 1, data: { source: 2, type: 2, x: 1, y: 1, id: 4 } },
      { type: 4, timestamp: 2, data: { href: 'http://localhost/', width: 800, height: 600 } },
      { type: 5, timestamp: 3, data: { tag: '$pageview', payload: {} } },
      { type: 2, timestamp: 4, data: { node: { type: 0, childNodes: [], id: 1 }, initialOffset: { left: 0, top: 0 } } },
      { type: 3, timestamp: 5, data: { source: 2, type: 2, x: 1, y: 1, id: 4 } },
    ],
  })
  const { windows } = await createDecoder().add(later)
  expect(windows[0]?.events.map((event) => event.timestamp)).toEqual([2, 3, 4, 5])
})

test('what cannot be read is counted and left out; the rest is played', async () => {
  const [first = ''] = lines
  const line = JSON.parse(first)
  line.events.push({ type: 2, timestamp: 5, cv: '2024-10', data: 'no gzip' }, { type: 3, timestamp: 6, cv: '2031-01' })
  const { windows, damaged } = await createDecoder().add(['{"half', JSON.stringify(line)].join('\n'))
  expect(damaged).toBe(3)
  expect(windows[0]?.events.some((event) => event.type === eventType.fullSnapshot)).toBe(true)
})

const gzip = (value: unknown): string => strFromU8(gzipSync(strToU8(JSON.stringify(value))), true)

test('what says that it takes the browser’s memory when it is decompressed is left out', async () => {
  const page = gzip({ node: { type: 0, id: 1, childNodes: [] } })
  const damagedBy = async (data: string): Promise<number> => {
    const events = [{ type: 2, timestamp: 1, cv: '2024-10', data }]
    const line = JSON.stringify({ windowId: 'w', offsetMs: 0, tail: 't', receivedMs: 1, events })
    return (await createDecoder().add(line)).damaged
  }
  expect(await damagedBy(page)).toBe(0)
  expect(await damagedBy(`${page.slice(0, -4)}\xff\xff\xff\xff`)).toBe(1)
  expect(await damagedBy(page.slice(0, 3))).toBe(1)
  expect(await damagedBy('no gzip')).toBe(1)
})

test('while much is read the page goes on', async () => {
  const event = { type: 3, cv: '2024-10', data: { source: 0, adds: gzip('x'.repeat(9000)) } }
  const lines = Array.from({ length: 400 }, (_, n) => {
    const events = Array.from({ length: 20 }, (_, place) => ({ ...event, timestamp: n * 100 + place }))
    return JSON.stringify({ windowId: 'w', offsetMs: 0, tail: String(n), receivedMs: 1, events })
  })
  let turns = 0
  let isRead = false
  const go = (): void => {
    turns += 1
    if (!isRead) setTimeout(go)
  }
  setTimeout(go)
  expect((await createDecoder().add(lines.join('\n'))).damaged).toBe(0)
  isRead = true
  expect(turns).toBeGreaterThan(2)
})

test('an answer that comes while another is read holds what both have', async () => {
  const decoder = createDecoder()
  const [, second] = await Promise.all([decoder.add(ndjson), decoder.add(ndjson)])
  expect(second).toEqual(await createDecoder().add(ndjson))
})

test('what stood in its place before a part came late is the same object after it', async () => {
  const part = (tail: string, ...times: readonly number[]) =>
    JSON.stringify({
      ...{ windowId: 'w', offsetMs: 0, tail, receivedMs: 1 },
      events: times.map((timestamp) => ({ type: timestamp === 1 ? 2 : 3, timestamp, data: { source: 3, tail } })),
    })
  const decoder = createDecoder()
  const [before] = (await decoder.add(part('a', 1, 5, 9))).windows
  const [after] = (await decoder.add(part('b', 7))).windows
  expect(after?.events.map(({ timestamp }) => timestamp)).toEqual([1, 5, 7, 9])
  expect(after?.events.filter((_event, index) => index !== 2)).toEqual(before?.events)
  for (const [index, place] of [0, 1, 3].entries()) expect(after?.events[place]).toBe(before?.events[index])
})

test('a recording that grows is read on, not again', async () => {
  const decoder = createDecoder()
  const before = await decoder.add(lines.slice(0, 2).join('\n'))
  const after = await decoder.add(ndjson)
  expect(after).toEqual(await createDecoder().add(ndjson))
  expect(after.windows[0]?.events[0]?.data).toBe(before.windows[0]?.events[0]?.data)
})

test('a recording that grows is asked for what is new, and comes out as if it had come at once', async () => {
  const stored = lines.map((line, index) =>
    JSON.stringify({
      ...JSON.parse(line),
      tail: String(index).padStart(12, '0'),
      receivedMs: 100_000 + index * 20_000,
    }),
  )
  const whole = await createDecoder().add(stored.join('\n'))
  const decoder = createDecoder()
  expect(decoder.news()).toEqual({})
  await decoder.add(stored[0] ?? '')
  expect(decoder.news()).toEqual({ since: 70_000, known: '000000000000' })
  let grown = whole
  for (const line of stored.slice(1)) grown = await decoder.add(line)
  expect(grown).toEqual(whole)
  const last = stored.length - 1
  const known = [last - 1, last].map((index) => String(index).padStart(12, '0')).join(',')
  expect(decoder.news()).toEqual({ since: 70_000 + last * 20_000, known })
})
