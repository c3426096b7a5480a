/** What a batch says about the load. */
export interface BatchFacts {
  readonly tookMs: number
  readonly rows: number
  /** Its rows or bytes, whichever is more, as a part of what a batch takes at most. */
  readonly fullness: number
  /** Rows that were appended while it was stored. */
  readonly arrivedRows: number
  /** How long the oldest row has waited. */
  readonly waitsMs: number
  /** How long rows may wait. */
  readonly burstLagMs: number
}

/** Three quarters of the time are left to requests. */
const restFactor = 3

/** What is less than a quarter of a full batch is light traffic, which is shown as soon as it can be. */
const lightFullness = 0.25

/**
 * How long to rest after a batch: while rows keep coming, requests and the engines that store want the same processors.
 * Where storing keeps up in a quarter of the time there is nothing to leave: so too what an earlier process left, with hardly
 * a row behind it. What has waited too long is stored without a rest.
 */
export function restAfterBatch({ tookMs, rows, fullness, arrivedRows, waitsMs, burstLagMs }: BatchFacts): number {
  if (fullness < lightFullness || arrivedRows * (restFactor + 1) < rows) return 0
  return Math.max(0, Math.min(tookMs * restFactor, burstLagMs - waitsMs))
}
