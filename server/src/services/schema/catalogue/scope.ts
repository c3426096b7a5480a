import type { SqlFragment } from '../../../ground/sql/sql.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** What is shown of a database: all schemas `n` but PostgreSQL's own and Clew's. */
export const shownSchemas: SqlFragment = sql`
  n.nspname operator(pg_catalog.!~) '^(pg_|clew(_|$))' and n.nspname <> 'information_schema'`

/** Whether an object belongs to the application's owner, and not to a service, whose tables Clew keeps as they are. */
export const isOwners = (owner: SqlFragment, role: string): SqlFragment => sql`
  (pg_catalog.pg_get_userbyid(${owner}) operator(pg_catalog.!~) '^supabase_'
    and pg_catalog.pg_has_role(${typed(role, 'name')}, ${owner}, 'usage'))`

/** Whether an object belongs to an extension. */
export const ofExtension = (catalogue: SqlFragment, object: SqlFragment): SqlFragment => sql`
  exists (
    select from pg_catalog.pg_depend e
    where e.classid = ${catalogue}::pg_catalog.regclass and e.objid = ${object} and e.deptype = 'e'
  )`
