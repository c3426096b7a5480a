import type { Statement } from '../../ground/sql/postgres.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { identifier, sql, typed } from '../../ground/sql/sql.ts'

/** Runs a statement as the database's administrator. */
export type Query = <Row extends object>(statement: Statement) => Promise<readonly Row[]>

/** Rows of the application's tables. */
export interface RowCounts {
  /** By `schema.table`. */
  readonly rows: Readonly<Record<string, number>>
  /** Tables that were not counted, as they are too large. */
  readonly largeTables: number
}

interface TableRow {
  readonly schema: string
  readonly name: string
  readonly isLarge: boolean
}

/**
 * Counts the rows of the application's tables, of its users and of its objects.
 *
 * @param mostBytes of a table that is counted
 */
export async function countRows(query: Query, mostBytes: number): Promise<RowCounts> {
  const rows: Record<string, number> = {}
  let largeTables = 0
  for (const { schema, name, isLarge } of await query<TableRow>(selectTables(mostBytes))) {
    if (isLarge) largeTables += 1
    else {
      const [found] = await query<{ rows: string }>(countStatement(schema, name))
      rows[`${schema}.${name}`] = Number(found?.rows ?? 0)
    }
  }
  return { rows, largeTables }
}

/** What became fewer or more, or is gone, a sentence each. A table that has grown too large to be counted is passed over. */
export const differences = (before: RowCounts['rows'], after: RowCounts): readonly string[] =>
  Object.entries(before).flatMap(([name, rows]) => {
    const now = after.rows[name]
    if (now === rows) return []
    if (now !== undefined) return [`${name} has ${now} rows, and had ${rows}.`]
    return after.largeTables > 0 ? [] : [`${name} is gone, and had ${rows} rows.`]
  })

// Clew's own tables are of other roles.
const selectTables = (mostBytes: number): Statement =>
  compile(sql`
    select n.nspname as schema, c.relname as name,
      pg_catalog.pg_relation_size(c.oid) > ${typed(mostBytes, 'bigint')} as "isLarge"
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and c.relpersistence = 'p'
      and (pg_catalog.pg_get_userbyid(c.relowner) = 'postgres'
        or (n.nspname, c.relname) in (('auth', 'users'), ('storage', 'objects')))
    order by 1, 2`)

const countStatement = (schema: string, name: string): Statement =>
  compile(sql`select count(*) as rows from only ${identifier(schema, name)}`)
