import type { BulkConnection } from '../../engines/postgres/index.ts'
import { createHistoryStatements } from '../../instance/project/migrations/history.ts'
import { addNote, countRows, type ImportReport } from './report.ts'
import {
  createStagingStatement,
  insertStagedStatement,
  replicaStatement,
  selectColumnsStatement,
  selectUsedColumnsStatement,
  type TargetColumn,
} from './target-statements.ts'

/** A table and the columns that its rows come with. */
export interface IncomingTable {
  readonly schema: string
  readonly table: string
  readonly columns: readonly string[]
}

/** The dependencies of `loadMappedRows`. */
export interface MappedRowsDeps {
  readonly target: BulkConnection
  readonly mayReplicate: boolean
  readonly report: ImportReport
}

/**
 * Brings rows into a table of Clew's own, within a transaction; `fill` puts them into the staging table, and returns how
 * many there are. Columns that the table lacks are left out, and told where they held anything.
 */
export async function loadMappedRows(
  { target, mayReplicate, report }: MappedRowsDeps,
  { schema, table, columns }: IncomingTable,
  fill: () => Promise<number>,
): Promise<void> {
  const name = `${schema}.${table}`
  // A project's start makes them as well, with the first migration.
  if (schema === 'supabase_migrations') for (const statement of createHistoryStatements()) await target.query(statement)
  const { rows: known } = await target.query<TargetColumn>(selectColumnsStatement(schema, table))
  if (mayReplicate) await target.query(replicaStatement())
  await target.query(createStagingStatement(columns))
  const arrived = await fill()
  if (known.length === 0) {
    if (arrived > 0) addNote(report, `Left out: rows of ${name}, a table that Clew does not have: ${arrived}.`)
    return
  }
  const lacking = columns.filter((column) => !known.some((each) => each.name === column))
  if (lacking.length > 0) {
    const { rows: used } = await target.query<{ name: string }>(selectUsedColumnsStatement(lacking))
    for (const column of used) addNote(report, `Left out: the column ${name}.${column.name}, which Clew does not have.`)
  }
  const common = known.filter((each) => !each.is_generated && columns.includes(each.name))
  const { rowCount } = await target.query(insertStagedStatement(schema, table, common))
  countRows(report, name, { rows: rowCount, conflicts: arrived - rowCount })
}
