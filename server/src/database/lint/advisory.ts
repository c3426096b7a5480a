/** Schemas and extensions' members that are not of the project. */
export const ownSchema = `n.nspname !~ '^(pg_|clew)' and n.nspname not in ('information_schema', 'auth', 'cron', 'extensions',
  'graphql', 'graphql_public', 'net', 'pgmq', 'pgsodium', 'realtime', 'storage', 'supabase_functions',
  'supabase_migrations', 'vault')`

/** A table or view by its schema and name, for SQL that is run wherever names are looked for. */
export const qualifiedName = `pg_catalog.format('%I.%I', n.nspname, c.relname)`

/** How much an advisory matters. */
export type AdvisoryLevel = 'info' | 'warn' | 'error'

/** Something to look for in a schema. Names, levels and reasons are those of Supabase's linter where it has them. */
export interface Advisory {
  readonly name: string
  readonly title: string
  readonly kind: 'security' | 'performance'
  readonly level: AdvisoryLevel
  /** What to do about it. */
  readonly remedy: string
  /**
   * The objects, one a row: `object` is a text, `fix` the SQL after which it is found no more, or null. `$1` are the
   * schemas that the API shows.
   */
  readonly text: string
}
