import { useRef } from 'react'
import { formatDuration, formatOffset } from '../../ui/time-text.ts'
import type { Playback } from '../playback.ts'
import { TRACK_GAP_PX, TRACK_PX, type Track } from './marks.ts'
import { usePlayhead } from './playhead.ts'
import { type Hover, useSeeking } from './seeking.ts'
import { useTrackPictures, useWidth } from './track-pictures.ts'

interface TracksProps {
  readonly tracks: readonly Track[]
  readonly durationMs: number
  readonly playback: Playback
  /** The cause whose marks are lit. */
  readonly lit: string | undefined
  /** The moment in words, for screen readers. */
  readonly describe: (ms: number) => string
}

/** The session's tracks with the playhead: a click or a drag anywhere seeks. */
export function Tracks({ tracks, durationMs, playback, lit, describe }: TracksProps) {
  const axis = useRef<HTMLDivElement>(null)
  const line = useRef<HTMLDivElement>(null)
  const width = useWidth(axis)
  const { marks, lights } = useTrackPictures({ tracks, durationMs, width }, lit)
  usePlayhead({ axis, line, playback, durationMs, describe })
  const { hover, ...pointerAndKeys } = useSeeking(tracks, durationMs, playback)
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
        {...pointerAndKeys}
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
          <b className="tabular -top-2 absolute rounded-small bg-thread px-1.25 font-medium text-on-thread text-xs" />
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
