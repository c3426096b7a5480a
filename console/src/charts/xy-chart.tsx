import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { formatExact } from '../ui/time-text.ts'

interface XyChartProps {
  readonly label: string
  /** Unix seconds where `isTime`; else whole numbers, whose names stand in `names`. */
  readonly xs: readonly number[]
  readonly isTime: boolean
  readonly names: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
  readonly look: 'lines' | 'bars'
}

/** Numbers along a time or a row of names, at the size of their place; the legend hides and shows a series. */
export function XyChart({ label, xs, isTime, names, series, look }: XyChartProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = host
    if (current === null) return
    const colours = getComputedStyle(current)
    const plot = new UPlot(
      { ...optionsOf({ isTime, names, series, look }, (name) => colours.getPropertyValue(name)), ...sizeOf(current) },
      [[...xs], ...series.map(({ values }) => [...values])],
      current,
    )
    const resized = new ResizeObserver(() => plot.setSize(sizeOf(current)))
    resized.observe(current)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [xs, isTime, names, series, look])
  return (
    <div
      ref={host}
      role="img"
      aria-label={label}
      className="min-h-0 flex-1 overflow-hidden px-2 pt-3 [&_.u-legend]:text-sm! [&_.uplot]:font-sans! [&_th]:font-medium!"
    />
  )
}

const days = new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric' })
const clocks = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Below the drawing stands the legend. */
const legendPx = 40

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: Math.max(200, clientWidth - 16),
  height: Math.max(120, clientHeight - legendPx - 12),
})

function optionsOf(
  { isTime, names, series, look }: Pick<XyChartProps, 'isTime' | 'names' | 'series' | 'look'>,
  colour: (name: string) => string,
): Omit<UPlot.Options, 'width' | 'height'> {
  const nameOf = (x: number): string => (Number.isInteger(x) ? (names[x] ?? '') : '')
  const axis = {
    stroke: colour('--ink-2'),
    font: `11px ${colour('--font-sans')}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  }
  const timesOf = (_: UPlot, splits: readonly number[], __: number, ___: number, step: number): string[] =>
    splits.map((seconds) => (step >= 86_400 ? days : clocks).format(new Date(seconds * 1000)))
  const paths = look === 'bars' ? UPlot.paths.bars?.({ size: [0.7, 48] }) : undefined
  return {
    // Half a bar of room at both ends.
    scales: {
      x: { time: isTime, ...(look === 'bars' && !isTime && { range: (_, min, max) => [min - 0.5, max + 0.5] }) },
    },
    axes: [
      { ...axis, values: isTime ? timesOf : (_, splits) => splits.map(nameOf) },
      { ...axis, size: 64 },
    ],
    series: [
      isTime
        ? { label: 'Time', value: (_, x) => (x === null ? '–' : formatExact(new Date(x * 1000))) }
        : { label: 'Row', value: (_, x) => (x === null ? '–' : nameOf(x)) },
      ...series.map(({ name }, index) => ({
        label: name,
        stroke: colour(`--series-${(index % 8) + 1}`),
        width: 1.5,
        ...(look === 'bars' && { fill: colour(`--series-${(index % 8) + 1}`) }),
        ...(paths && { paths }),
        points: { show: look === 'lines' && names.length < 100 },
      })),
    ],
  }
}
