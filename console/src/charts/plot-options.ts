import UPlot from 'uplot'
import { formatExact } from '../ui/time-text.ts'
import { type ChartData, type ChartShape, colourOf, drawnSeries, formatNumber, sharedUnit } from './chart-data.ts'

interface Plotted {
  readonly data: ChartData
  readonly shape: ChartShape
  /** Of a token. */
  readonly colour: (token: string) => string
  /** How many of uPlot's pixels one of ours is; 1 on a screen. */
  readonly scale?: number
}

const days = new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric' })
const minutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const clocks = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** What uPlot is told of a chart: its scales, axes and series in the colours of the present theme. */
export function planPlot({ data, shape, colour, scale = 1 }: Plotted): Omit<UPlot.Options, 'width' | 'height'> {
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
  const isBars = shape !== 'lines'
  const drawn = drawnSeries(data)
  const unit = sharedUnit(drawn)
  const withUnit = (_: UPlot, splits: readonly number[]): string[] => splits.map((value) => formatNumber(value, unit))
  const paths = isBars ? barPaths(data, shape === 'bars' ? drawn.length : 1, scale) : undefined
  return {
    scales: {
      x: { time: isTime, ...(isBars && { range: roomForBars(data) }) },
      // A bar's length is its value only where it begins at zero.
      y: isBars ? { range: (_, min, max) => [Math.min(0, min ?? 0) * 1.05, Math.max(0, max ?? 0) * 1.05 || 1] } : {},
    },
    // Beside one another, bars have no point that all of them share.
    cursor: { points: { show: !isBars } },
    axes: [
      { ...axis, size: 30 * scale, space: 60 * scale, values: isTime ? timesOf : (_, splits) => splits.map(nameOf) },
      { ...axis, size: 64 * scale, space: 30 * scale, ...(unit && { values: withUnit }) },
    ],
    series: [
      isTime
        ? { label: 'Time', value: (_, x) => (x === null ? '–' : formatExact(new Date(x * 1000))) }
        : { label: 'Row', value: (_, x) => (x === null ? '–' : nameOf(x)) },
      ...drawn.map((series, index) => ({
        label: series.name,
        ...(series.unit && { value: (_: UPlot, value: number | null) => formatNumber(value, series.unit) }),
        stroke: colour(colourOf(series, index)),
        // An outline would draw bars of nothing too.
        width: isBars ? 0 : 1.5 * scale,
        ...(isBars && { fill: colour(colourOf(series, index)) }),
        ...(paths && { paths }),
        points: { show: !isBars && xs.length < 100 },
      })),
    ],
  }
}

/** The shortest distance of two bars along the axis. */
function stepOf({ xs, isTime }: ChartData): number {
  const steps = xs.slice(1).map((x, index) => x - (xs[index] ?? x))
  const step = isTime ? Math.min(...steps.filter((each) => each > 0)) : 1
  return Number.isFinite(step) ? step : 1
}

/** Half a bar of room at both ends. */
function roomForBars(data: ChartData): UPlot.Scale.Range {
  const half = stepOf(data) / 2
  return (_, min, max) => [min - half, max + half]
}

/** How much of its room a group of bars takes, and how wide a bar of it may be. */
const fullest = 0.7
const widestPx = 48

/** Bars in groups of as many as there are series beside one another, each group in the middle of its place. */
function barPaths(data: ChartData, beside: number, scale: number): UPlot.Series.PathBuilder | undefined {
  const step = stepOf(data)
  const widthOf = (plot: UPlot): number => {
    const pxOfOne = Math.abs(plot.valToPos(1, 'x') - plot.valToPos(0, 'x'))
    return Math.min((step * fullest) / beside, (widestPx * scale) / pxOfOne)
  }
  return UPlot.paths.bars?.({
    disp: {
      x0: {
        unit: 1,
        values: (plot, series) => {
          const place = beside === 1 ? 0.5 : beside / 2 - (series - 1)
          return data.xs.map((x) => x - place * widthOf(plot))
        },
      },
      size: { unit: 1, values: (plot) => [widthOf(plot)] },
    },
  })
}
