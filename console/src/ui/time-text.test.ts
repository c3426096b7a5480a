import { expect, test } from 'vitest'
import { formatClock, formatDuration, formatOffset, formatRelative } from './time-text.ts'

test.each([
  [0, '0:00'],
  [40_960, '0:40'],
  [252_000, '4:12'],
  [3_723_000, '1:02:03'],
  [-20, '0:00'],
])('%d ms into a session is %s', (ms, text) => {
  expect(formatOffset(ms)).toBe(text)
})

test('a moment is not shown before it is reached', () => {
  expect(formatOffset(40_999, { tenths: true })).toBe('0:40.9')
})

test.each([
  [0, '0 ms'],
  [3.14, '3.1 ms'],
  [18.4, '18 ms'],
  [999.6, '1.0 s'],
  [59_980, '1 m 0 s'],
  [252_000, '4 m 12 s'],
  [7_500_000, '2 h 5 m'],
])('%d ms takes %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  [2_000, 'just now'],
  [59_900, '59 s ago'],
  [180_000, '3 min ago'],
  [-90_000, 'in 1 min'],
  [-3 * 86_400_000, 'in 3 d'],
  [26 * 3_600_000, 'Fri 10:00'],
  [3 * 86_400_000, 'Wed 12:00'],
  [8 * 86_400_000, new Date(2026, 0, 2).toLocaleDateString(undefined, { dateStyle: 'medium' })],
])('%d ms ago reads %s', (ms, text) => {
  const now = new Date(2026, 0, 10, 12)
  expect(formatRelative(new Date(now.getTime() - ms), now)).toBe(text)
})

test.each([
  [new Date(2026, 0, 10, 9, 5, 7, 41), '09:05:07.041'],
  [new Date(2026, 0, 9, 17, 41, 9, 5), 'Fri 17:41:09'],
  [new Date(2025, 10, 20, 17, 41, 9, 5), '20 Nov 17:41'],
])('of %s the clock reads %s', (at, text) => {
  expect(formatClock(at, new Date(2026, 0, 10, 12))).toBe(text)
})
