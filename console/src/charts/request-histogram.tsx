import { type PointerEvent, useState } from 'react'
import type { RequestSeries } from '../lib/api/schemas.ts'
import { classes } from '../ui/classes.ts'
import { formatDuration } from '../ui/time-text.ts'
import type { ChartData, ChartLook } from './chart-data.ts'
import { ChartFrame } from './chart-frame.tsx'
import { type ChartClass, chartClasses, countOf, formatPartTime } from './request-classes.ts'

interface RequestHistogramProps {
  readonly series: RequestSeries
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
  /** Narrows the time to what was drawn over, or to the bar that was pressed. */
  readonly onRange: (from: string, to: string) => void
}

type Part = RequestSeries['parts'][number]

const heightPx = 72
const stepUnits = 10
const stacked: readonly ChartClass[] = chartClasses.toReversed()

/** Requests over a time, a bar a part, stacked by what they were answered. Drawing over bars narrows the time to them. */
export function RequestHistogram({ series, look, onLook, onRange }: RequestHistogramProps) {
  const { parts, partMs, from, to, isCut } = series
  return (
    <ChartFrame
      title="Requests by time"
      data={dataOf(series)}
      shape="stacked"
      look={look}
      onLook={onLook}
      isSparse
      onRow={(index) => {
        const at = parts[index]?.at
        if (at !== undefined) onRange(at, endOf(at, partMs))
      }}
      rowHint="Only this time"
      note={isCut && <span>Older requests of this time are too many to count.</span>}
      foot={
        <>
          <span>{formatPartTime(parts[0]?.at ?? from, partMs)}</span>
          <span className="order-last">{formatPartTime(to, partMs)}</span>
        </>
      }
    >
      <Bars series={series} onRange={onRange} />
    </ChartFrame>
  )
}

const endOf = (at: string, partMs: number): string => new Date(Date.parse(at) + partMs).toISOString()

function dataOf({ parts, partMs }: RequestSeries): ChartData {
  return {
    along: 'Time',
    isTime: true,
    xs: parts.map(({ at }) => Date.parse(at) / 1000),
    labels: parts.map(({ at }) => formatPartTime(at, partMs)),
    series: [
      ...chartClasses.map(({ name, label, colour, text }) => ({
        ...{ name: label, colour, text },
        values: parts.map((part) => part[name]),
      })),
      {
        ...{ name: 'p95', unit: 'ms', text: 'text-ink', isDrawn: false },
        values: parts.map((part) => (countOf(part) > 0 ? part.p95Ms : null)),
      },
    ],
  }
}

function Bars({ series, onRange }: Pick<RequestHistogramProps, 'series' | 'onRange'>) {
  const { parts, partMs } = series
  const [hovered, setHovered] = useState<number>()
  const [start, setStart] = useState<number>()
  const most = Math.max(1, ...parts.map(countOf))
  const partAt = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(parts.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * parts.length)))
  }
  const chosen = hovered === undefined ? undefined : ([start ?? hovered, hovered] as const)
  const [first, last] = chosen === undefined ? [-1, -1] : [Math.min(...chosen), Math.max(...chosen)]
  return (
    <div className="relative mr-9" style={{ height: heightPx }}>
      <svg
        role="img"
        aria-label={`Requests over time: at most ${most} in a bar of ${formatDuration(partMs)}. Its menu shows them as a table.`}
        viewBox={`0 0 ${parts.length * stepUnits} ${heightPx}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full cursor-crosshair touch-pan-y"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setStart(partAt(event))
          setHovered(partAt(event))
        }}
        onPointerMove={(event) => setHovered(partAt(event))}
        onPointerUp={(event) => {
          const [from, to] = [parts[Math.min(start ?? 0, partAt(event))], parts[Math.max(start ?? 0, partAt(event))]]
          setStart(undefined)
          if (start !== undefined && from && to) onRange(from.at, endOf(to.at, partMs))
        }}
        onPointerCancel={() => setStart(undefined)}
        onPointerLeave={() => start === undefined && setHovered(undefined)}
      >
        {first >= 0 && (
          <rect
            x={first * stepUnits}
            y={0}
            width={(last - first + 1) * stepUnits}
            height={heightPx}
            className={start === undefined ? 'fill-sunken' : 'fill-thread-wash'}
          />
        )}
        {parts.map((part, index) => (
          <Bar key={part.at} part={part} x={index * stepUnits} most={most} />
        ))}
      </svg>
      <div className="pointer-events-none absolute inset-x-0 bottom-0 border-line border-t" />
      {hovered !== undefined && <HoverNote series={series} first={first} last={last} />}
    </div>
  )
}

interface BarProps {
  readonly part: Part
  readonly x: number
  /** The count at the chart's upper edge. */
  readonly most: number
}

function Bar({ part, x, most }: BarProps) {
  let top = heightPx
  return stacked.map(({ name, fill }) => {
    if (part[name] === 0) return null
    // One request among thousands is still to be seen.
    const height = Math.max(1.5, (part[name] / most) * (heightPx - 4))
    top -= height
    return <rect key={name} x={x + 1} y={top} width={stepUnits - 2} height={height} className={fill} />
  })
}

interface HoverNoteProps {
  readonly series: RequestSeries
  readonly first: number
  readonly last: number
}

function HoverNote({ series: { parts, partMs }, first, last }: HoverNoteProps) {
  const shown = parts.slice(first, last + 1)
  const [from, to] = [shown[0], shown.at(-1)]
  if (!from || !to) return null
  const middle = (first + last + 1) / 2
  return (
    <div
      className={classes(
        'tabular pointer-events-none absolute top-1 z-10 whitespace-nowrap rounded-control bg-surface px-2 py-1 text-sm shadow-float',
        middle > parts.length / 2 ? '-translate-x-[calc(100%+8px)]' : 'translate-x-2',
      )}
      style={{ left: `${(middle / parts.length) * 100}%` }}
    >
      <div className="text-ink-2">
        {formatPartTime(from.at, partMs)}–{formatPartTime(endOf(to.at, partMs), partMs)}
      </div>
      {chartClasses.map(({ name, label, text }) => {
        const count = shown.reduce((sum, part) => sum + part[name], 0)
        return count === 0 ? null : (
          <div key={name} className={text}>
            {count.toLocaleString('en-GB')} {label}
          </div>
        )
      })}
      {first === last && countOf(from) > 0 && <div className="text-ink-2">p95 {formatDuration(from.p95Ms)}</div>}
      {shown.every((part) => countOf(part) === 0) && <div className="text-ink-2">no requests</div>}
    </div>
  )
}
