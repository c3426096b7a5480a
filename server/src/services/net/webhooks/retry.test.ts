import { expect, test } from 'vitest'
import type { Outcome } from '../calls/call.ts'
import { planNextStep } from './retry.ts'

const now = new Date('2026-01-01T00:00:00Z')
const options = { attempts: 6, backoffMs: 5000 }
const answered = (status: number, headers: Record<string, string> = {}): Outcome => ({
  kind: 'response',
  status,
  headers,
  contentType: null,
  content: '',
})
const failed = (kind: Exclude<Outcome['kind'], 'response'>): Outcome => ({ kind, message: '' })
const secondsUntil = (outcome: Outcome, attempt: number): number | string => {
  const next = planNextStep(outcome, attempt, options, now)
  return next.state === 'waiting' ? (next.at.getTime() - now.getTime()) / 1000 : next.state
}

test.for([200, 201, 204, 299])('%s delivers', (status) => {
  expect(secondsUntil(answered(status), 1)).toBe('delivered')
})

test.for([300, 304, 400, 401, 404, 410, 422])('%s would not change by repetition', (status) => {
  expect(secondsUntil(answered(status), 1)).toBe('failed')
})

test.for(['refused', 'too large'] as const)('what is %s is not attempted again', (kind) => {
  expect(secondsUntil(failed(kind), 1)).toBe('failed')
})

test.for([
  [answered(500), 1, 5],
  [answered(503), 2, 20],
  [answered(429), 3, 80],
  [answered(408), 4, 320],
  [failed('timeout'), 5, 1280],
  [failed('connection'), 6, 'failed'],
  [answered(503, { 'Retry-After': '60' }), 1, 60],
  [answered(503, { 'retry-after': '1' }), 2, 20],
  [answered(503, { 'retry-after': '999999999' }), 1, 21_600],
  [answered(503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), 1, 5],
  [failed('stopped'), 6, 0],
] as const)('case %#: the next attempt is after so many seconds', ([outcome, attempt, expected]) => {
  expect(secondsUntil(outcome, attempt)).toBe(expected)
})
