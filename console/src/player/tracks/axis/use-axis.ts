import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Playback } from '../../playback.ts'
import type { Span } from '../../timeline.ts'
import { useWidth } from '../track-pictures.ts'
import { type Axis, type AxisView, createAxis, panBy, toX, viewOf, wholeView, zoomAt } from './axis.ts'

/** A session's axis as it is drawn, and what moves it. */
export interface AxisControl {
  /** The element as wide as the axis. */
  readonly ref: RefObject<HTMLDivElement | null>
  readonly axis: Axis
  /** The whole session in the width of `axis`. */
  readonly whole: Axis
  /** Nearer by a factor about a place, farther below 1; without a place about the playhead. */
  readonly zoom: (factor: number, x?: number) => void
  readonly pan: (px: number) => void
  readonly show: (span: Span) => void
  readonly showAll: () => void
}

/**
 * A session's time axis: measured, zoomed and moved. While it plays, a playhead that leaves what is seen takes the view
 * along; one that was out of sight already, as the operator looks elsewhere, does not.
 *
 * @param idle stretches that are drawn short, apart and by time
 */
export function useAxis(durationMs: number, idle: readonly Span[], playback: Playback): AxisControl {
  const ref = useRef<HTMLDivElement>(null)
  const width = useWidth(ref)
  const [view, setView] = useState<AxisView>(wholeView)
  const ground = { durationMs, width, idle }
  const axis = createAxis(ground, view)
  const whole = createAxis(ground, wholeView)
  useFollowedPlayhead(axis, playback, setView)
  return {
    ref,
    axis,
    whole,
    zoom(factor, x) {
      const headX = toX(axis, playback.state().nowMs)
      setView(zoomAt(axis, factor, x ?? (headX >= 0 && headX <= width ? headX : width / 2)))
    },
    pan: (px) => setView(panBy(axis, px)),
    show: (span) => setView(viewOf(ground, span)),
    showAll: () => setView(wholeView),
  }
}

/** The share of the width at which the playhead stands after the view was moved for it. */
const ENTRY = 0.1

function useFollowedPlayhead(axis: Axis, playback: Playback, setView: (view: AxisView) => void): void {
  const wasSeen = useRef(true)
  const lastMs = useRef(playback.state().nowMs)
  useEffect(() => {
    const follow = () => {
      const { nowMs } = playback.state()
      const x = toX(axis, nowMs)
      const isSeen = x >= 0 && x <= axis.width
      const moved = nowMs !== lastMs.current
      lastMs.current = nowMs
      if (moved && !isSeen && wasSeen.current) setView(panBy(axis, x - axis.width * ENTRY))
      else wasSeen.current = isSeen
    }
    // The view may have been moved away from the playhead.
    const x = toX(axis, playback.state().nowMs)
    wasSeen.current = x >= 0 && x <= axis.width
    return playback.subscribe(follow)
  }, [axis, playback, setView])
}
