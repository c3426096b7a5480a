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
  /** All rows, or those of the names that were used last; newest first, up to the limit. */
  readonly rare: () => Promise<readonly Found[]>
  /** The rows of all names since an instant; newest first, up to the limit. */
  readonly common: (since: Date) => Promise<readonly Found[]>
}

/** The newest rows that have one of some names: few are read by their names, many back from the last to the first. */
export async function readNamed<Found>({
  limit,
  named,
  commonRows,
  rare,
  common,
}: ReadNamed<Found>): Promise<readonly Found[]> {
  const { rows, first, last } = named
  if (rows === 0) return []
  if (rows <= commonRows) return rare()
  return readBack({ limit, from: last, first, find: (since) => common(since ?? first) })
}
