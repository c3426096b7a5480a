import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { giveWay } from './give-way.ts'

/** How often this thread has left a processor by itself. */
const sleeps = (): number =>
  Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))?.[1])

test.runIf(process.platform === 'linux')('long work sleeps again and again, and not at each call', () => {
  const before = sleeps()
  let calls = 0
  for (; calls < 100_000 && sleeps() - before < 20; calls += 1) giveWay()
  expect(sleeps() - before).toBeGreaterThanOrEqual(20)
  for (; calls < 100_000; calls += 1) giveWay()
  expect(sleeps() - before).toBeLessThan(calls / 2)
})
