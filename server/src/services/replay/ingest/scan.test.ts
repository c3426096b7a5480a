import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkEvents } from './check.ts'
import { scanEvents } from './scan.ts'
import { summarize } from './summary.ts'

const scan = (text: string) => scanEvents(Buffer.from(`xx${text}yy`), 2, 100)
const event = (type: number, data: unknown, more: object = {}) => ({
  type,
  data,
  timestamp: 1_700_000_000_000,
  ...more,
})

/** What is stored of a list that is scanned is what would have been stored of it parsed. */
function expectTheSame(list: readonly unknown[]): void {
  const text = JSON.stringify(list)
  const scanned = scan(text)
  expect(scanned?.text.toString()).toBe(text)
  expect(scanned?.end).toBe(2 + Buffer.byteLength(text))
  const parsed = checkEvents(list)
  expect(scanned?.events).toHaveLength(parsed.length)
  expect(summarize(scanned?.events ?? [])).toEqual(summarize(parsed))
}

test('what an unchanged posthog-js recorded is read as if it were parsed', async () => {
  const file = new URL('../../../../test/fixtures/recordings/order-form.json', import.meta.url)
  const recorded: { body: unknown }[] = JSON.parse(await readFile(file, 'utf8'))
  const lists = recorded.flatMap(({ body }) =>
    Array.isArray(body) ? body.map((message) => message.properties.$snapshot_data) : [],
  )
  expect(lists.length).toBe(3)
  for (const list of lists) expectTheSame(list)
})

test('clicks, keys, addresses, errors and activity are found', () => {
  const list = [
    event(4, { href: 'https://shop.example/ä', width: 1, height: 2 }),
    event(2, { node: { type: 0, childNodes: [{ source: 5 }] }, initialOffset: {} }),
    event(2, '\u001f\u008b compressed', { cv: '2024-10' }),
    event(3, { source: 2, type: 2, id: 7 }),
    event(3, { source: 2, type: 1, id: 7 }),
    event(3, { source: 5, text: 'type', isChecked: false, id: 9 }),
    event(3, { source: 0, adds: [{ node: { source: 5, type: 2 } }], texts: [] }),
    event(5, { tag: '$pageview', payload: { href: 'https://shop.example/b' } }),
    event(6, { plugin: 'rrweb/console@1', payload: { level: 'error', payload: ['"x"'] } }),
  ]
  expectTheSame(list)
  expect(summarize(scan(JSON.stringify(list))?.events ?? [])).toMatchObject({
    clicks: 1,
    keypresses: 1,
    consoleErrors: 1,
    urls: ['https://shop.example/ä', 'https://shop.example/b'],
    hasFullSnapshot: true,
  })
})

describe('parsing decides where', () => {
  test.each<[title: string, text: string]>([
    ['an event has no type', '[{"timestamp":1,"data":{}}]'],
    ['an event has no time', '[{"type":3,"data":{}}]'],
    ['an event is none', '[null]'],
    ['a time is beyond all dates', '[{"type":3,"data":{},"timestamp":99999999999999999}]'],
    ['a time is a fraction', '[{"type":3,"data":{},"timestamp":1.5}]'],
    ['the data come before the type', '[{"data":{"source":2},"type":3,"timestamp":1}]'],
    ['a source is a text', '[{"type":3,"data":{"source":"2"},"timestamp":1}]'],
    ['a line would be broken', '[{"type":3,"data":{},\n"timestamp":1}]'],
    ['it is nested too deep', `[{"type":3,"data":${'['.repeat(100)}${']'.repeat(100)},"timestamp":1}]`],
    ['it is no JSON', '[{"type":3,"data":{},"timestamp":1}'],
    ['it is no list', '{"type":3}'],
  ])('%s', (_title, text) => {
    expect(scan(text)).toBeNull()
  })
})

test('whatever the data hold, a scanned list says what a parsed one says', () => {
  const data = fc.oneof(
    fc.record({ source: fc.nat(15), type: fc.nat(9), id: fc.nat() }),
    fc.record({ href: fc.webUrl(), source: fc.nat(9) }),
    fc.record({
      tag: fc.constantFrom('$pageview', 'x'),
      payload: fc.record({ href: fc.webUrl(), level: fc.string() }),
    }),
    fc.object({ maxDepth: 3 }),
    fc.string(),
  )
  const list = fc.array(
    fc
      .tuple(fc.nat(8), data, fc.nat(2_000_000_000_000))
      .map(([type, held, timestamp]) => ({ type, data: held, timestamp })),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(list, (events) => {
      const known = JSON.parse(JSON.stringify(events)) as unknown[]
      if (scan(JSON.stringify(known)) !== null) expectTheSame(known)
    }),
    { numRuns: 200 },
  )
})
