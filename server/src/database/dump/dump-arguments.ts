/** Schemas of services and extensions, left out of a dump of definitions: every project has them. */
const internalSchemas = [
  'information_schema',
  'pg_*',
  '_analytics',
  '_realtime',
  '_supavisor',
  'auth',
  'clew',
  'clew_*',
  'etl',
  'extensions',
  'pgbouncer',
  'realtime',
  'storage',
  'supabase_functions',
  'supabase_migrations',
  'cron',
  'dbdev',
  'graphql',
  'graphql_public',
  'net',
  'pgmq',
  'pgsodium',
  'pgsodium_masks',
  'pgtle',
  'repack',
  'tiger',
  'tiger_data',
  'timescaledb_*',
  '_timescaledb_*',
  'topology',
  'vault',
]

/** Schemas whose rows a project takes with it: users, stored objects and scheduled commands among them. */
const schemasWithRows = ['auth', 'cron', 'net', 'pgmq', 'storage', 'supabase_functions']

/** What is dumped. */
export interface DumpOptions {
  readonly schemas: readonly string[]
  /** Tables left out of a dump of rows, `schema.table`. */
  readonly exclude: readonly string[]
}

/** Schemas whose rows are left out. */
export const excludedSchemas = internalSchemas.filter((schema) => !schemasWithRows.includes(schema))

/** Tables that say how the schema of a service was made. */
export const excludedTables = ['auth.schema_migrations', 'storage.migrations', 'supabase_functions.migrations']

const named = (option: string, values: readonly string[]): readonly string[] =>
  values.map((value) => `--${option}=${value}`)

/** Options of pg_dump for definitions, as the Supabase CLI gives them. */
export const schemaArguments = ({ schemas }: DumpOptions): readonly string[] => [
  '--quote-all-identifiers',
  ...(schemas.length > 0 ? named('schema', schemas) : named('exclude-schema', internalSchemas)),
]

/** Options of pg_dump for rows, as the Supabase CLI gives them. */
export const dataArguments = ({ schemas, exclude }: DumpOptions): readonly string[] => [
  '--quote-all-identifiers',
  '--column-inserts',
  '--rows-per-insert=100000',
  ...named('exclude-table', excludedTables),
  ...named('exclude-table', exclude),
  ...(schemas.length > 0 ? named('schema', schemas) : named('exclude-schema', excludedSchemas)),
]
