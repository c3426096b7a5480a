import type { Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'

/** Whether the tables are Clew's own: a server that brings a schema `storage` has a service for it. */
export async function hasStorageTables(on: Pick<Sql, 'query'>): Promise<boolean> {
  const { rows } = await on.query<{ installed: boolean }>(
    compile(sql`select to_regclass('clew_storage.removals') is not null as installed`),
  )
  return rows[0]?.installed === true
}
