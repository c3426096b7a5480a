import type { Frames } from '../animation-frames.ts'
import { createScrubbing, hovered } from '../scrubbing.ts'
import { missingAt, sceneAt, type Timeline, type WindowTimeline } from '../timeline.ts'

/** A moment of the recording, as a page that can be drawn. */
interface PageView {
  readonly recorded: WindowTimeline
  /** Session time. */
  readonly atMs: number
  /** Two moments between which nothing was recorded look alike, and have one key. */
  readonly key: string
}

/**
 * The page at a moment of the session.
 *
 * @param pinnedId the window that stays shown; null: the one that the person had before them
 */
export function pageAt(timeline: Timeline, pinnedId: string | null, atMs: number): PageView | undefined {
  const pinned = timeline.windows.find(({ windowId }) => windowId === pinnedId)
  const recorded = pinned ?? sceneAt(timeline, atMs)?.recorded
  if (recorded === undefined || missingAt(recorded, atMs) !== undefined) return undefined
  return { recorded, atMs, key: `${recorded.windowId} ${recorded.originMs} ${eventsUntil(recorded, atMs)}` }
}

/** How many events a window had recorded by then. */
function eventsUntil({ events, originMs }: WindowTimeline, atMs: number): number {
  const until = (events[0]?.timestamp ?? 0) - originMs + atMs
  let [from, to] = [0, events.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((events[middle]?.timestamp ?? 0) <= until) from = middle + 1
    else to = middle
  }
  return from
}

/** Draws the pages that are pointed at, one at a time, and only the last of those that were passed meanwhile. */
export function createPreviews(frames: Frames, draw: (view: PageView) => void) {
  let wanted: PageView | undefined
  let drawn: string | undefined
  const pace = createScrubbing(
    frames,
    () => {
      if (wanted === undefined) return
      draw(wanted)
      drawn = wanted.key
    },
    hovered,
  )
  return {
    /** Undefined: none is pointed at. */
    want(view: PageView | undefined) {
      wanted = view
      if (view === undefined || view.key === drawn) pace.stop()
      else pace.to(view.atMs)
    },
    close: pace.stop,
  }
}
