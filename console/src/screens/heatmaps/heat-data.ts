import type { ChartData } from '../../charts/chart-data.ts'
import type { Heatmap, ScrollMap } from '../../lib/api/schemas.ts'
import type { Area, DrawnKind, PointKind } from './search.ts'

/** A cell of the grid over a page, with how many positions are in it. */
export interface Cell extends Area {
  readonly points: number
}

/** What each kind is called, of one and of more. */
export const kindNames: Readonly<Record<DrawnKind, string>> = {
  click: 'Clicks',
  rageclick: 'Rage clicks',
  deadclick: 'Dead clicks',
  mousemove: 'Movement',
  scroll: 'Scroll depth',
}

const counted: Readonly<Record<PointKind, readonly [one: string, more: string]>> = {
  click: ['click', 'clicks'],
  rageclick: ['rage click', 'rage clicks'],
  deadclick: ['dead click', 'dead clicks'],
  mousemove: ['resting place of the pointer', 'resting places of the pointer'],
}

/** A number of positions in words. */
export const countText = (kind: PointKind, points: number): string =>
  `${points.toLocaleString('en')} ${counted[kind][points === 1 ? 0 : 1]}`

/** The cells of a map, those with the most first. */
export function cellsOf(map: Heatmap, isFixed: boolean): readonly Cell[] {
  const { columns, rows, points } = isFixed ? map.fixedCells : map.cells
  return columns.map((column, index) => {
    const row = rows[index] ?? 0
    return {
      fromX: column / map.gridColumns,
      toX: (column + 1) / map.gridColumns,
      fromY: row * map.rowPx,
      toY: (row + 1) * map.rowPx,
      points: points[index] ?? 0,
    }
  })
}

/** How many positions lie in the cells that touch an area. */
export const pointsIn = (cells: readonly Cell[], area: Area): number =>
  cells.reduce((sum, cell) => (touches(cell, area) ? sum + cell.points : sum), 0)

const touches = (cell: Area, area: Area): boolean =>
  cell.toX > area.fromX && cell.fromX < area.toX && cell.toY > area.fromY && cell.fromY < area.toY

/** The square around a place that a press chooses, `reachPx` to each side; it stays on the page. */
export const areaAround = (x: number, y: number, width: number, reachPx: number): Area => ({
  fromX: Math.max(0, x - reachPx / width),
  toX: Math.min(1, x + reachPx / width),
  fromY: Math.max(0, y - reachPx),
  toY: y + reachPx,
})

const percent = (part: number): string => `${Math.round(part * 1000) / 10}`

/** An area in words. */
export const areaText = ({ fromX, toX, fromY, toY }: Area): string =>
  `${percent(fromX)}–${percent(toX)} % across, ${Math.round(fromY)}–${Math.round(toY)} px down`

/** The cells as the numbers of a chart. */
export const heatChart = (cells: readonly Cell[], kind: PointKind): ChartData => ({
  ...{ along: 'Place', isTime: false, xs: cells.map((_, index) => index), labels: cells.map(areaText) },
  series: [
    { name: kindNames[kind], values: cells.map(({ points }) => points), text: 'text-ink' },
    { name: 'Across', unit: '%', values: cells.map(({ fromX }) => Number(percent(fromX))), isDrawn: false },
    { name: 'Down in pixels', values: cells.map(({ fromY }) => fromY), isDrawn: false },
  ],
})

/** A band of a page with the views that reached it. */
export interface Band {
  /** In parts of the page's height. */
  readonly from: number
  readonly to: number
  readonly reached: number
  /** In hundredths of all views. */
  readonly share: number
}

export const bandsOf = ({ reached, views }: ScrollMap): readonly Band[] =>
  reached.map((count, index) => ({
    ...{ from: index / reached.length, to: (index + 1) / reached.length, reached: count },
    share: views === 0 ? 0 : Math.round((count / views) * 100),
  }))

/** The bands as the numbers of a chart. */
export const scrollChart = (bands: readonly Band[]): ChartData => ({
  ...{ along: 'Depth', isTime: false, xs: bands.map((_, index) => index) },
  labels: bands.map(({ from, to }) => `${percent(from)}–${percent(to)} %`),
  series: [
    { name: 'Views', values: bands.map(({ reached }) => reached), text: 'text-ink' },
    { name: 'Share', unit: '%', values: bands.map(({ share }) => share), text: 'text-ink', isDrawn: false },
  ],
})
