import type { FilesReport } from '../files/move-files.ts'

/** What an import did. */
export interface ImportReport {
  /** Statements that ran. */
  statements: number
  /** Objects, tables and calls that an earlier run of this import, or the instance itself, had made. */
  alreadyThere: number
  readonly tables: TableReport[]
  readonly failed: { readonly what: string; readonly reason: string }[]
  readonly notes: string[]
  /** The files of stored objects; null where none were to be moved. */
  files: FilesReport | null
}

/** The rows of one table. */
export interface TableReport {
  readonly table: string
  rows: number
  /** Rows whose key or unique value was there. */
  conflicts: number
}

/** A report of nothing done. */
export const emptyReport = (): ImportReport => ({
  statements: 0,
  alreadyThere: 0,
  tables: [],
  failed: [],
  notes: [],
  files: null,
})

/** Adds a note, once. */
export function addNote(report: ImportReport, text: string): void {
  if (!report.notes.includes(text)) report.notes.push(text)
}

/** Counts rows of a table that came in, and those that did not. */
export function countRows(report: ImportReport, table: string, counts: Pick<TableReport, 'rows' | 'conflicts'>): void {
  const found = report.tables.find((each) => each.table === table)
  if (found === undefined) report.tables.push({ table, ...counts })
  else {
    found.rows += counts.rows
    found.conflicts += counts.conflicts
  }
}

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`

const renderFiles = ({ moved, bytes, alreadyThere }: FilesReport): string =>
  `${count(moved, 'file')} moved, ${(bytes / 1024 ** 2).toFixed(1)} MiB${alreadyThere === 0 ? '' : `; ${alreadyThere} were there already`}.`

/** The report for a terminal. */
export function renderReport({
  statements,
  alreadyThere,
  tables,
  failed,
  notes,
  files,
}: ImportReport): readonly string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const there = alreadyThere === 0 ? '' : `; ${alreadyThere} were there already`
  return [
    `${count(statements, 'statement')}, ${count(rows, 'row')} of ${count(tables.length, 'table')}${there}.`,
    ...(files === null ? [] : [renderFiles(files)]),
    ...tables
      .filter(({ conflicts }) => conflicts > 0)
      .map(
        ({ table, conflicts }) => `${table}: ${count(conflicts, 'row')} left out, whose key or unique value was there.`,
      ),
    ...notes,
    ...failed.map(({ what, reason }) => `Not imported: ${what}\n  ${reason}`),
  ]
}
