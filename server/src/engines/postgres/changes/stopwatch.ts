/** How long something has waited without progress. */
export interface Stopwatch {
  /** To be called when a wait begins and at each step forward; with false when nothing waits any more. */
  progressed(isWaiting: boolean): void
  /** 0 while nothing waits. */
  readonly ms: number
}

/** @param now in milliseconds, on any scale */
export function createStopwatch(now: () => number): Stopwatch {
  let since: number | null = null
  return {
    progressed(isWaiting) {
      since = isWaiting ? now() : null
    },
    get ms() {
      return since === null ? 0 : now() - since
    },
  }
}
