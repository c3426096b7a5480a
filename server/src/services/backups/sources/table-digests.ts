import type { CopiedServer } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { identifier, sql, typed } from '../../../ground/sql/sql.ts'

type Database = Pick<CopiedServer, 'query'>

/** The digests of tables by their names; null for one that is too large, or could not be read. */
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
 * @throws what the database says of a table that cannot be read
 */
export const digestAllTables = (database: Database): Promise<TableDigests> =>
  digest(database, Number.MAX_SAFE_INTEGER, (error) => {
    throw error
  })

/**
 * As `digestAllTables`, of a running instance: a table that the application holds locked, or drops, is passed over.
 *
 * @param mostBytes of a table that is read for it
 */
export const digestQuietTables = (database: Database, mostBytes: number): Promise<TableDigests> =>
  digest(database, mostBytes, () => null)

async function digest(database: Database, mostBytes: number, failed: (error: unknown) => null): Promise<TableDigests> {
  const digests = new Map<string, string | null>()
  for (const { schema, name, isLarge } of await database.query<TableRow>(selectTables(mostBytes))) {
    const read = async (): Promise<string | null> => {
      const [found] = await database.query<{ digest: string }>(digestStatement(schema, name))
      return found?.digest ?? null
    }
    digests.set(`${schema}.${name}`, isLarge ? null : await read().catch(failed))
  }
  return digests
}

/** Tables that were there before and after, each with its digest where that is one, and null where it is not. */
export const unchangedTables = (before: TableDigests, after: TableDigests) =>
  [...after]
    .filter(([name]) => before.has(name))
    .map(([name, found]) => ({ name, digest: before.get(name) === found ? found : null }))

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
