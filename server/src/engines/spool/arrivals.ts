import { isBefore, type Position } from './segments/segments.ts'

/** When the records that wait were committed, to a tenth of a second: the age of the oldest is how far storing is behind. */
export interface Arrivals {
  /** Everything up to `end` has been committed. */
  note(end: Position, nowMs: number): void
  /** Everything before `done` has been stored. */
  forget(done: Position): void
  /** Null when nothing waits. */
  oldestMs(): number | null
}

const grainMs = 100

/** One entry for each tenth of a second whose records still wait. */
export function createArrivals(): Arrivals {
  let waiting: { readonly atMs: number; end: Position }[] = []
  return {
    note(end, nowMs) {
      const latest = waiting.at(-1)
      if (latest !== undefined && nowMs - latest.atMs < grainMs) latest.end = end
      else waiting.push({ atMs: nowMs, end })
    },
    forget(done) {
      waiting = waiting.filter(({ end }) => isBefore(done, end))
    },
    oldestMs: () => waiting[0]?.atMs ?? null,
  }
}
