import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../../ground/model/recording.ts'
import { checkEvents } from './check.ts'
import { summarize } from './summary.ts'

const meta = (timestamp: number, href: string): RecordedEvent => ({ type: 4, timestamp, data: { href } })
const marker = (timestamp: number, tag: string, payload: object = {}): RecordedEvent => ({
  type: 5,
  timestamp,
  data: { tag, payload },
})
const step = (timestamp: number, source: number, more: object = {}): RecordedEvent => ({
  type: 3,
  timestamp,
  data: { source, ...more },
})
const line = (timestamp: number, level: string): RecordedEvent => ({
  type: 6,
  timestamp,
  data: { plugin: 'rrweb/console@1', payload: { level, payload: [] } },
})

test('markers and plugin lines do not lengthen a message, unless it holds nothing else', () => {
  expect(summarize([marker(1, 'sessionIdle'), step(5, 0), step(3, 0), line(9, 'log')])).toMatchObject({
    firstMs: 3,
    lastMs: 5,
  })
  expect(summarize([marker(7, '$session_ending'), line(4, 'log')])).toMatchObject({ firstMs: 4, lastMs: 7 })
})

test('clicks, keystrokes and console errors are counted', () => {
  const events = [
    step(1, 2, { type: 2 }),
    step(2, 2, { type: 1 }),
    step(3, 5),
    step(4, 5),
    line(5, 'error'),
    line(6, 'warn'),
    { type: 6, timestamp: 7, data: { plugin: 'rrweb/network@1', payload: { level: 'error' } } },
  ]
  expect(summarize(events)).toMatchObject({ clicks: 1, keypresses: 2, consoleErrors: 1 })
})

test('stretches of activity end where nothing happens for five seconds; changes of the page are no activity', () => {
  const events = [step(1000, 1), step(3000, 3), step(8001, 1), step(8501, 5), step(12_000, 0)]
  expect(summarize(events)).toMatchObject({ activeMs: 2500, activeFromMs: 1000, activeToMs: 8501 })
  expect(summarize([step(1, 0)])).toMatchObject({ activeMs: 0, activeFromMs: 0, activeToMs: 0 })
})

test('addresses are those of page loads and of changes without one, in order, without repetition in a row', () => {
  const events = [
    marker(3, '$pageview', { href: 'http://a/2' }),
    meta(1, 'http://a/1'),
    marker(2, '$url_changed', { href: 'http://a/2' }),
    marker(4, 'mine', { href: 'http://a/3' }),
    meta(5, 'http://a/1'),
  ]
  expect(summarize(events).urls).toEqual(['http://a/1', 'http://a/2', 'http://a/1'])
})

test('a full snapshot is known, compressed or not', () => {
  expect(summarize([{ type: 2, timestamp: 1, data: '\u001f\u008b' }]).hasFullSnapshot).toBe(true)
  expect(summarize([step(1, 0)]).hasFullSnapshot).toBe(false)
})

test.each([
  [null],
  ['text'],
  [{}],
  [{ type: 3 }],
  [{ type: '3', timestamp: 1 }],
  [{ type: 3, timestamp: -1 }],
  [{ type: 3, timestamp: Number.POSITIVE_INFINITY }],
  [{ type: 1.5, timestamp: 1 }],
])('%j cannot be placed in time', (event) => {
  expect(checkEvents([event, step(1, 0)])).toEqual([step(1, 0)])
})
