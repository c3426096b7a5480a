import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Editor, Sql } from '../../../engines/postgres/index.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'

/** A table or view with its columns in their order. */
export interface CatalogueTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** The names that an editor offers. */
export interface Catalogue {
  readonly tables: readonly CatalogueTable[]
  readonly functions: readonly { readonly schema: string; readonly name: string }[]
  /** The roles that statements may run as, the editor's own first; none in ClickHouse. */
  readonly roles: readonly string[]
}

/** More tables or functions are left out. */
const most = 2_000

/** The names of PostgreSQL that the application's owner sees, without the system's. */
export async function readPostgresCatalogue(
  reader: Pick<Sql, 'query'>,
  editor: Pick<Editor, 'role'>,
): Promise<Catalogue> {
  const [tables, functions, roles] = await Promise.all([
    reader.query<CatalogueTable>(tablesStatement),
    reader.query<Catalogue['functions'][number]>(functionsStatement),
    reader.query<{ name: string }>(rolesStatement(editor.role)),
  ])
  return {
    tables: tables.rows,
    functions: functions.rows,
    roles: [editor.role, ...roles.rows.map(({ name }) => name)],
  }
}

const ownSchemas = sql`
  n.nspname !~ '^(pg_|clew(_|$))' and n.nspname <> 'information_schema'
  and pg_catalog.has_schema_privilege(n.oid, 'usage')`

const tablesStatement: Statement = compile(sql`
  select n.nspname as schema, c.relname as name,
    (
      select coalesce(json_agg(json_build_object(
        'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod)
      ) order by a.attnum), '[]')
      from pg_catalog.pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and ${ownSchemas}
  order by n.nspname <> 'public', n.nspname, c.relname
  limit ${most}`)

const functionsStatement: Statement = compile(sql`
  select distinct n.nspname as schema, p.proname as name
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where p.prokind <> 'a' and p.prorettype <> 'pg_catalog.trigger'::pg_catalog.regtype and ${ownSchemas}
  order by n.nspname, p.proname
  limit ${most}`)

/** Those that the application's requests run as come first. */
const rolesStatement = (own: string): Statement =>
  compile(sql`
    select rolname as name
    from pg_catalog.pg_roles
    where not rolsuper and rolname <> ${own} and rolname !~ '^pg_' and pg_catalog.pg_has_role(current_user, oid, 'member')
    order by rolname not in ('anon', 'authenticated', 'service_role'), rolname
    limit 100`)

/** The tables of events, recordings, requests and row changes. */
export async function readClickHouseCatalogue(clickhouse: Pick<ClickHouse, 'query'>): Promise<Catalogue> {
  const columns = await clickhouse.query<{ table: string; name: string; type: string }>(
    compileClickHouse(sql`
      select table, name, type from system.columns where database = currentDatabase() order by table, position`),
  )
  const byTable = new Map<string, { readonly name: string; readonly type: string }[]>()
  for (const { table, ...column } of columns) byTable.set(table, [...(byTable.get(table) ?? []), column])
  const tables = [...byTable].map(([name, found]) => ({ schema: 'clew', name, columns: found }))
  return { tables, functions: [], roles: [] }
}
