import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, identifier, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { RestSettings } from '../settings.ts'
import { databaseName, restNames } from './names.ts'
import { readReference } from './read.ts'

const prefix = 'pgrst.'

const settable = Object.entries(restNames).filter(([, { inDatabase }]) => inDatabase)

/** `schema.function`, or a function of the search path. */
export const functionName = (qualified: string): SqlFragment => {
  const [first = '', ...rest] = qualified.split('.')
  return rest.length === 0 ? identifier(first) : identifier(first, rest.join('.'))
}

const fromFunction = (preConfig: string | null): SqlFragment =>
  preConfig === null
    ? constant('')
    : sql`
      union all
      select 0, name, case when f.called is not null then pg_catalog.current_setting(name, true) end
      from (select ${functionName(preConfig)}() is null as called) f, unnest(${typed(namesInDatabase, 'text[]')}) name`

const namesInDatabase = settable.map(([, { name }]) => `${prefix}${databaseName(name)}`)

/**
 * The question for the settings that a role has in the database.
 *
 * @param role who requests log in as; null for the current role
 */
function inDatabaseStatement(role: string | null, preConfig: string | null): Statement {
  return compile(sql`
    select distinct on (name) name, value
    from (
      select case when setdatabase = 0 then 1 else 2 end as weight,
        pg_catalog.split_part(entry, '=', 1) as name,
        pg_catalog.substr(entry, pg_catalog.strpos(entry, '=') + 1) as value
      from pg_catalog.pg_db_role_setting, unnest(setconfig) entry
      where setdatabase in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
        and setrole = (select oid from pg_catalog.pg_roles where rolname = coalesce(${typed(role, 'text')}, current_user))
      ${fromFunction(preConfig)}
    ) s
    where name = any (${typed(namesInDatabase, 'text[]')}) and value is not null and (weight > 0 or value <> '')
    order by name, weight desc`)
}

/** The settings with those that the database says, which win (the reference's in-database configuration). */
export function withDatabaseSettings(
  settings: RestSettings,
  inDatabase: ReadonlyMap<string, string>,
): { readonly settings: RestSettings; readonly problems: readonly string[] } {
  const { settings: read, problems } = readReference({ inDatabase, environment: {}, file: new Map() })
  const present = settable.filter(([, { name }]) => inDatabase.has(databaseName(name)))
  const values = Object.fromEntries(
    present.map(([setting]) => [setting, (read as Readonly<Record<string, unknown>>)[setting]]),
  )
  // Each was read by its own declaration just above.
  return { settings: { ...settings, ...(values as Partial<RestSettings>) }, problems }
}

/** Asks the database for its settings, by their names without `pgrst.`. */
export async function askDatabase(
  database: Pick<Sql, 'query'>,
  role: string | null,
  preConfig: string | null,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ name: string; value: string }>(inDatabaseStatement(role, preConfig))
  return new Map(rows.map(({ name, value }) => [name.slice(prefix.length), value]))
}
