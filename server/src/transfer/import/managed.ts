/** Schemas whose objects Clew or an extension makes: a dump's definitions of them are left out. */
const managedSchemas: ReadonlySet<string> = new Set([
  ...['auth', 'storage', 'realtime', '_realtime', 'extensions', 'vault', 'cron', 'net', 'pgmq', 'pgmq_public'],
  ...['graphql', 'graphql_public', 'supabase_functions', 'supabase_migrations', '_analytics', '_supavisor'],
  ...['pgbouncer', 'pgsodium', 'pgsodium_masks', 'pgtle', 'etl', 'repack', 'dbdev', 'topology', 'tiger', 'tiger_data'],
  ...['clew', 'clew_import'],
])

/** What is imported decides which schemas belong to the platform. */
export type Origin = 'supabase' | 'postgrest'

const ownSchema = /^clew(?:_|$)/
const systemSchema = /^(?:pg_|information_schema$|_?timescaledb_)/

/** Whether the definitions of a schema stay where they are: the platform's, an extension's or the server's. */
export const isManagedSchema = (name: string, origin: Origin): boolean =>
  systemSchema.test(name) || ownSchema.test(name) || (origin === 'supabase' && managedSchemas.has(name))

/** Roles of a Supabase project, which Clew has already, and of the server. */
const managedRoles: ReadonlySet<string> = new Set([
  ...[
    'anon',
    'authenticated',
    'service_role',
    'authenticator',
    'postgres',
    'dashboard_user',
    'pgbouncer',
    'pgsodium_keyholder',
  ],
  ...['pgsodium_keyiduser', 'pgsodium_keymaker', 'pgtle_admin'],
])

/** Whether a role is not created: Clew has it, or only the hosted platform does. */
export const isManagedRole = (name: string): boolean =>
  managedRoles.has(name) || /^(?:pg_|supabase_|cli_login_)/.test(name)

/** Schemas on whose tables an application puts triggers and policies. */
export const attachableSchemas: ReadonlySet<string> = new Set(['auth', 'storage', 'realtime'])

/** Tables of Clew's own schemas that take rows, those first that others refer to. */
const mappedTables: Readonly<Record<string, readonly string[] | 'all'>> = {
  auth: 'all',
  storage: ['buckets', 'objects'],
  supabase_migrations: ['schema_migrations', 'seed_files'],
}

/** The messages of a queue, and those that it has put away. */
const ofQueue = /^[qa]_/

/** Tables of `auth` that say how its schema was made. */
const notMapped: ReadonlySet<string> = new Set(['schema_migrations', 'instances'])

/** Whether the rows of a managed table are brought into Clew's table of that name, column by column. */
export function isMapped(schema: string, table: string): boolean {
  if (schema === 'pgmq') return ofQueue.test(table)
  const tables = mappedTables[schema]
  if (tables === undefined) return false
  return tables === 'all' ? !notMapped.has(table) : tables.includes(table)
}

const referredFirst = ['users', 'sso_providers', 'oauth_clients', 'flow_state', 'sessions', 'mfa_factors']

/** Orders tables so that those come first that others refer to. */
export const byReference = (left: string, right: string): number => place(left) - place(right)

const place = (table: string): number => {
  const at = referredFirst.indexOf(table)
  return at < 0 ? referredFirst.length : at
}
