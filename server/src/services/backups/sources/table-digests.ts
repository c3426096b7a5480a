import type { CopiedServer } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { identifier, sql, typed } from '../../../ground/sql/sql.ts'

type Database = Pick<CopiedServer, 'query'>

/** The digests of tables by their names; null for one that is too large. */
export type TableDigests = ReadonlyMap<string, string | null>

interface TableRow {
  readonly schema: string
  readonly name: string
  readonly isLarge: boolean
}

/**
 * Digests of all tables: the count of the rows, and a sum over where each stands in its file and which transaction wrote it.
 * A copy of the files has equal ones, unless rows were written.
 *
 * @param mostBytes of a table that is read for it
 */
export async function digestTables(database: Database, mostBytes: number): Promise<TableDigests> {
  const digests = new Map<string, string | null>()
  for (const { schema, name, isLarge } of await database.query<TableRow>(selectTables(mostBytes))) {
    const [found] = isLarge ? [] : await database.query<{ digest: string }>(digestStatement(schema, name))
    digests.set(`${schema}.${name}`, found?.digest ?? null)
  }
  return digests
}

/** Digests of tables that are equal before and after; null for all others. */
export const unchangedTables = (before: TableDigests, after: TableDigests) =>
  [...after].map(([name, digest]) => ({ name, digest: before.get(name) === digest ? digest : null }))

const selectTables = (mostBytes: number): Statement =>
  compile(sql`
    select n.nspname as schema, c.relname as name,
      pg_catalog.pg_relation_size(c.oid) > ${typed(mostBytes, 'bigint')} as "isLarge"
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname not in ('pg_catalog', 'information_schema')
    order by 1, 2`)

const digestStatement = (schema: string, name: string): Statement =>
  compile(sql`
    select count(*) || ':' || coalesce(sum(pg_catalog.hashtextextended(t.ctid || ' ' || t.xmin, 0)), 0) as digest
    from only ${identifier(schema, name)} t`)
