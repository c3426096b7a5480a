/** A property with a column. */
export interface StoredColumn {
  readonly property: string
  /** Since when no statement begins to read it; null while it is read. */
  readonly leavingAt: Date | null
}

/** What is known when columns are chosen. */
export interface ColumnChoice {
  /** How often each property was asked for lately. */
  readonly uses: ReadonlyMap<string, number>
  readonly columns: readonly StoredColumn[]
  /** Most columns. */
  readonly most: number
  /** Uses that a new column needs. */
  readonly fewest: number
  /** A column that has left before then is read by no statement any more. */
  readonly leftBefore: Date
}

/** What is done with columns, by their properties. */
export interface ColumnPlan {
  readonly add: readonly string[]
  /** Left, and are wanted again. */
  readonly keep: readonly string[]
  readonly leave: readonly string[]
  readonly drop: readonly string[]
}

/** So much more than the least used column another property must be asked for to have its place: a column is written once for all events. */
const margin = 2

/**
 * Chooses the properties that have a column: those that were asked for most. One that has a column keeps it as long as it is asked
 * for at all, unless there is no place and another one is asked for much more.
 */
export function planColumns({ uses, columns, most, fewest, leftBefore }: ColumnChoice): ColumnPlan {
  const stored = new Map(columns.map((column) => [column.property, column]))
  const worth = ([property, count]: readonly [string, number]): number => {
    if (stored.get(property)?.leavingAt === null) return count * margin
    return stored.has(property) || count >= fewest ? count : 0
  }
  const wanted = new Set(
    [...uses]
      .map((use) => ({ property: use[0], worth: worth(use) }))
      .filter((use) => use.worth > 0)
      .sort((left, right) => right.worth - left.worth || (left.property < right.property ? -1 : 1))
      .slice(0, most)
      .map(({ property }) => property),
  )
  const isGone = ({ leavingAt }: StoredColumn): boolean => leavingAt !== null && leavingAt < leftBefore
  const unwanted = columns.filter(({ property }) => !wanted.has(property))
  const names = (list: readonly StoredColumn[]): readonly string[] => list.map(({ property }) => property)
  return {
    add: [...wanted].filter((property) => !stored.has(property)),
    keep: names(columns.filter(({ property, leavingAt }) => wanted.has(property) && leavingAt !== null)),
    leave: names(unwanted.filter(({ leavingAt }) => leavingAt === null)),
    drop: names(unwanted.filter(isGone)),
  }
}
