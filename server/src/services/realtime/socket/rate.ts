/** Counts what happens, and tells when it is more than allowed. */
export interface Rate {
  /** Counts one more; false where that is too many. */
  take(): boolean
}

/**
 * Allows `most` in each stretch of time. A few bytes a rate: there is one for each socket.
 *
 * @param nowMs milliseconds of a clock that never jumps
 */
export function createRate(most: number, everyMs: number, nowMs: () => number): Rate {
  let beganAtMs = Number.NEGATIVE_INFINITY
  let taken = 0
  return {
    take() {
      const atMs = nowMs()
      if (atMs - beganAtMs >= everyMs) {
        beganAtMs = atMs
        taken = 0
      }
      taken += 1
      return taken <= most
    },
  }
}
