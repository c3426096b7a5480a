import type { Topic } from '../../../ground/model/topic.ts'

/** Counts what happens, and tells when it is more than allowed. */
export interface Rate {
  /** Counts one more; false where that is too many. */
  take(): boolean
}

/**
 * Allows `most` in each stretch of time. A few bytes a rate: there is one for each socket.
 *
 * @param nowMs  milliseconds of a clock that never jumps
 * @param others where processes tell each other of what they have counted, so that the rate is one for all
 */
export function createRate(
  most: number,
  everyMs: number,
  nowMs: () => number,
  others: Topic<number> | null = null,
): Rate {
  let beganAtMs = Number.NEGATIVE_INFINITY
  let taken = 0
  const count = (): boolean => {
    const atMs = nowMs()
    if (atMs - beganAtMs >= everyMs) {
      beganAtMs = atMs
      taken = 0
    }
    taken += 1
    return taken <= most
  }
  others?.hear(count)
  return {
    take() {
      others?.tell(1)
      return count()
    },
  }
}
