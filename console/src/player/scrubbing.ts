import type { Frames } from './animation-frames.ts'

/** Draws the picture of a moment; how long that takes depends on the page. */
type Show = (ms: number) => void

/** So quick a picture is drawn with every frame. */
const cheapMs = 6
/** A pointer that has not moved for so long rests. */
const restMs = 80
/** While the pointer goes on a dear picture is drawn so often. */
const glimpseMs = 700

/**
 * Lets the picture follow a pointer that is drawn along the axis: the playhead moves with every frame, and a picture that takes
 * longer than a frame waits until the pointer rests.
 */
export function createScrubbing(frames: Frames, show: Show) {
  let wantedMs: number | null = null
  let movedAt = 0
  let shownAt = Number.NEGATIVE_INFINITY
  let costMs = 0
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
