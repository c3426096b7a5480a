import type { DiagramTable } from '../../lib/api/schema.ts'
import { type Line, rankTables } from './ranks.ts'

/** Where a table's upper left corner is. */
export interface Place {
  readonly x: number
  readonly y: number
}

/** Of a drawn table, in pixels. */
export const tableWidth = 240
export const headHeight = 32
export const rowHeight = 22
/** More columns are counted, not drawn: keys and references are kept. */
const mostColumns = 14

type Column = DiagramTable['columns'][number]

/** The columns that are drawn, in their order: those that lines meet before others. */
export function drawnColumns({ columns, references }: DiagramTable): readonly Column[] {
  if (columns.length <= mostColumns) return columns
  const naming = new Set(references.flatMap((reference) => reference.columns))
  const isMet = ({ name, isKey }: Column) => isKey || naming.has(name)
  const others = columns.filter((column) => !isMet(column)).slice(0, mostColumns - columns.filter(isMet).length)
  return columns.filter((column) => isMet(column) || others.includes(column)).slice(0, mostColumns)
}

/** How high a table is drawn. */
export function heightOf(table: DiagramTable): number {
  const drawn = drawnColumns(table).length
  return headHeight + (drawn + (drawn < table.columns.length ? 1 : 0)) * rowHeight + 6
}

const gap = 40
const columnStep = tableWidth + 96
/** A diagram is about so many times as wide as it is high, as screens are. */
const aspect = 1.6

/** Places tables by their references: those that are named stand to the right of those that name them, others below. */
export function placeTables(tables: readonly DiagramTable[]): ReadonlyMap<string, Place> {
  const names = new Set(tables.map(({ name }) => name))
  const lines = tables.flatMap((table) =>
    table.references
      .filter(({ schema, table: to }) => schema === table.schema && names.has(to))
      .map((reference): Line => [table.name, reference.table]),
  )
  const joined = new Set(lines.flat())
  const places = placeJoined(
    tables.filter(({ name }) => joined.has(name)),
    lines,
  )
  placeAlone(
    tables.filter(({ name }) => !joined.has(name)),
    places,
    tables,
  )
  return places
}

interface Box {
  readonly name: string
  /** With the gap below it. */
  readonly height: number
}

const heightOfAll = (boxes: readonly Box[]): number => boxes.reduce((sum, { height }) => sum + height, 0)

/** Ranks as columns, a high one as several beside one another, so that the whole has about the form of a screen. */
function placeJoined(tables: readonly DiagramTable[], lines: readonly Line[]): Map<string, Place> {
  const boxes = new Map(tables.map((table) => [table.name, { name: table.name, height: heightOf(table) + gap }]))
  const ranks = rankTables(lines).map((names) =>
    names.flatMap((name) => {
      const box = boxes.get(name)
      return box === undefined ? [] : [box]
    }),
  )
  let highest = Math.max(0, ...[...boxes.values()].map(({ height }) => height))
  let columns = ranks.flatMap((rank) => fold(rank, highest))
  while (columns.length > ranks.length && columns.length * columnStep > aspect * highest) {
    highest *= 1.1
    columns = ranks.flatMap((rank) => fold(rank, highest))
  }
  const whole = Math.max(0, ...columns.map(heightOfAll))
  return new Map(
    columns.flatMap((column, index) => {
      let below = (whole - heightOfAll(column)) / 2
      return column.map(({ name, height }): [string, Place] => {
        const y = below
        below += height
        return [name, { x: index * columnStep, y }]
      })
    }),
  )
}

/** Columns of about equal height, as few as keep to the limit. */
function fold(rank: readonly Box[], highest: number): readonly (readonly Box[])[] {
  const whole = heightOfAll(rank)
  const count = Math.max(1, Math.ceil(whole / highest))
  const columns = Array.from({ length: count }, (): Box[] => [])
  let above = 0
  for (const box of rank) {
    columns[Math.min(count - 1, Math.floor(((above + box.height / 2) / whole) * count))]?.push(box)
    above += box.height
  }
  return columns.filter((column) => column.length > 0)
}

/** Tables without lines, in rows below the others, about as wide as these. */
function placeAlone(alone: readonly DiagramTable[], places: Map<string, Place>, all: readonly DiagramTable[]): void {
  const bottoms = all.flatMap((table) => {
    const place = places.get(table.name)
    return place === undefined ? [] : [place.y + heightOf(table)]
  })
  const perRow = Math.max(3, Math.ceil(Math.sqrt(all.length)))
  let top = bottoms.length === 0 ? 0 : Math.max(...bottoms) + 2 * gap
  for (let at = 0; at < alone.length; at += perRow) {
    const row = alone.slice(at, at + perRow)
    for (const [index, table] of row.entries()) places.set(table.name, { x: index * (tableWidth + gap), y: top })
    top += Math.max(...row.map(heightOf)) + gap
  }
}
