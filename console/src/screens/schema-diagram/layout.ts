import { Graph, layout } from '@dagrejs/dagre'
import type { DiagramTable } from '../../lib/api/schema.ts'

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

/** Places tables by their references: those that are named stand to the right of those that name them, others below. */
export function placeTables(tables: readonly DiagramTable[]): ReadonlyMap<string, Place> {
  const names = new Set(tables.map(({ name }) => name))
  const lines = tables.flatMap((table) =>
    table.references
      .filter((reference) => reference.schema === table.schema && names.has(reference.table))
      .map((reference) => [table.name, reference.table] as const),
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

function placeJoined(
  tables: readonly DiagramTable[],
  lines: readonly (readonly [string, string])[],
): Map<string, Place> {
  const graph = new Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'LR', nodesep: gap, ranksep: 96 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const table of tables) graph.setNode(table.name, { width: tableWidth, height: heightOf(table) })
  for (const [from, to] of lines) if (from !== to) graph.setEdge(from, to)
  layout(graph)
  return new Map(
    tables.map((table) => {
      const { x, y } = graph.node(table.name)
      return [table.name, { x: x - tableWidth / 2, y: y - heightOf(table) / 2 }]
    }),
  )
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
