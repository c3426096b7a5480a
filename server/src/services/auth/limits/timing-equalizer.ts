import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { TimingEqualizer } from './limits.ts'

const remembered = 32
/** Until something was measured: a transaction and a mail into the inbox of this machine. */
const guessMs = 12
/** A mail server that hangs is not imitated. */
const maxMs = 2000

/** A clock that never jumps, in milliseconds, and a pause by it. */
export interface Stopwatch {
  readonly elapsed: () => number
  readonly pause: (ms: number) => Promise<unknown>
}

const processStopwatch: Stopwatch = { elapsed: () => performance.now(), pause: (ms) => wait(ms) }

/** The durations of whole calls are stored by kind; a part waits as long as a random one of the last 32. */
export function createTimingEqualizer({ elapsed, pause }: Stopwatch = processStopwatch): TimingEqualizer {
  const durations = new Map<string, number[]>()
  return {
    async measure(kind, action) {
      const startedAt = elapsed()
      const done = await action()
      const known = durations.get(kind) ?? []
      durations.set(kind, [...known.slice(1 - remembered), Math.min(maxMs, elapsed() - startedAt)])
      return done
    },
    async equalize(kind, action) {
      const startedAt = elapsed()
      const done = await action()
      const known = durations.get(kind) ?? []
      // One of the measured ones and not their mean: a constant can be distinguished from a spread.
      const targetMs = known[randomInt(Math.max(1, known.length))] ?? guessMs
      const restMs = targetMs - (elapsed() - startedAt)
      if (restMs > 0) await pause(restMs)
      return done
    },
  }
}
