/** What a batch says about the load. */
export interface BatchFacts {
  readonly tookMs: number
  readonly rows: number
  /** Its rows or bytes, whichever is more, as a part of those at which a batch is stored at once. */
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
 * A batch takes what came while the one before was stored and in the rest behind it: as many rows as come in four times as
 * long as it takes, or some more. Behind half as many there is a backlog.
 */
const backlogFactor = 2 * (restFactor + 1)

/**
 * How long to rest after a batch: while rows keep coming, requests and the engines that store want the same processors.
 * A backlog with hardly a row behind it, as an earlier process leaves one, is stored without a rest, and so is what has waited too
 * long.
 */
export function restAfterBatch({ tookMs, rows, fullness, arrivedRows, waitsMs, burstLagMs }: BatchFacts): number {
  if (fullness < lightFullness || arrivedRows * backlogFactor < rows) return 0
  return Math.max(0, Math.min(tookMs * restFactor, burstLagMs - waitsMs))
}
