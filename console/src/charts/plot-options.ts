import UPlot from 'uplot'
import { formatExact } from '../ui/time-text.ts'
import { type ChartData, colourOf, drawnSeries } from './chart-data.ts'

interface Plotted {
  readonly data: ChartData
  readonly look: 'lines' | 'bars'
  /** Of a token. */
  readonly colour: (token: string) => string
  /** How many of uPlot's pixels one of ours is; 1 on a screen. */
  readonly scale?: number
}

const days = new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric' })
const minutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const clocks = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** What uPlot is told of a chart: its scales, axes and series in the colours of the present theme. */
export function planPlot({ data, look, colour, scale = 1 }: Plotted): Omit<UPlot.Options, 'width' | 'height'> {
  const { isTime, xs, labels } = data
  const nameOf = (x: number): string => (Number.isInteger(x) ? (labels[x] ?? '') : '')
  const axis = {
    stroke: colour('--ink-2'),
    font: `${11 * scale}px ${colour('--font-sans')}`,
    grid: { stroke: colour('--line'), width: scale },
    ticks: { stroke: colour('--line'), width: scale, size: 8 * scale },
    gap: 5 * scale,
  }
  const timesOf = (_: UPlot, splits: readonly number[], __: number, ___: number, step: number): string[] =>
    splits.map((seconds) => (step >= 86_400 ? days : step >= 60 ? minutes : clocks).format(new Date(seconds * 1000)))
  const paths = look === 'bars' ? UPlot.paths.bars?.({ size: [0.7, 48 * scale] }) : undefined
  return {
    scales: {
      x: { time: isTime, ...(look === 'bars' && { range: roomForBars(data) }) },
      // A bar's length is its value only where it begins at zero.
      y:
        look === 'bars'
          ? { range: (_, min, max) => [Math.min(0, min ?? 0) * 1.05, Math.max(0, max ?? 0) * 1.05 || 1] }
          : {},
    },
    axes: [
      { ...axis, size: 30 * scale, space: 60 * scale, values: isTime ? timesOf : (_, splits) => splits.map(nameOf) },
      { ...axis, size: 64 * scale, space: 30 * scale },
    ],
    series: [
      isTime
        ? { label: 'Time', value: (_, x) => (x === null ? '–' : formatExact(new Date(x * 1000))) }
        : { label: 'Row', value: (_, x) => (x === null ? '–' : nameOf(x)) },
      ...drawnSeries(data).map((series, index) => ({
        label: series.name,
        stroke: colour(colourOf(series, index)),
        // An outline would draw bars of nothing too.
        width: look === 'bars' ? 0 : 1.5 * scale,
        ...(look === 'bars' && { fill: colour(colourOf(series, index)) }),
        ...(paths && { paths }),
        points: { show: look === 'lines' && xs.length < 100 },
      })),
    ],
  }
}

/** Half a bar of room at both ends. */
function roomForBars({ xs, isTime }: ChartData): UPlot.Scale.Range {
  const steps = xs.slice(1).map((x, index) => x - (xs[index] ?? x))
  const step = isTime ? Math.min(...steps.filter((each) => each > 0)) : 1
  const half = Number.isFinite(step) ? step / 2 : 0.5
  return (_, min, max) => [min - half, max + half]
}
