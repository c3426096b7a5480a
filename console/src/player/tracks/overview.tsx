import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useThemeChanges } from '../../ui/theme-changes.ts'
import type { Playback } from '../playback.ts'
import { seenSpan, toTime, toX } from './axis/axis.ts'
import type { AxisControl } from './axis/use-axis.ts'
import type { Track } from './marks.ts'
import { paintDensity } from './paint-density.ts'

interface OverviewProps {
  readonly tracks: readonly Track[]
  readonly control: AxisControl
  readonly playback: Playback
}

/** What a press on the strip does: marks a stretch out, or moves what is seen. */
interface Drag {
  readonly kind: 'brush' | 'move'
  readonly fromX: number
  readonly toX: number
}

/** Shorter than this a drag is a press. */
const PRESS_PX = 4

/**
 * The whole session in a strip: how much happened when, and which part of it the tracks show. A drag over it shows that
 * stretch, a drag of the part moves it, a press seeks. By keys: `+`, `-` and `0`.
 */
export function Overview({ tracks, control, playback }: OverviewProps) {
  const { axis, whole, show, showAll, pan } = control
  const [drag, setDrag] = useState<Drag>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useThemeChanges()
  useEffect(() => {
    if (canvas.current && theme >= 0) paintDensity(canvas.current, tracks, whole)
  }, [tracks, whole, theme])

  const seen = seenSpan(axis)
  const [leftX, rightX] = [toX(whole, seen.fromMs), toX(whole, seen.toMs)]
  const isZoomed = axis.zoom > 1
  const xOf = (event: PointerEvent) => {
    const area = event.currentTarget.getBoundingClientRect()
    return Math.min(Math.max(0, event.clientX - area.left), area.width)
  }
  const release = () => {
    if (!drag) return
    setDrag(undefined)
    const [from, to] = [Math.min(drag.fromX, drag.toX), Math.max(drag.fromX, drag.toX)]
    if (to - from < PRESS_PX) playback.seek(toTime(whole, drag.toX))
    else if (drag.kind === 'brush') show({ fromMs: toTime(whole, from), toMs: toTime(whole, to) })
  }
  return (
    <div
      aria-hidden="true"
      className="relative h-4 cursor-crosshair touch-none select-none overflow-hidden rounded-small bg-sunken"
      title="Drag over a part to see it nearer; double-click to see all"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture?.(event.pointerId)
        const x = xOf(event)
        setDrag({ kind: isZoomed && x >= leftX && x <= rightX ? 'move' : 'brush', fromX: x, toX: x })
      }}
      onPointerMove={(event) => {
        if (!drag) return
        const x = xOf(event)
        if (drag.kind === 'move') pan((x - drag.toX) * axis.zoom)
        setDrag({ ...drag, toX: x })
      }}
      onPointerUp={release}
      onPointerCancel={() => setDrag(undefined)}
      onDoubleClick={showAll}
    >
      <canvas ref={canvas} className="absolute inset-0 h-full w-full" />
      {isZoomed && (
        <div
          className="absolute inset-y-0 cursor-grab rounded-small border border-thread bg-thread/10"
          style={{ left: leftX, width: Math.max(4, rightX - leftX) }}
        />
      )}
      {drag?.kind === 'brush' && (
        <div
          className="absolute inset-y-0 bg-ink/15"
          style={{ left: Math.min(drag.fromX, drag.toX), width: Math.abs(drag.toX - drag.fromX) }}
        />
      )}
    </div>
  )
}
