import { readBack } from './read-back.ts'

/** The rows that have one of some names, as a count by name tells. */
export interface NamedRows {
  readonly rows: number
  readonly first: Date
  readonly last: Date
}

/** Where rows of some names are looked for. */
export interface ReadNamed<Found> {
  readonly limit: number
  readonly named: NamedRows
  /** More rows than that are common: the newest of them are near. */
  readonly commonRows: number
  /** The rows since an instant, or those of the names that were used last; newest first, up to the limit. */
  readonly rare: (since: Date) => Promise<readonly Found[]>
  /** The rows of all names since an instant; newest first, up to the limit. */
  readonly common: (since: Date) => Promise<readonly Found[]>
}

/** Rows of one name are so many for each that is found, as a rule: the events of a page that a session saw. */
const rowsPerFound = 4

/** The newest rows that have one of some names, back from the last: few are read by their names, many by their time. */
export async function readNamed<Found>({
  limit,
  named,
  commonRows,
  rare,
  common,
}: ReadNamed<Found>): Promise<readonly Found[]> {
  const { rows, first, last } = named
  if (rows === 0) return []
  const find = rows <= commonRows ? rare : common
  const expectedMs = ((last.getTime() - first.getTime()) * limit * rowsPerFound) / rows
  return readBack({ limit, from: last, first, expectedMs, find: (since) => find(since ?? first) })
}
