import { isDatabaseError, type Sql } from '../../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { constant, join, sql, typed } from '../../../../ground/sql/sql.ts'
import { dataError } from '../../errors.ts'
import { qualified, quoted } from '../../render/names.ts'
import { checkColumn, mayChange } from '../changes/check.ts'
import { openingStatement } from '../changes/save.ts'
import type { ImportOutcome } from '../schemas.ts'
import type { DataTable } from '../table-catalogue.ts'
import type { ImportedRow } from './lines.ts'

export interface ImportDeps {
  /** Writes as the application's owner. */
  readonly owner: Pick<Sql, 'transaction'>
  /** How long one statement may take. */
  readonly timeoutMs: number
}

/** What is imported, and how it ends. */
export interface ImportQuestion {
  readonly table: DataTable
  /** The columns of the rows' values, in their order. */
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<ImportedRow>
  /** Whether the rows are only tried: nothing is kept. */
  readonly isTrial: boolean
  /** Names the transaction's cause to the change stream. */
  readonly causeId: string
}

type ImportError = Extract<ImportOutcome, { kind: 'refused' }>['errors'][number]

/** Rows that one statement inserts. */
const rowsOfBatch = 500
/** Errors that are told: those of a column that does not fit are one a line. */
const mostErrors = 50

/** Ends a transaction that keeps nothing. */
class NotKept extends Error {
  readonly outcome: ImportOutcome

  constructor(outcome: ImportOutcome) {
    super('Nothing is kept.')
    this.outcome = outcome
  }
}

/**
 * Inserts the rows of a file in one transaction, all of them or none. Of rows that PostgreSQL refuses the lines are told.
 *
 * @throws CLEW_DATA_READ_ONLY, CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_COLUMN_READ_ONLY, CLEW_DATA_CHANGE_EMPTY, and what `rows` throws
 */
export async function importRows({ owner, timeoutMs }: ImportDeps, question: ImportQuestion): Promise<ImportOutcome> {
  const { table, columns, rows, isTrial, causeId } = question
  checkColumns(table, columns)
  try {
    return await owner.transaction(
      async (transaction) => {
        const { count, errors } = await insertAll(transaction, table, columns, rows)
        if (errors.length > 0) throw new NotKept({ kind: 'refused', errors: [...errors] })
        const late = await tried(transaction, { text: 'set constraints all immediate', values: [] })
        if (late !== null) throw new NotKept({ kind: 'refused', errors: [{ ...late, line: null }] })
        if (isTrial) throw new NotKept({ kind: 'accepted', rows: count })
        return { kind: 'imported' as const, rows: count }
      },
      null,
      openingStatement(causeId, timeoutMs),
    )
  } catch (error) {
    if (error instanceof NotKept) return error.outcome
    throw error
  }
}

function checkColumns(table: DataTable, columns: readonly string[]): void {
  if (!mayChange(table, 'insert')) throw dataError('CLEW_DATA_READ_ONLY', { details: `${table.schema}.${table.name}` })
  if (columns.length === 0 || new Set(columns).size < columns.length) throw dataError('CLEW_DATA_CHANGE_EMPTY')
  for (const name of columns) checkColumn(table, name)
}

async function insertAll(
  transaction: Sql,
  table: DataTable,
  columns: readonly string[],
  rows: AsyncIterable<ImportedRow>,
): Promise<{ readonly count: number; readonly errors: readonly ImportError[] }> {
  const errors: ImportError[] = []
  let count = 0
  let batch: ImportedRow[] = []
  const flush = async (): Promise<void> => {
    count += batch.length
    errors.push(...(await insertBatch(transaction, table, columns, batch)))
    batch = []
  }
  for await (const row of rows) {
    batch.push(row)
    if (batch.length === rowsOfBatch) await flush()
    if (errors.length >= mostErrors) return { count, errors: errors.slice(0, mostErrors) }
  }
  if (batch.length > 0) await flush()
  return { count, errors: errors.slice(0, mostErrors) }
}

/** Inserts rows together, or, where PostgreSQL refuses one of them, one by one to learn which. */
async function insertBatch(
  transaction: Sql,
  table: DataTable,
  columns: readonly string[],
  rows: readonly ImportedRow[],
): Promise<readonly ImportError[]> {
  const insert = (some: readonly ImportedRow[]) => tried(transaction, insertStatement(table, columns, some))
  if ((await insert(rows)) === null) return []
  const errors: ImportError[] = []
  for (const row of rows) {
    const problem = await insert([row])
    if (problem !== null) errors.push({ ...problem, line: row.line })
    if (errors.length === mostErrors) break
  }
  return errors
}

/** Runs a statement of a transaction, which goes on where it is refused. @returns what was refused, or null */
async function tried(transaction: Sql, statement: Statement): Promise<Omit<ImportError, 'line'> | null> {
  await transaction.query({ text: 'savepoint clew_import', values: [] })
  try {
    await transaction.query(statement)
    await transaction.query({ text: 'release savepoint clew_import', values: [] })
    return null
  } catch (error) {
    if (!isDatabaseError(error)) throw error
    await transaction.query({ text: 'rollback to savepoint clew_import', values: [] })
    const { code, message, detail = null, column = null } = error
    return { code, message, detail, column }
  }
}

/**
 * Values are read by the type below a column's domain and modifier, and assigned then: a text that is too long is refused and
 * not cut.
 */
function insertStatement(table: DataTable, columns: readonly string[], rows: readonly ImportedRow[]): Statement {
  const known = columns.flatMap((name) => table.columns.get(name) ?? [])
  const overrides = known.some(({ identity }) => identity === 'always') ? sql` overriding system value` : sql``
  const values = known.map(
    ({ baseType }, index) => sql`(r.value ->> ${constant(String(index))})::${constant(baseType)}`,
  )
  return compile(sql`
    insert into ${qualified(table)} (${join(columns.map((name) => quoted(name)))})${overrides}
    select ${join(values)}
    from pg_catalog.json_array_elements(${typed(JSON.stringify(rows.map((row) => row.values)), 'json')}) r (value)`)
}
