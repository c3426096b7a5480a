import type { ChartData } from '../../charts/chart-data.ts'
import type { SqlResult } from '../../lib/api/schemas.ts'

const numeric =
  /^(smallint|integer|bigint|numeric|real|double precision|money|U?Int\d+|Float\d+|Decimal|Nullable\((U?Int|Float|Decimal))/
const times = /^(timestamp|date|Date|Nullable\(Date)/
/** More lines cannot be told apart. */
const mostSeries = 8

/** Draws numbers along the first column that is a time, else along the first that is no number; null where there is none. */
export function chartOf({ columns, rows }: Pick<SqlResult, 'columns' | 'rows'>): ChartData | null {
  const all = (columns ?? []).map((column, index) => ({ ...column, index }))
  const numbers = all.filter(({ type }) => numeric.test(type))
  const along = all.find(({ type }) => times.test(type)) ?? all.find(({ type }) => !numeric.test(type)) ?? numbers[0]
  const drawn = numbers.filter(({ index }) => index !== along?.index).slice(0, mostSeries)
  if (along === undefined || drawn.length === 0 || rows.length === 0) return null
  const isTime = times.test(along.type)
  const points = rows.map((row, number) => ({ row, x: isTime ? secondsOf(row[along.index]) : number }))
  const known = points.filter(({ x }) => x !== null)
  const ordered = isTime ? known.toSorted((a, b) => (a.x ?? 0) - (b.x ?? 0)) : known
  return {
    along: along.name,
    xs: ordered.map(({ x }) => x ?? 0),
    isTime,
    labels: ordered.map(({ row }) => row[along.index] ?? 'null'),
    series: drawn.map(({ name, index }) => ({ name, values: ordered.map(({ row }) => numberOf(row[index])) })),
  }
}

/** PostgreSQL writes `2026-01-02 03:04:05.6+00`, ClickHouse no zone, which is UTC. */
function secondsOf(text: string | null | undefined): number | null {
  if (text == null) return null
  const [date = '', time = '00:00:00', zone = 'Z'] =
    /^(\S+?)(?:[ T]([\d:.]+)(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(text)?.slice(1) ?? []
  const ms = Date.parse(`${date}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`)
  return Number.isNaN(ms) ? null : ms / 1000
}

function numberOf(text: string | null | undefined): number | null {
  const value = text == null || text === '' ? Number.NaN : Number(text.replace(/[$,]/g, ''))
  return Number.isFinite(value) ? value : null
}
