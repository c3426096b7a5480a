import type { DiagramTable } from '../../lib/api/schema.ts'
import { shortType } from '../../schema/short-type.ts'
import { drawnColumns, headHeight, heightOf, type Place, rowHeight, tableWidth } from './layout.ts'

/** The colours of a picture, as the page has them. */
export interface PictureColours {
  readonly paper: string
  readonly surface: string
  readonly line: string
  readonly ink: string
  readonly quiet: string
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const margin = 32

/** The middle of a column's row, from the upper edge of its table. */
function rowMiddle(table: DiagramTable, column: string | undefined): number {
  const index = drawnColumns(table).findIndex(({ name }) => name === column)
  return index < 0 ? headHeight / 2 : headHeight + index * rowHeight + rowHeight / 2
}

/** The diagram as an SVG file, which needs no style sheet. */
export function renderSvg(
  tables: readonly DiagramTable[],
  places: ReadonlyMap<string, Place>,
  colours: PictureColours,
): string {
  const placed = tables.flatMap((table) => {
    const place = places.get(table.name)
    return place === undefined ? [] : [{ table, place }]
  })
  const left = Math.min(0, ...placed.map(({ place }) => place.x)) - margin
  const top = Math.min(0, ...placed.map(({ place }) => place.y)) - margin
  const width = Math.max(0, ...placed.map(({ place }) => place.x + tableWidth)) + margin - left
  const height = Math.max(0, ...placed.map(({ table, place }) => place.y + heightOf(table))) + margin - top
  const body = [
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${colours.paper}"/>`,
    ...placed.flatMap(({ table, place }) => linesOf(table, place, placed, colours)),
    ...placed.map(({ table, place }) => renderTable(table, place, colours)),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, monospace" font-size="11">\n${body.join('\n')}\n</svg>\n`
}

function linesOf(
  table: DiagramTable,
  place: Place,
  placed: readonly { readonly table: DiagramTable; readonly place: Place }[],
  { quiet }: PictureColours,
): readonly string[] {
  return table.references.flatMap((reference) => {
    const to = placed.find((other) => other.table.name === reference.table && other.table.schema === reference.schema)
    if (to === undefined) return []
    const [x1, y1] = [place.x + tableWidth, place.y + rowMiddle(table, reference.columns[0])]
    const [x2, y2] = [to.place.x, to.place.y + rowMiddle(to.table, reference.foreignColumns[0])]
    const bend = Math.max(40, Math.abs(x2 - x1) / 2)
    return [`<path d="M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}" fill="none" stroke="${quiet}"/>`]
  })
}

function renderTable(table: DiagramTable, { x, y }: Place, { surface, line, ink, quiet }: PictureColours): string {
  const drawn = drawnColumns(table)
  const rows = drawn.map(({ name, type, isKey }, index) => {
    const middle = y + headHeight + index * rowHeight + rowHeight / 2 + 4
    return `<text x="${x + 12}" y="${middle}" fill="${ink}"${isKey ? ' font-weight="700"' : ''}>${escaped(cut(name, 20))}</text><text x="${x + tableWidth - 12}" y="${middle}" text-anchor="end" fill="${quiet}">${escaped(cut(shortType(type), 14))}</text>`
  })
  const rest = table.columns.length - drawn.length
  const more =
    rest === 0
      ? ''
      : `<text x="${x + 12}" y="${y + headHeight + drawn.length * rowHeight + rowHeight / 2 + 4}" fill="${quiet}">${rest} more</text>`
  return `<rect x="${x}" y="${y}" width="${tableWidth}" height="${heightOf(table)}" rx="6" fill="${surface}" stroke="${line}"/><text x="${x + 12}" y="${y + 21}" font-size="13" font-weight="700" fill="${ink}">${escaped(cut(table.name, 26))}</text><line x1="${x}" x2="${x + tableWidth}" y1="${y + headHeight}" y2="${y + headHeight}" stroke="${line}"/>${rows.join('')}${more}`
}

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** The most pixels along a side of a picture: browsers draw no larger canvas. */
const mostPixels = 8_000

/** An SVG drawn as a PNG, twice as large where that is possible. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const scale = Math.min(2, mostPixels / image.width, mostPixels / image.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width * scale)
  canvas.height = Math.round(image.height * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be drawn.'))), 'image/png')
  })
}
