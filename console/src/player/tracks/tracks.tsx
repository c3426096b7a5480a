import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { formatDuration, formatOffset } from '../../ui/time-text.ts'
import type { Playback } from '../playback.ts'
import { type Mark, markAt, TRACK_GAP_PX, TRACK_PX, type Track } from './marks.ts'
import { paintTracks } from './paint.ts'

interface TracksProps {
  readonly tracks: readonly Track[]
  readonly durationMs: number
  readonly playback: Playback
  /** The cause whose marks are lit. */
  readonly lit: string | undefined
  /** What stands at the moment, in words, for who does not see the tracks. */
  readonly describe: (ms: number) => string
}

interface Hover {
  readonly x: number
  readonly ms: number
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

/** The session's tracks with the line that is now: a click or a drag anywhere seeks. */
export function Tracks({ tracks, durationMs, playback, lit, describe }: TracksProps) {
  const axis = useRef<HTMLDivElement>(null)
  const marks = useRef<HTMLCanvasElement>(null)
  const lights = useRef<HTMLCanvasElement>(null)
  const line = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [hover, setHover] = useState<Hover>()
  const theme = useThemeChanges()

  useEffect(() => {
    const element = axis.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    // The theme is not an input of the picture but of its colours, which are read while painting.
    if (marks.current && theme >= 0) paintTracks(marks.current, { tracks, durationMs, width })
  }, [tracks, durationMs, width, theme])

  useEffect(() => {
    if (lights.current && theme >= 0) paintTracks(lights.current, { tracks, durationMs, width, lit })
  }, [tracks, durationMs, width, lit, theme])

  useEffect(() => {
    const follow = () => {
      const { nowMs } = playback.state()
      const share = durationMs <= 0 ? 0 : Math.min(1, nowMs / durationMs)
      const label = line.current?.firstElementChild
      if (!line.current || !label || !axis.current) return
      line.current.style.left = `${share * 100}%`
      const text = formatOffset(nowMs)
      if (label.textContent !== text) {
        label.textContent = text
        axis.current.setAttribute('aria-valuenow', String(Math.round(nowMs)))
        axis.current.setAttribute('aria-valuetext', `${text} ${describe(nowMs)}`)
      }
    }
    follow()
    return playback.subscribe(follow)
  }, [playback, durationMs, describe])

  const read = (event: PointerEvent): Hover => {
    const area = event.currentTarget.getBoundingClientRect()
    const x = Math.min(Math.max(0, event.clientX - area.left), area.width)
    const mark = markAt(tracks, { x, y: event.clientY - area.top, width: area.width, durationMs })
    return { x, ms: area.width === 0 ? 0 : (x / area.width) * durationMs, mark }
  }
  const seekTo = ({ ms, mark }: Hover, exact: boolean) =>
    playback.seek(exact && mark && mark.untilMs === undefined ? mark.atMs : ms)
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (event.altKey || event.metaKey || event.ctrlKey) return
    if (event.key === 'Home') playback.seek(0)
    else if (event.key === 'End') playback.seek(durationMs)
    else if (step !== undefined)
      playback.seek(playback.state().nowMs + (event.shiftKey ? Math.sign(step) * 1000 : step))
    else return
    event.preventDefault()
  }
  return (
    <div className="grid grid-cols-[64px_1fr] items-start">
      <div aria-hidden="true" className="grid" style={{ rowGap: TRACK_GAP_PX }}>
        {tracks.map((track) => (
          <span key={track.id} className="text-ink-2 text-sm" style={{ lineHeight: `${TRACK_PX}px` }}>
            {track.label}
          </span>
        ))}
      </div>
      <div
        ref={axis}
        role="slider"
        tabIndex={0}
        aria-label="Moment of the session"
        aria-valuemin={0}
        aria-valuemax={Math.round(durationMs)}
        aria-valuenow={0}
        onKeyDown={press}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture?.(event.pointerId)
          seekTo(read(event), true)
        }}
        onPointerMove={(event) => {
          const at = read(event)
          setHover(at)
          if (event.buttons === 1) seekTo(at, false)
        }}
        onPointerLeave={() => setHover(undefined)}
        className="relative touch-none select-none rounded-small"
        style={{ height: tracks.length * (TRACK_PX + TRACK_GAP_PX) - TRACK_GAP_PX }}
      >
        <canvas ref={marks} className="absolute inset-0 h-full w-full" />
        <canvas ref={lights} className="absolute inset-0 h-full w-full" />
        {hover && <HoverNote hover={hover} width={width} />}
        <div
          ref={line}
          aria-hidden="true"
          className="pointer-events-none absolute -top-3.5 -bottom-1 z-10 w-0 border-thread border-l-[1.5px]"
        >
          <b className="tabular -top-2 -translate-x-1/2 absolute rounded-small bg-thread px-1.25 font-medium text-on-thread text-xs" />
        </div>
      </div>
    </div>
  )
}

function HoverNote({ hover: { x, ms, mark }, width }: { readonly hover: Hover; readonly width: number }) {
  const time = formatOffset(mark && mark.untilMs === undefined ? mark.atMs : ms, { tenths: true })
  return (
    <div aria-hidden="true" className="pointer-events-none">
      <div className="absolute -inset-y-1 w-px bg-ink-3/50" style={{ left: x }} />
      <div
        className="absolute bottom-full z-20 mb-2 flex max-w-80 gap-2 whitespace-nowrap rounded-control bg-surface px-2 py-1 text-sm shadow-float"
        style={x > width / 2 ? { right: width - x } : { left: x }}
      >
        <span className="tabular text-ink-2">{time}</span>
        {mark && <span className="truncate">{mark.label}</span>}
        {mark?.durationMs !== undefined && (
          <span className="tabular text-ink-2">{formatDuration(mark.durationMs)}</span>
        )}
      </div>
    </div>
  )
}

/** Counts changes of the theme, by the operator's choice or the system's. */
function useThemeChanges(): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const changed = () => setChanges((count) => count + 1)
    const chosen = new MutationObserver(changed)
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const system = window.matchMedia?.('(prefers-color-scheme: dark)')
    system?.addEventListener('change', changed)
    return () => {
      chosen.disconnect()
      system?.removeEventListener('change', changed)
    }
  }, [])
  return changes
}
