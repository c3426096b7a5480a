import { expect, onTestFinished, test, vi } from 'vitest'
import { createDebounce, type ReloadScope } from './debounce.ts'

test('a series of notifications causes two reloads: one at once, one of the widest scope when it is quiet', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const reloads: ReloadScope[] = []
  const debounce = createDebounce((scope) => reloads.push(scope), 100)
  for (const scope of ['schema', 'config', 'schema'] as const) {
    debounce.notified(scope)
    vi.advanceTimersByTime(50)
  }
  expect(reloads).toEqual(['schema'])
  vi.advanceTimersByTime(50)
  expect(reloads).toEqual(['schema', 'config'])
  vi.advanceTimersByTime(1000)
  expect(reloads).toHaveLength(2)
  debounce.notified('schema')
  debounce.stop()
  vi.advanceTimersByTime(1000)
  expect(reloads).toEqual(['schema', 'config', 'schema'])
})
