import { expect, onTestFinished, test, vi } from 'vitest'
import { createBurst, type Why } from './burst.ts'

test('many notifications are two acts: the first at once, the last when it is quiet, with all that was asked', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const acts: Why[] = []
  const burst = createBurst((why) => acts.push(why), 100)
  for (const why of ['schema', 'config', 'schema'] as const) {
    burst.notified(why)
    vi.advanceTimersByTime(50)
  }
  expect(acts).toEqual(['schema'])
  vi.advanceTimersByTime(50)
  expect(acts).toEqual(['schema', 'config'])
  vi.advanceTimersByTime(1000)
  expect(acts).toHaveLength(2)
  burst.notified('schema')
  burst.stop()
  vi.advanceTimersByTime(1000)
  expect(acts).toEqual(['schema', 'config', 'schema'])
})
