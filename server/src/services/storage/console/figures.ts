/** The number and the bytes of a bucket's objects. */
export interface BucketFigures {
  readonly objects: number
  readonly sizeBytes: number
}

/** Figures by the bucket's id; one without objects is not there. */
export type FiguresByBucket = ReadonlyMap<string, BucketFigures>

/** Counting that is quicker is repeated each time. */
const quickMs = 200
/** Counting may take this share of the time: a fiftieth. */
const keptTimes = 50

/**
 * Counts objects no more often than the count is worth: each open console asks for it every few seconds, and it reads every
 * row. One count runs at a time, and one that took long is kept fifty times as long.
 *
 * @param count     reads every object
 * @param elapsedMs a clock that never jumps
 */
export function createFigures<Asker>(
  count: (asker: Asker) => Promise<FiguresByBucket>,
  elapsedMs: () => number = () => performance.now(),
): (asker: Asker) => Promise<FiguresByBucket> {
  let running: Promise<FiguresByBucket> | null = null
  let kept: { readonly figures: FiguresByBucket; readonly untilMs: number } | null = null
  const run = async (asker: Asker): Promise<FiguresByBucket> => {
    const startedMs = elapsedMs()
    try {
      const figures = await count(asker)
      const tookMs = elapsedMs() - startedMs
      kept = tookMs < quickMs ? null : { figures, untilMs: startedMs + tookMs * keptTimes }
      return figures
    } finally {
      running = null
    }
  }
  return (asker) => {
    if (kept !== null && elapsedMs() < kept.untilMs) return Promise.resolve(kept.figures)
    running ??= run(asker)
    return running
  }
}
