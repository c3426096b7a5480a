import type { RowTab } from './row-drawer.tsx'
import { readCaller, type TableCaller } from './view-as/caller.ts'

/** All that a link to a table says. */
export interface TableSearch {
  /** Each `column.asc` or `column.desc`, the first one first. */
  readonly sort?: readonly string[]
  /** Each `column.operator.value`. */
  readonly filter?: readonly string[]
  /** A text that any column holds. */
  readonly q?: string
  /** The open row's key, as JSON. */
  readonly row?: string
  readonly tab?: RowTab
  /** In whose place rows are read. */
  readonly as?: TableCaller['as']
  /** The user, where it is one: e-mail address or id. */
  readonly user?: string
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined || value === '' ? [] : [String(value)]

/** Reads a link; what it does not understand it leaves out. */
export function readTableSearch(search: Readonly<Record<string, unknown>>): TableSearch {
  const { row, q } = search
  const [sort, filter] = [textsOf(search.sort), textsOf(search.filter)]
  return {
    ...(sort.length > 0 ? { sort } : {}),
    ...(filter.length > 0 ? { filter } : {}),
    ...(q === undefined || q === '' ? {} : { q: String(q) }),
    // The router reads a key that is JSON as an object.
    ...(row === undefined ? {} : { row: typeof row === 'string' ? row : JSON.stringify(row) }),
    ...(search.tab === 'history' || search.tab === 'related' ? { tab: search.tab } : {}),
    ...readCaller(search),
  }
}
