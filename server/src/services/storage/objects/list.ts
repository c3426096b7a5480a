import { isObject } from '../../../ground/json/object.ts'
import { storageError } from '../errors.ts'

/** How list v2 sorts. */
export interface ListOrder {
  readonly column: 'name' | 'updated_at' | 'created_at'
  readonly order: 'asc' | 'desc'
}

/** Where a page ends: the next one begins behind it. */
export interface ListCursor extends ListOrder {
  /** The last name; that of a folder ends with its delimiter. */
  readonly name: string
  /** The last entry's time, ISO 8601; empty where names are sorted. */
  readonly time: string
}

/** The text of a cursor: Base64 of lines `l:name`, `o:order`, `c:column`, `a:time` (storage §8). */
function renderCursor({ name, order, column, time }: ListCursor): string {
  const lines = [`l:${name}`, `o:${order}`, ...(column === 'name' ? [] : [`c:${column}`, `a:${time}`])]
  return Buffer.from(lines.join('\n')).toString('base64')
}

/** @throws InvalidParameter for what is no cursor */
export function parseCursor(text: string): ListCursor {
  const fields = new Map(
    Buffer.from(text, 'base64')
      .toString('utf8')
      .split('\n')
      .map((line) => [line.slice(0, 2), line.slice(2)] as const),
  )
  const name = fields.get('l:')
  const order = fields.get('o:') ?? 'asc'
  const column = fields.get('c:') ?? 'name'
  const time = fields.get('a:') ?? ''
  const isSorted = (order === 'asc' || order === 'desc') && (column === 'name' || !Number.isNaN(Date.parse(time)))
  if (name === undefined || name === '' || name.includes('\0') || !isSorted || !isColumn(column))
    throw storageError('InvalidParameter', { message: 'Invalid Parameter cursor' })
  return { name, order, column, time }
}

const isColumn = (text: string): text is ListOrder['column'] => ['name', 'updated_at', 'created_at'].includes(text)

/** One entry of a page: an object, or a folder, whose `id` is null. */
interface Entry {
  readonly id: string | null
  readonly name: string
  readonly updated_at: string | null
  readonly created_at: string | null
}

/** A page of list v2 (storage §8). */
export interface ListPage {
  readonly hasNext: boolean
  readonly nextCursor?: string
  readonly nextCursorKey?: string
  readonly folders: readonly object[]
  readonly objects: readonly object[]
}

/**
 * The page of the entries found.
 *
 * @param found one entry more than `limit` where there is a next page; as JSON
 */
export function toPage(found: string, limit: number, { column, order }: ListOrder): ListPage {
  // The database's own JSON of `listStatement`.
  const entries = (JSON.parse(found) as unknown[]).filter(isObject) as unknown as readonly Entry[]
  const named = entries
    .slice(0, limit)
    .map((entry) => (entry.id === null ? { ...entry, name: `${entry.name}/` } : entry))
  const page = { folders: named.filter(({ id }) => id === null), objects: named.filter(({ id }) => id !== null) }
  const last = named.at(-1)
  if (entries.length <= limit || last === undefined) return { hasNext: false, ...page }
  const time = column === 'name' ? '' : (last[column] ?? '')
  return {
    hasNext: true,
    nextCursor: renderCursor({ name: last.name, order, column, time }),
    nextCursorKey: last.name,
    ...page,
  }
}
