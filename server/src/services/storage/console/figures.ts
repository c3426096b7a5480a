/** The number and the bytes of a bucket's objects. */
export interface BucketFigures {
  readonly objects: number
  readonly sizeBytes: number
}

/** Figures by the bucket's id; one without objects is not there. */
export type FiguresByBucket = ReadonlyMap<string, BucketFigures>

/** What a count found, and when it began. */
export interface CountedFigures {
  readonly figures: FiguresByBucket
  readonly countedAt: Date
}

/** Counting that is quicker is repeated each time. */
const quickMs = 200
/** Counting may take this share of the time: a fiftieth. */
const keptTimes = 50

/**
 * Counts objects no more often than the count is worth: each open console asks for it every few seconds, and it reads every
 * row. One count runs at a time, and one that took long is kept fifty times as long.
 *
 * @param count     reads every object
 * @param now       the time that the console is told
 * @param elapsedMs a clock that never jumps
 */
export function createFigures<Asker>(
  count: (asker: Asker) => Promise<FiguresByBucket>,
  now: () => Date,
  elapsedMs: () => number = () => performance.now(),
): (asker: Asker) => Promise<CountedFigures> {
  let running: Promise<CountedFigures> | null = null
  let kept: { readonly counted: CountedFigures; readonly untilMs: number } | null = null
  const run = async (asker: Asker): Promise<CountedFigures> => {
    const [startedMs, countedAt] = [elapsedMs(), now()]
    try {
      const counted = { figures: await count(asker), countedAt }
      const tookMs = elapsedMs() - startedMs
      kept = tookMs < quickMs ? null : { counted, untilMs: startedMs + tookMs * keptTimes }
      return counted
    } finally {
      running = null
    }
  }
  return (asker) => {
    if (kept !== null && elapsedMs() < kept.untilMs) return Promise.resolve(kept.counted)
    running ??= run(asker)
    return running
  }
}
