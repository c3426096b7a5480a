import { expect, test } from 'vitest'
import { clientTime, ticksOf } from './time.ts'

const moment = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

const facts = { nowMs: moment, timestampMs: null, sentAtMs: null, offsetMs: null, ignoreSentAt: false }
const hour = 3_600_000

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
