import type { Header } from './render/guc.ts'

/** The parts of a request that are timed, in the order of the header. */
export type Lap = 'jwt' | 'parse' | 'plan' | 'transaction' | 'response'

const laps: readonly Lap[] = ['jwt', 'parse', 'plan', 'transaction', 'response']

/** Times the parts of one request. */
export interface Timing {
  /** What has passed since the last lap belongs to this one. */
  lap(name: Lap): void
  /** `Server-Timing` (rest §15), milliseconds with one digit. */
  header(): Header
}

/** Starts the watch. @param now milliseconds that only grow */
export function createTiming(now: () => number): Timing {
  const passed = new Map<Lap, number>()
  let last = now()
  return {
    lap(name) {
      const at = now()
      passed.set(name, (passed.get(name) ?? 0) + at - last)
      last = at
    },
    header: () => ['server-timing', laps.map((name) => `${name};dur=${(passed.get(name) ?? 0).toFixed(1)}`).join(', ')],
  }
}
