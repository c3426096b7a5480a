import { expect, onTestFinished, test, vi } from 'vitest'
import { createProgress } from './progress.ts'

function open(isTerminal: boolean) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const [painted, logged]: [string[], string[]] = [[], []]
  const progress = createProgress({
    isTerminal,
    paint: (line) => painted.push(line),
    log: (line) => logged.push(line),
  })
  return { painted, logged, progress }
}

test('a terminal is shown every step, in place', () => {
  const { painted, logged, progress } = open(true)
  for (const line of ['  1 row', '  2 rows', '']) progress(line)
  expect({ painted, logged }).toEqual({ painted: ['  1 row', '  2 rows', ''], logged: [] })
})

test('a log has a line of a long command now and then, and none of a short one', () => {
  const { painted, logged, progress } = open(false)
  progress('  rows of orders')
  vi.advanceTimersByTime(20_000)
  expect(logged).toEqual([])
  progress('  rows of products')
  // One step may go on for long.
  vi.advanceTimersByTime(50_000)
  expect(logged).toEqual(['rows of products', 'rows of products'])
  progress('')
  vi.advanceTimersByTime(100_000)
  expect({ painted, logged }).toEqual({ painted: [], logged: ['rows of products', 'rows of products'] })
})
