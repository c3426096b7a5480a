import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { Playback } from '../playback.ts'
import { type Mark, markAt, type Track } from './marks.ts'

/** Where the pointer is on the axis. */
export interface Hover {
  /** Pixels from the axis' left end. */
  readonly x: number
  readonly ms: number
  /** The mark under the pointer. */
  readonly mark: Mark | undefined
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -5000,
  ArrowDown: -5000,
  ArrowRight: 5000,
  ArrowUp: 5000,
  PageDown: -30_000,
  PageUp: 30_000,
}

/** Seeks by pointer and keys; a press on a mark goes to the mark's own time, a drag to the pointer's. */
export function useSeeking(tracks: readonly Track[], durationMs: number, playback: Playback) {
  const [hover, setHover] = useState<Hover>()
  const read = (event: PointerEvent): Hover => {
    const area = event.currentTarget.getBoundingClientRect()
    const x = Math.min(Math.max(0, event.clientX - area.left), area.width)
    const mark = markAt(tracks, { x, y: event.clientY - area.top, width: area.width, durationMs })
    return { x, ms: area.width === 0 ? 0 : (x / area.width) * durationMs, mark }
  }
  return {
    hover,
    onKeyDown: (event: KeyboardEvent) => {
      const step = steps[event.key]
      if (event.altKey || event.metaKey || event.ctrlKey) return
      if (event.key === 'Home') playback.seek(0)
      else if (event.key === 'End') playback.seek(durationMs)
      else if (step !== undefined)
        playback.seek(playback.state().nowMs + (event.shiftKey ? Math.sign(step) * 1000 : step))
      else return
      event.preventDefault()
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture?.(event.pointerId)
      const { ms, mark } = read(event)
      playback.seek(mark && mark.untilMs === undefined ? mark.atMs : ms)
    },
    onPointerMove: (event: PointerEvent) => {
      const at = read(event)
      setHover(at)
      if (event.buttons === 1) playback.seek(at.ms)
    },
    onPointerLeave: () => setHover(undefined),
  }
}
