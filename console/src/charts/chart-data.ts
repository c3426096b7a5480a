import { renderCsv } from '../lib/export.ts'
import { formatDuration } from '../ui/time-text.ts'

/** The numbers of a chart: what is drawn, what its table shows, and what its CSV file has. */
export interface ChartData {
  /** What lies along the bottom: the heading of the first column. */
  readonly along: string
  /** Unix seconds where `isTime`; else the row's number. */
  readonly xs: readonly number[]
  readonly isTime: boolean
  /** What each x is called in the table. */
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
}

interface ChartSeries {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** Counts and numbers of an unknown unit have none. */
  readonly unit?: 'ms' | '%'
  /** The token of its colour; that of its place among the series where there is none. */
  readonly colour?: string
  /** The class of its numbers above zero in the table. */
  readonly text?: string
  /** Numbers of another unit than the drawn ones stand in the table and the file alone. */
  readonly isDrawn?: false
}

/**
 * How a chart is drawn: bars of several series stand beside one another, `stacked` on one another with the first on top, and
 * `overlaid` each before the one that it is a part of.
 */
export type ChartShape = 'lines' | 'bars' | 'overlaid' | 'stacked'

/** Whether a chart is drawn or shown as a table. */
export type ChartLook = 'chart' | 'table'

/** The series that the drawing has. */
export const drawnSeries = ({ series }: Pick<ChartData, 'series'>): readonly ChartSeries[] =>
  series.filter(({ isDrawn }) => isDrawn !== false)

/** The token of a series' colour, by its place among those that are drawn. */
export const colourOf = ({ colour }: Pick<ChartSeries, 'colour'>, index: number): string =>
  colour ?? `--series-${(index % 8) + 1}`

/** Each series as the sum of itself and those below it: drawn one before another, they stand on each other. */
export function stackedData(data: ChartData): ChartData {
  const drawn = drawnSeries(data)
  const sumFrom = (first: number, index: number): number =>
    drawn.slice(first).reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
  return {
    ...data,
    series: drawn.map((series, first) => ({ ...series, values: data.xs.map((_, index) => sumFrom(first, index)) })),
  }
}

/** All numbers of a chart as CSV: times in ISO 8601 (UTC), units in the head, what is not known left empty. */
export function chartCsv({ along, xs, isTime, labels, series }: ChartData): string {
  return renderCsv({
    columns: [along, ...series.map(headingOf)].map((name) => ({ name })),
    rows: xs.map((x, index) => [
      isTime ? new Date(x * 1000).toISOString() : (labels[index] ?? null),
      ...series.map(({ values }) => textOf(values[index])),
    ]),
  })
}

const headingOf = ({ name, unit }: ChartSeries): string => (unit === undefined ? name : `${name} (${unit})`)
const textOf = (value: number | null | undefined): string | null => (value == null ? null : String(value))

/** A number of a series as the table shows it. */
export const formatValue = ({ unit, values }: ChartSeries, index: number): string =>
  formatNumber(values[index] ?? null, unit)

/** A number with its unit; a time in the unit that fits it. */
export function formatNumber(value: number | null, unit: ChartSeries['unit']): string {
  if (value === null) return '–'
  if (unit === 'ms') return formatDuration(value)
  return unit === undefined ? String(value) : `${value} ${unit}`
}

/** The unit that all drawn series share. */
export function sharedUnit(drawn: readonly ChartSeries[]): ChartSeries['unit'] {
  const [first, ...others] = drawn
  return others.every(({ unit }) => unit === first?.unit) ? first?.unit : undefined
}

const longestName = 80

/** The name of a chart's file: its title in letters and digits of any script. */
export function chartFileName(title: string, extension: 'csv' | 'png'): string {
  const words = title.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  const name = [...words.join('-')].slice(0, longestName).join('')
  return `${name === '' ? 'chart' : name}.${extension}`
}
