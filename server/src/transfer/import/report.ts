/** What an import did. */
export interface ImportReport {
  /** Statements that ran. */
  statements: number
  /** Objects, tables and calls that an earlier run of this import, or the instance itself, had made. */
  alreadyThere: number
  readonly tables: TableReport[]
  readonly failed: { readonly what: string; readonly reason: string }[]
  readonly notes: string[]
}

/** The rows of one table. */
export interface TableReport {
  readonly table: string
  rows: number
  /** Rows whose key or unique value was there. */
  conflicts: number
}

/** A report of nothing done. */
export const emptyReport = (): ImportReport => ({ statements: 0, alreadyThere: 0, tables: [], failed: [], notes: [] })

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

/** The report for a terminal. */
export function renderReport({ statements, alreadyThere, tables, failed, notes }: ImportReport): readonly string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const there = alreadyThere === 0 ? '' : `; ${alreadyThere} were there already`
  return [
    `${count(statements, 'statement')}, ${count(rows, 'row')} of ${count(tables.length, 'table')}${there}.`,
    ...tables
      .filter(({ conflicts }) => conflicts > 0)
      .map(
        ({ table, conflicts }) => `${table}: ${count(conflicts, 'row')} left out, whose key or unique value was there.`,
      ),
    ...notes,
    ...failed.map(({ what, reason }) => `Not imported: ${what}\n  ${reason}`),
  ]
}
