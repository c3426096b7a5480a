import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { Playback } from '../playback.ts'
import { type Axis, toTime, toX } from './axis/axis.ts'
import { TRACK_GAP_PX, TRACK_PX } from './marks.ts'
import type { PlacedTrack } from './paint.ts'
import { type Placed, placedAt } from './placing.ts'

/** Where the pointer is on the axis. */
export interface Hover {
  /** Pixels from the axis' left end. */
  readonly x: number
  readonly ms: number
  /** What is under the pointer. */
  readonly placed: Placed | undefined
  /** The page of that moment is shown as well: not under a finger, nor while the recording itself follows the pointer. */
  readonly hasPicture: boolean
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -5000,
  ArrowDown: -5000,
  ArrowRight: 5000,
  ArrowUp: 5000,
  PageDown: -30_000,
  PageUp: 30_000,
}

/** The time of a point or of a cluster's beginning; a stretch is pointed into. */
export const timeOf = ({ ms, placed }: Hover): number =>
  placed && placed.mark.untilMs === undefined ? placed.mark.atMs : ms

/** Seeks by pointer and keys; a press on a mark goes to the mark's own time, a drag to the pointer's. */
export function useSeeking(tracks: readonly PlacedTrack[], axis: Axis, playback: Playback) {
  const [hover, setHover] = useState<Hover>()
  const read = (event: PointerEvent): Hover => {
    const area = event.currentTarget.getBoundingClientRect()
    const x = Math.min(Math.max(0, event.clientX - area.left), area.width)
    const track = tracks[Math.floor((event.clientY - area.top) / (TRACK_PX + TRACK_GAP_PX))]
    const hasPicture = event.pointerType !== 'touch' && event.buttons === 0
    return { x, ms: toTime(axis, x), placed: track && placedAt(track.placed, x), hasPicture }
  }
  /** By keys the moment that is gone to is pointed at. */
  const seek = (ms: number) => {
    playback.seek(ms)
    const { nowMs } = playback.state()
    const x = Math.min(Math.max(0, toX(axis, nowMs)), axis.width)
    setHover({ x, ms: nowMs, placed: undefined, hasPicture: true })
  }
  return {
    hover,
    onKeyDown: (event: KeyboardEvent) => {
      const step = steps[event.key]
      if (event.altKey || event.metaKey || event.ctrlKey) return
      if (event.key === 'Home') seek(0)
      else if (event.key === 'End') seek(axis.durationMs)
      else if (event.key === 'Escape' && hover) setHover(undefined)
      else if (step !== undefined) seek(playback.state().nowMs + (event.shiftKey ? Math.sign(step) * 1000 : step))
      else return
      event.preventDefault()
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture?.(event.pointerId)
      playback.seek(timeOf(read(event)))
    },
    onPointerMove: (event: PointerEvent) => {
      const at = read(event)
      setHover(at)
      if (event.buttons === 1) playback.scrub(at.ms)
    },
    onPointerLeave: () => setHover(undefined),
    onBlur: () => setHover(undefined),
  }
}
