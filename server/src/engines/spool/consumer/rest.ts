/** What a full batch says about the load. */
export interface BatchFacts {
  readonly tookMs: number
  readonly rows: number
  /** Rows that were appended while it was stored. */
  readonly arrivedRows: number
  /** How long the oldest row has waited. */
  readonly waitsMs: number
  /** How long rows may wait. */
  readonly burstLagMs: number
}

/** Three quarters of the time are left to requests. */
const restFactor = 3

/**
 * How long to rest after a full batch: while rows keep coming, requests and the engines that store want the same processors.
 * What an earlier process left, with hardly a row behind it, is stored without a rest, and so is what has waited too long.
 */
export function restAfterBatch({ tookMs, rows, arrivedRows, waitsMs, burstLagMs }: BatchFacts): number {
  if (arrivedRows * 2 < rows) return 0
  return Math.max(0, Math.min(tookMs * restFactor, burstLagMs - waitsMs))
}
