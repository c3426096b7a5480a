const growth = 4
const longestMs = 6 * 3_600_000

/**
 * How long to wait after a failed attempt: four times as long after each, six hours at most.
 *
 * @param attempt the number of the one that failed, from 1
 * @param firstMs the wait after the first
 * @param leastMs what the receiver asked for
 */
export const backoffMs = (attempt: number, firstMs: number, leastMs = 0): number =>
  Math.min(Math.max(firstMs * growth ** (attempt - 1), leastMs), longestMs)
