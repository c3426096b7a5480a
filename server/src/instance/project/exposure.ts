import type { Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { type SqlFragment, sql } from '../../ground/sql/sql.ts'

/**
 * Decides whether what the owner creates in `public` from now on is granted to the API's roles by default
 * (`api.auto_expose_new_tables`, project-folder §4). Migrations may decide otherwise later.
 */
export async function setExposure(owner: Sql, exposes: boolean): Promise<void> {
  await owner.transaction(async (tx) => {
    for (const statement of exposes ? grantByDefault : revokeByDefault) await tx.query(compile(statement))
  })
}

const grantByDefault: readonly SqlFragment[] = [
  sql`alter default privileges in schema public grant all on tables to anon, authenticated, service_role`,
  sql`alter default privileges in schema public grant all on sequences to anon, authenticated, service_role`,
  sql`alter default privileges in schema public grant all on functions to anon, authenticated, service_role`,
]

const revokeByDefault: readonly SqlFragment[] = [
  sql`alter default privileges in schema public revoke all on tables from anon, authenticated, service_role`,
  sql`alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role`,
  sql`alter default privileges in schema public revoke all on functions from anon, authenticated, service_role`,
]
