import { expect, test } from 'vitest'
import { parseDuration } from './duration.ts'

test.each([
  ['24h', 86_400_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['-1m', -60_000],
  ['+2ms', 2],
  ['0', 0],
])('%s is a duration', (raw, ms) => expect(parseDuration(raw)).toBe(ms))

test.each(['', '1', 'h', '1d', '1h 30m', 'none', '99999999999h', '1h30'])('%s is none', (raw) =>
  expect(parseDuration(raw)).toBeUndefined(),
)
