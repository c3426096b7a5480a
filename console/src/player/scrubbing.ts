import type { Frames } from './animation-frames.ts'

/** Draws the picture of a moment; how long that takes depends on the page. */
type Show = (ms: number) => void

/** So quick a picture is drawn with every frame. */
const cheapMs = 6

/** How a picture follows a pointer. */
interface Pace {
  /** A pointer that has not moved for so long rests. */
  readonly restMs: number
  /** While the pointer goes on a dear picture is drawn so often. */
  readonly glimpseMs: number
  /** What the first picture is expected to take. */
  readonly firstCostMs: number
}

/** Of the playhead that is dragged: the picture is what is looked at. */
const dragged: Pace = { restMs: 80, glimpseMs: 700, firstCostMs: 0 }

/** Of a pointer that only passes: a dear picture waits until it rests. */
export const hovered: Pace = {
  restMs: 120,
  glimpseMs: Number.POSITIVE_INFINITY,
  firstCostMs: Number.POSITIVE_INFINITY,
}

/**
 * Lets the picture follow a pointer that is drawn along the axis: the playhead moves with every frame, and a picture that takes
 * longer than a frame waits until the pointer rests.
 */
export function createScrubbing(frames: Frames, show: Show, { restMs, glimpseMs, firstCostMs }: Pace = dragged) {
  let wantedMs: number | null = null
  let movedAt = 0
  let shownAt = 0
  let costMs = firstCostMs
  let handle = 0
  const step = () => {
    if (wantedMs === null) return
    const now = frames.now()
    const isDue = costMs <= cheapMs || now - movedAt >= restMs || now - shownAt >= glimpseMs
    if (isDue) {
      show(wantedMs)
      wantedMs = null
      shownAt = frames.now()
      costMs = shownAt - now
    } else handle = frames.request(step)
  }
  return {
    to(ms: number) {
      const isIdle = wantedMs === null
      wantedMs = ms
      movedAt = frames.now()
      if (isIdle) handle = frames.request(step)
    },
    /** The picture that is still to come is not wanted any more. */
    stop() {
      wantedMs = null
      frames.cancel(handle)
    },
  }
}
