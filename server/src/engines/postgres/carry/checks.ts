import { compile } from '../../../ground/sql/postgres.ts'
import { withoutLeading } from '../../../ground/sql/split.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import { carryFailed } from './carried-server.ts'
import { runAll } from './definitions.ts'
import type { Owned, Owners } from './owners.ts'

const altered = /^ALTER (TABLE|DOMAIN)(?: ONLY)? "((?:[^"]|"")*)"\."((?:[^"]|"")*)"/

/** Adds checks to tables and domains that have their rows, each as the owner: the check's functions are the application's. */
export async function addChecks(own: BulkConnection, owners: Owners, checks: readonly string[]): Promise<void> {
  for (const check of checks) {
    const owned = await findOwned(own, check)
    if (owned === null) throw carryFailed(`The owner of a check was not found: ${withoutLeading(check)}`)
    await runAll(await owners.connectionOf(owned, false), [check])
  }
}

async function findOwned({ query }: BulkConnection, check: string): Promise<Owned | null> {
  const [, kind = '', ...quoted] = altered.exec(withoutLeading(check)) ?? []
  const [schema, name] = quoted.map((part) => part.replaceAll('""', '"'))
  const { rows } = await query<Owned>(
    compile(sql`
      select n.nspname as schema, o.name, r.rolname as owner, r.rolsuper as "isOwnerSuperuser"
      from (
        select 'TABLE' as kind, relnamespace as namespace, relname as name, relowner as owner from pg_class
        union all
        select 'DOMAIN', typnamespace, typname, typowner from pg_type where typtype = 'd'
      ) o
      join pg_namespace n on n.oid = o.namespace
      join pg_authid r on r.oid = o.owner
      where o.kind = ${kind} and n.nspname = ${schema} and o.name = ${name}`),
  )
  return rows[0] ?? null
}
