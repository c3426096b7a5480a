import { useState } from 'react'
import { classes } from '../ui/classes.ts'
import { formatDuration } from '../ui/time-text.ts'
import type { ChartData, ChartLook } from './chart-data.ts'
import { ChartFrame } from './chart-frame.tsx'
import { formatPartTime } from './request-classes.ts'

/** One minute of the chart, or another part of its time. */
export interface Minute {
  readonly minute: string
  readonly requests: number
  /** Absent where nothing that is counted can fail. */
  readonly errors?: number
  /** Absent where nothing that is counted takes time. */
  readonly p95Ms?: number
}

interface MinuteBarsProps {
  readonly minutes: readonly Minute[]
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
  /** What is counted, in which parts of which time; requests a minute of an hour where nothing is said. */
  readonly of?: Counted
}

interface Counted {
  readonly one: string
  readonly many: string
  readonly part: string
  readonly time: string
}

const requestsOfAnHour: Counted = { one: 'request', many: 'requests', part: 'minute', time: 'the last hour' }

const heightPx = 104
const stepUnits = 10

/** What came in each part of a time, the failed ones in their colour; the running part is lighter: it is not over. */
export function MinuteBars({ minutes, look, onLook, of = requestsOfAnHour }: MinuteBarsProps) {
  const timeOf = timesOf(minutes)
  return (
    <ChartFrame
      title={`${capital(of.many)} a ${of.part}`}
      data={dataOf(minutes, of)}
      shape="overlaid"
      look={look}
      onLook={onLook}
      foot={
        <>
          <span>{timeOf(minutes[0])}</span>
          <span>{timeOf(minutes[Math.floor(minutes.length / 2)])}</span>
          <span>now</span>
        </>
      }
    >
      <Bars minutes={minutes} of={of} />
    </ChartFrame>
  )
}

function dataOf(minutes: readonly Minute[], of: Counted): ChartData {
  const failed = { name: 'Failed', colour: '--danger', text: 'text-danger' }
  const p95 = { name: 'p95', unit: 'ms', text: 'text-ink', isDrawn: false } as const
  return {
    along: capital(of.part),
    isTime: true,
    xs: minutes.map(({ minute }) => Date.parse(minute) / 1000),
    labels: minutes.map(timesOf(minutes)),
    series: [
      {
        name: capital(of.many),
        values: minutes.map(({ requests }) => requests),
        colour: '--series-1',
        text: 'text-ink',
      },
      ...(hasAny(minutes, 'errors') ? [{ ...failed, values: minutes.map(({ errors = 0 }) => errors) }] : []),
      ...(hasAny(minutes, 'p95Ms')
        ? [{ ...p95, values: minutes.map(({ requests, p95Ms }) => (requests > 0 ? (p95Ms ?? null) : null)) }]
        : []),
    ],
  }
}

const hasAny = (minutes: readonly Minute[], of: 'errors' | 'p95Ms'): boolean =>
  minutes.some((minute) => minute[of] !== undefined)

interface BarsProps {
  readonly minutes: readonly Minute[]
  readonly of: Counted
}

function Bars({ minutes, of }: BarsProps) {
  const [hovered, setHovered] = useState<number>()
  const most = Math.max(1, ...minutes.map(({ requests }) => requests))
  const top = roundUp(most)
  const total = minutes.reduce((sum, { requests }) => sum + requests, 0)
  return (
    <div className="relative mr-9" style={{ height: heightPx }}>
      <GridLines top={top} />
      <svg
        role="img"
        aria-label={`${capital(of.many)} a ${of.part} over ${of.time}: ${total} in all, at most ${most} in a ${of.part}. Its menu shows them as a table.`}
        viewBox={`0 0 ${minutes.length * stepUnits} ${heightPx}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          const index = Math.floor(((event.clientX - box.left) / box.width) * minutes.length)
          setHovered(Math.min(minutes.length - 1, Math.max(0, index)))
        }}
        onPointerLeave={() => setHovered(undefined)}
      >
        {minutes.map((minute, index) => (
          <Bar
            key={minute.minute}
            minute={minute}
            index={index}
            top={top}
            isRunning={index === minutes.length - 1}
            isHovered={index === hovered}
          />
        ))}
      </svg>
      <div className="absolute inset-x-0 bottom-0 border-line border-t" />
      {hovered !== undefined && <HoverNote minutes={minutes} index={hovered} of={of} />}
    </div>
  )
}

/** The lines at the top and, where half of it is a whole number, in the middle, with their values. */
function GridLines({ top }: { readonly top: number }) {
  const parts = top % 2 === 0 ? [1, 0.5] : [1]
  return parts.map((part) => (
    <div
      key={part}
      className="absolute inset-x-0 border-line border-t border-dashed"
      style={{ top: `${(1 - part) * 100}%` }}
    >
      <span className="tabular absolute -top-2 -right-9 w-7 text-right text-ink-2 text-xs">
        {(top * part).toLocaleString('en-GB')}
      </span>
    </div>
  ))
}

interface BarProps {
  readonly minute: Minute
  readonly index: number
  /** The value at the chart's upper edge. */
  readonly top: number
  readonly isRunning: boolean
  readonly isHovered: boolean
}

function Bar({ minute: { requests, errors = 0 }, index, top, isRunning, isHovered }: BarProps) {
  const all = (requests / top) * heightPx
  const bad = (Math.min(errors, requests) / top) * heightPx
  const x = index * stepUnits + 1.5
  const width = stepUnits - 3
  return (
    <g opacity={isRunning ? 0.55 : 1}>
      {isHovered && <rect x={index * stepUnits} y={0} width={stepUnits} height={heightPx} className="fill-sunken" />}
      <rect x={x} y={heightPx - all} width={width} height={all - bad} className="fill-series-1 opacity-75" />
      <rect x={x} y={heightPx - bad} width={width} height={bad} className="fill-danger" />
    </g>
  )
}

interface HoverNoteProps extends BarsProps {
  readonly index: number
}

function HoverNote({ minutes, index, of }: HoverNoteProps) {
  const shown = minutes[index]
  if (shown === undefined) return null
  const { requests, errors = 0, p95Ms } = shown
  return (
    <div
      className={classes(
        'tabular pointer-events-none absolute -top-1 z-10 whitespace-nowrap rounded-control bg-surface px-2 py-1 text-sm shadow-float',
        index > minutes.length / 2 ? '-translate-x-full' : 'translate-x-2',
      )}
      style={{ left: `${((index + 0.5) / minutes.length) * 100}%` }}
    >
      <div className="text-ink-2">{timesOf(minutes)(shown)}</div>
      <div>
        {requests} {requests === 1 ? of.one : of.many}
      </div>
      {errors > 0 && <div className="text-danger">{errors} failed</div>}
      {requests > 0 && p95Ms !== undefined && <div className="text-ink-2">p95 {formatDuration(p95Ms)}</div>}
    </div>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The next round number at or above: 1, 2, 3, 4, 5, 6, 8, 10, 20 … */
function roundUp(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((round) => round >= most) ?? most
}

/** When a part begins, as exactly as the length of all of them asks. */
function timesOf(minutes: readonly Minute[]): (minute: Minute | undefined) => string {
  const [first, second] = minutes
  const partMs = first && second ? Date.parse(second.minute) - Date.parse(first.minute) : 60_000
  return (minute) => (minute === undefined ? '' : formatPartTime(minute.minute, partMs))
}
