import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { classes } from '../../ui/classes.ts'
import { formatDuration, formatOffset } from '../../ui/time-text.ts'
import type { Playback } from '../playback.ts'
import { ticksOf } from './axis/ticks.ts'
import type { AxisControl } from './axis/use-axis.ts'
import { TRACK_GAP_PX, TRACK_PX, type Track, tracksHeight } from './marks.ts'
import { Overview } from './overview.tsx'
import { placeMarks } from './placing.ts'
import { usePlayhead } from './playhead.ts'
import { type Hover, timeOf, useSeeking } from './seeking.ts'
import { useTrackPictures } from './track-pictures.ts'

interface TracksProps {
  readonly tracks: readonly Track[]
  readonly control: AxisControl
  readonly playback: Playback
  /** The cause whose marks are lit. */
  readonly lit: string | undefined
  /** The moment in words, for screen readers. */
  readonly describe: (ms: number) => string
  /** Draws the page at a moment that is pointed at; it is called without one as well, and keeps its place. */
  readonly renderPicture: ((atMs: number | undefined) => ReactNode) | undefined
}

/** The session's tracks with the playhead: a click or a drag anywhere seeks, the wheel zooms. */
export function Tracks({ tracks, control, playback, lit, describe, renderPicture }: TracksProps) {
  const { axis, ref } = control
  const slider = useRef<HTMLDivElement>(null)
  const line = useRef<HTMLDivElement>(null)
  const placed = tracks.map((track) => ({ id: track.id, placed: placeMarks(track, axis) }))
  const { marks, lights } = useTrackPictures(placed, axis, lit)
  usePlayhead({ slider, line, playback, axis, describe })
  useWheel(slider, control)
  const { hover, ...pointerAndKeys } = useSeeking(placed, axis, playback)
  return (
    <div className="grid grid-cols-[64px_minmax(0,1fr)] items-start gap-y-1.5">
      <Ticks control={control} />
      <div aria-hidden="true" className="grid" style={{ rowGap: TRACK_GAP_PX }}>
        {tracks.map((track) => (
          <span key={track.id} className="text-ink-2 text-sm" style={{ lineHeight: `${TRACK_PX}px` }}>
            {track.label}
          </span>
        ))}
      </div>
      <div ref={ref} className="relative min-w-0">
        <div
          ref={slider}
          role="slider"
          tabIndex={0}
          aria-label="Moment of the session"
          aria-valuemin={0}
          aria-valuemax={Math.round(axis.durationMs)}
          aria-valuenow={0}
          {...pointerAndKeys}
          className="relative touch-none select-none rounded-small"
          style={{ height: tracksHeight(tracks.length) }}
        >
          <canvas ref={marks} className="absolute inset-0 h-full w-full" />
          <canvas ref={lights} className="absolute inset-0 h-full w-full" />
          {hover && (
            <div
              aria-hidden="true"
              className="-inset-y-1 pointer-events-none absolute w-px bg-ink-3/50"
              style={{ left: hover.x }}
            />
          )}
          <div
            ref={line}
            aria-hidden="true"
            className="pointer-events-none absolute -top-5 -bottom-1 left-0 z-10 w-0 border-thread border-l-[1.5px]"
          >
            <b className="tabular -top-0.5 absolute rounded-small bg-thread px-1.25 font-medium text-on-thread text-xs" />
          </div>
        </div>
        <HoverNote
          hover={hover}
          width={axis.width}
          picture={renderPicture?.(hover?.hasPicture ? timeOf(hover) : undefined)}
        />
      </div>
      <span className="self-center text-ink-2 text-sm leading-4">
        {axis.zoom > 1 ? `${formatZoom(axis.zoom)}×` : 'all'}
      </span>
      <Overview tracks={tracks} control={control} playback={playback} />
    </div>
  )
}

const formatZoom = (zoom: number): string => (zoom < 10 ? zoom.toFixed(1) : String(Math.round(zoom)))

/** Times above the tracks, and how long each break is. */
function Ticks({ control: { axis } }: { readonly control: AxisControl }) {
  return (
    <div aria-hidden="true" className="relative col-start-2 h-4 overflow-hidden text-xs">
      {ticksOf(axis).map(({ x, label, isBreak }) =>
        isBreak ? (
          <span
            key={`break ${x}`}
            className="tabular -translate-x-1/2 absolute font-medium text-ink-2"
            style={{ left: x }}
            title={`Nothing happened for ${label}`}
          >
            {label}
          </span>
        ) : (
          <span key={label} className="tabular absolute border-line border-l pl-1 text-ink-2" style={{ left: x }}>
            {label}
          </span>
        ),
      )}
    </div>
  )
}

/** One notch of a wheel is a fifth nearer. */
const WHEEL_STEP = 0.002
const linePx = 16

/** The wheel zooms about the pointer, sideways or with shift it moves; what it cannot do scrolls the page. */
function useWheel(element: RefObject<HTMLElement | null>, control: AxisControl): void {
  const latest = useRef(control)
  useEffect(() => {
    latest.current = control
  })
  useEffect(() => {
    const target = element.current
    if (!target) return
    const onWheel = (event: WheelEvent) => {
      const { axis, zoom, pan } = latest.current
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePx : 1
      const across = (event.shiftKey ? event.deltaY || event.deltaX : event.deltaX) * unit
      const isAcross = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (axis.zoom === 1 && (isAcross || event.deltaY > 0)) return
      event.preventDefault()
      if (isAcross) pan(across)
      else zoom(Math.exp(-event.deltaY * unit * WHEEL_STEP), event.clientX - target.getBoundingClientRect().left)
    }
    // React listens passively to the wheel: there the page would scroll as well.
    target.addEventListener('wheel', onWheel, { passive: false })
    return () => target.removeEventListener('wheel', onWheel)
  }, [element])
}

interface HoverNoteProps {
  readonly hover: Hover | undefined
  readonly width: number
  readonly picture: ReactNode
}

/** What is pointed at. It stays while nothing is, for the picture in it is dear to make. */
function HoverNote({ hover, width, picture }: HoverNoteProps) {
  const x = hover?.x ?? 0
  return (
    <div
      className={classes(
        'pointer-events-none absolute bottom-full z-20 mb-6 grid max-w-80 gap-1 rounded-control bg-surface px-2 py-1 text-sm shadow-float',
        hover === undefined && 'invisible',
      )}
      style={x > width / 2 ? { right: width - x } : { left: x }}
    >
      {picture}
      {hover && (
        <div aria-hidden="true" className="flex gap-2 whitespace-nowrap">
          <span className="tabular text-ink-2">{formatOffset(timeOf(hover), { tenths: true })}</span>
          {hover.placed && <PlacedWords placed={hover.placed} />}
        </div>
      )}
    </div>
  )
}

function PlacedWords({ placed: { mark, cluster } }: { readonly placed: NonNullable<Hover['placed']> }) {
  const last = cluster.at(-1)
  if (last)
    return (
      <span className="truncate">
        <span className="tabular text-ink-2">to {formatOffset(last.mark.atMs, { tenths: true })}</span> {cluster.length}{' '}
        here: zoom in to tell them apart
      </span>
    )
  return (
    <>
      <span className="truncate">{mark.label}</span>
      {mark.durationMs !== undefined && <span className="tabular text-ink-2">{formatDuration(mark.durationMs)}</span>}
    </>
  )
}
