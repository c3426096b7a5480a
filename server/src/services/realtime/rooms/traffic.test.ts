import { expect, test } from 'vitest'
import { MinuteCount } from './traffic.ts'

test('what happened within a minute is counted, and forgotten with its part of the minute', () => {
  const count = new MinuteCount()
  count.add(2)
  for (let turn = 1; turn < 12; turn += 1) count.turn()
  count.add(3)
  expect(count.total()).toBe(5)
  count.turn()
  expect(count.total()).toBe(3)
  for (let turn = 1; turn < 12; turn += 1) count.turn()
  expect(count.total()).toBe(0)
})
