import { type DatabaseError, isDatabaseError, type Sql } from '../../../../engines/postgres/index.ts'
import { compile } from '../../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../../ground/sql/sql.ts'
import type { Refusal, RowChange } from '../schemas.ts'
import type { DataColumn, DataTable } from '../table-catalogue.ts'

interface RefusalDeps {
  /** Finds the columns of constraints. */
  readonly catalogues: Pick<Sql, 'query'>
  /** Tries values as the application's owner. */
  readonly reader: Pick<Sql, 'query'>
}

/**
 * What PostgreSQL refused, and the columns that it concerns: by the violated constraint, or by trying which of the values
 * its column's type does not take.
 *
 * @param deps read beside the transaction that failed
 */
export async function describeRefusal(
  deps: RefusalDeps,
  error: DatabaseError,
  at: { readonly index: number; readonly change: RowChange; readonly table: DataTable } | null,
): Promise<Refusal> {
  const { code, message, detail = null, hint = null, constraint = null } = error
  const columns = at === null ? [] : await columnsOf(deps, error, at.change, at.table)
  return { index: at?.index ?? null, columns: [...columns], code, message, detail, hint, constraint }
}

async function columnsOf(
  { catalogues, reader }: RefusalDeps,
  { code, column, constraint, table: violated }: DatabaseError,
  change: RowChange,
  table: DataTable,
): Promise<readonly string[]> {
  if (column !== undefined && violated === table.name) return [column]
  if (constraint !== undefined && violated === table.name) {
    const { rows } = await catalogues.query<{ columns: readonly string[] }>(constraintStatement(table, constraint))
    return rows[0]?.columns ?? []
  }
  if (change.kind === 'delete') return []
  const values = Object.entries(change.values)
  if (code === '22001') return values.filter(([name, value]) => isTooLong(table.columns.get(name), value)).map(first)
  const refused: string[] = []
  for (const [name, value] of values) {
    const type = table.columns.get(name)?.type
    if (type !== undefined && value !== null && !(await isTaken(reader, type, value))) refused.push(name)
  }
  return refused
}

const first = ([name]: readonly [string, string | null]): string => name

const isTooLong = (column: DataColumn | undefined, value: string | null): boolean =>
  column?.maxLength != null && value !== null && [...value].length > column.maxLength

/** @param type as PostgreSQL's catalogue names it */
async function isTaken(reader: Pick<Sql, 'query'>, type: string, value: string): Promise<boolean> {
  try {
    await reader.query(compile(sql`select ${typed(value, type)}`))
    return true
  } catch (error) {
    if (!isDatabaseError(error)) throw error
    return false
  }
}

const constraintStatement = ({ schema, name }: DataTable, constraint: string) =>
  compile(sql`
    select coalesce(json_agg(a.attname order by a.attnum), '[]') as columns
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)
    where n.nspname = ${schema} and c.relname = ${name} and k.conname = ${constraint}`)
