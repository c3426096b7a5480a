import { expect, test } from 'vitest'
import { clientTime, correctTime, parseInstant, ticksOf } from './time.ts'

const moment = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

test.each<[unknown, number | null]>([
  ['2026-01-02T03:04:05.678Z', moment],
  ['2026-01-02T05:04:05.678+02:00', moment],
  ['2026-01-02T05:04:05.678+02', moment],
  ['2026-01-02T05:04:05.678+0200', moment],
  ['2026-01-02T03:04:05.678', moment],
  ['2026-01-02 03:04:05.678', moment],
  ['2026-01-02', Date.UTC(2026, 0, 2)],
  [moment, moment],
  [String(moment), moment],
  [moment / 1000, moment],
  [1_767_323_045, 1_767_323_045_000],
  ['yesterday', null],
  ['', null],
  [null, null],
  [{}, null],
])('%j is read as %j', (value, expected) => {
  expect(parseInstant(value)).toBe(expected)
})

const facts = { nowMs: moment, timestampMs: null, sentAtMs: null, offsetMs: null, ignoreSentAt: false }
const hour = 3_600_000

test.each<[string, Partial<typeof facts> | object, number]>([
  ['nothing said: our receipt', {}, moment],
  ['a clock an hour ahead', { timestampMs: moment + hour - 500, sentAtMs: moment + hour }, moment - 500],
  ['a timestamp alone', { timestampMs: moment - hour }, moment - hour],
  ['a sending time to be ignored', { timestampMs: moment - 5, sentAtMs: moment - 1, ignoreSentAt: true }, moment - 5],
  ['an offset', { offsetMs: 2_000 }, moment - 2_000],
  ['more than 23 hours ahead', { timestampMs: moment + 24 * hour }, moment],
  ['22 hours ahead', { timestampMs: moment + 22 * hour }, moment + 22 * hour],
  ['before year 0', { timestampMs: -70_000_000_000_000 }, 0],
])('time of %s', (_what, claimed, expected) => {
  expect(correctTime({ ...facts, ...claimed })).toBe(expected)
})

test('the client’s own time is the same in every resend', () => {
  const uuid = '019b7c1d-2a2e-7000-8000-000000000000'
  const later = { ...facts, nowMs: moment + hour }
  expect(clientTime({ ...facts, timestampMs: 5 }, uuid)).toBe(clientTime({ ...later, timestampMs: 5 }, uuid))
  expect(clientTime({ ...facts, offsetMs: 10, sentAtMs: 50 }, uuid)).toBe(40)
  expect(clientTime(facts, uuid)).toBe(clientTime(later, uuid))
  expect(clientTime(facts, uuid)).toBe(0x019b7c1d2a2e)
})

test('moments that ClickHouse cannot hold are clamped', () => {
  expect(ticksOf(moment)).toBe(moment)
  expect(ticksOf(moment + 0.5)).toBe(moment)
  expect(ticksOf(-62_000_000_000_000)).toBe(Date.UTC(1900, 0, 1))
  expect(ticksOf(200_000_000_000_000)).toBe(Date.UTC(2300, 0, 1) - 1)
})
