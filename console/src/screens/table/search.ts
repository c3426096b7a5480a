import type { RowTab } from './row-drawer.tsx'

/** All that a link to a table says. */
export interface TableSearch {
  /** `column.asc` or `column.desc`. */
  readonly sort?: string
  /** Each `column.operator.value`. */
  readonly filter?: readonly string[]
  /** The open row's key, as JSON. */
  readonly row?: string
  readonly tab?: RowTab
}

/** Reads a link; what it does not understand it leaves out. */
export function readTableSearch(search: Readonly<Record<string, unknown>>): TableSearch {
  const { sort, row } = search
  const filter = Array.isArray(search.filter) ? search.filter.map(String) : search.filter ? [String(search.filter)] : []
  return {
    ...(typeof sort === 'string' ? { sort } : {}),
    ...(filter.length > 0 ? { filter } : {}),
    // The router reads a key that is JSON as an object.
    ...(row === undefined ? {} : { row: typeof row === 'string' ? row : JSON.stringify(row) }),
    ...(search.tab === 'history' ? { tab: 'history' } : {}),
  }
}
