import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useThemeChanges } from '../../../ui/theme-changes.ts'
import { areaAround, type Cell, countText, pointsIn } from '../heat-data.ts'
import type { Area, PointKind } from '../search.ts'
import { drawHeat, type HeatSize } from './draw-heat.ts'

interface HeatLayerProps extends HeatSize {
  readonly kind: PointKind
  readonly cells: readonly Cell[]
  readonly area: Area | null
  readonly onArea: (area: Area) => void
}

/** What a press chooses to each side, and an arrow key moves, in pixels of the page. */
const reachPx = 14
/** A pointer that moved less was pressed, and did not drag. */
const stillPx = 4

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-reachPx, 0],
  ArrowRight: [reachPx, 0],
  ArrowUp: [0, -reachPx],
  ArrowDown: [0, reachPx],
}

/** The heat over a page. A place of it is chosen by a press, an area by dragging; Enter chooses the hottest, arrows move what is chosen. */
export function HeatLayer({ kind, cells, area, onArea, width, height, scale }: HeatLayerProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useThemeChanges()
  // biome-ignore lint/correctness/useExhaustiveDependencies: theme changes the tokens that the colours are read from
  useEffect(() => {
    if (canvas.current) drawHeat(canvas.current, cells, { width, height, scale })
  }, [cells, width, height, scale, theme])
  const { hovered, dragged, handlers } = usePointer({ width, scale, onArea })
  const press = (): void => {
    const [hottest] = cells
    if (hottest)
      onArea(areaAround((hottest.fromX + hottest.toX) / 2, (hottest.fromY + hottest.toY) / 2, width, reachPx))
  }
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (step === undefined || area === null) return
    event.preventDefault()
    const [byX, byY] = [step[0] / width, step[1]]
    if (area.fromX + byX < 0 || area.toX + byX > 1 || area.fromY + byY < 0) return
    onArea({ fromX: area.fromX + byX, toX: area.toX + byX, fromY: area.fromY + byY, toY: area.toY + byY })
  }
  const shown = dragged ?? area
  return (
    <>
      <canvas ref={canvas} className="absolute inset-0 size-full" />
      <button
        type="button"
        aria-label="Choose a place of the page: Enter for the one with the most, arrow keys to move it"
        className="absolute inset-0 cursor-crosshair touch-pan-y focus-visible:-outline-offset-2"
        onClick={(event) => event.detail === 0 && press()}
        onKeyDown={move}
        {...handlers}
      />
      {shown && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute border-2 border-thread"
          style={{
            left: shown.fromX * width * scale,
            top: shown.fromY * scale,
            width: (shown.toX - shown.fromX) * width * scale,
            height: (shown.toY - shown.fromY) * scale,
          }}
        />
      )}
      {hovered && (
        <Hover
          text={countText(kind, pointsIn(cells, areaAround(hovered.x, hovered.y, width, reachPx)))}
          left={hovered.x * width * scale}
          top={hovered.y * scale}
          isRight={hovered.x > 0.6}
        />
      )}
    </>
  )
}

interface HoverProps {
  readonly text: string
  readonly left: number
  readonly top: number
  /** The text stands at the left of its place. */
  readonly isRight: boolean
}

function Hover({ text, left, top, isRight }: HoverProps) {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute z-10 whitespace-nowrap rounded-control bg-surface px-1.5 py-0.5 text-sm shadow-float"
      style={{ left, top: top + 16, translate: isRight ? '-100%' : '12px' }}
    >
      {text}
    </span>
  )
}

interface Place {
  /** In parts of the page's width. */
  readonly x: number
  /** In pixels of the page. */
  readonly y: number
}

function usePointer({ width, scale, onArea }: Pick<HeatLayerProps, 'width' | 'scale' | 'onArea'>) {
  const [hovered, setHovered] = useState<Place | null>(null)
  const [start, setStart] = useState<Place | null>(null)
  const placeOf = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Place => {
    const box = currentTarget.getBoundingClientRect()
    const x = (clientX - box.left) / scale / width
    return { x: Math.min(Math.max(x, 0), 1), y: Math.max((clientY - box.top) / scale, 0) }
  }
  const isStill = (one: Place, other: Place): boolean =>
    Math.abs(one.x - other.x) * width * scale < stillPx && Math.abs(one.y - other.y) * scale < stillPx
  return {
    hovered: start === null ? hovered : null,
    dragged: start !== null && hovered !== null && !isStill(start, hovered) ? between(start, hovered) : null,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return
        if (event.pointerType === 'mouse') event.currentTarget.setPointerCapture(event.pointerId)
        setStart(placeOf(event))
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => setHovered(placeOf(event)),
      onPointerUp(event: PointerEvent<HTMLElement>) {
        const end = placeOf(event)
        if (start !== null) onArea(isStill(start, end) ? areaAround(end.x, end.y, width, reachPx) : between(start, end))
        setStart(null)
      },
      onPointerCancel: () => setStart(null),
      onPointerLeave: () => setHovered(null),
    },
  }
}

const between = (one: Place, other: Place): Area => ({
  ...{ fromX: Math.min(one.x, other.x), toX: Math.max(one.x, other.x) },
  ...{ fromY: Math.min(one.y, other.y), toY: Math.max(one.y, other.y) },
})
