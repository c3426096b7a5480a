/** A condition on `pg_namespace n`: its objects are the application's or a service's, not PostgreSQL's or Clew's own. */
export const isInspected = `n.nspname !~ '^(pg_|clew)' and n.nspname <> 'information_schema'`
