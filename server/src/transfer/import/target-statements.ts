import { compile, quoteIdentifier, type Statement } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'

const quoted = (...path: readonly string[]): string => path.map(quoteIdentifier).join('.')
const listed = (columns: readonly string[]): string => columns.map(quoteIdentifier).join(', ')
const plain = (text: string): Statement => ({ text, values: [] })

/** Text of `copy … from stdin` into a table. */
export const copyInto = (schema: string, table: string, columns: readonly string[]): string =>
  `copy ${quoted(schema, table)} (${listed(columns)}) from stdin`

/** Text of `copy … to stdout` of a table's own rows. */
export const copyFrom = (schema: string, table: string, columns: readonly string[]): string =>
  `copy ${quoted(schema, table)} (${listed(columns)}) to stdout`

/** Columns of a table that take values, with their types. */
export const selectColumnsStatement = (schema: string, table: string): Statement =>
  compile(sql`
    select a.attname::text as name, pg_catalog.format_type(a.atttypid, a.atttypmod) as type, a.attgenerated <> '' as is_generated
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relname = ${table} and c.relkind in ('r', 'p') and a.attnum > 0
      and not a.attisdropped
    order by a.attnum`)

/** A column of a table that rows go into. */
export interface TargetColumn {
  readonly name: string
  readonly type: string
  readonly is_generated: boolean
}

const staging = 'pg_temp.clew_rows'

/** Rows as they came, every column as text; gone with the transaction. */
export const createStagingStatement = (columns: readonly string[]): Statement =>
  plain(
    `create temp table clew_rows (${columns.map((name) => `${quoteIdentifier(name)} text`).join(', ')}) on commit drop`,
  )

/** Text of `copy … from stdin` into the staging table. */
export const copyIntoStaging = (columns: readonly string[]): string => `copy ${staging} (${listed(columns)}) from stdin`

/** Puts values of a dump's `insert` into the staging table. */
export const insertIntoStagingStatement = (columns: readonly string[], values: string): Statement =>
  plain(`insert into ${staging} (${listed(columns)}) ${values}`)

/** Of columns that the target lacks, those that hold a value somewhere. */
export const selectUsedColumnsStatement = (columns: readonly string[]): Statement =>
  plain(
    columns
      .map(
        (name) =>
          `select ${literal(name)} as name where exists (select from ${staging} where ${quoteIdentifier(name)} is not null)`,
      )
      .join('\nunion all\n'),
  )

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Moves the staged rows into their table; those stay out whose key or unique value is there. */
export const insertStagedStatement = (schema: string, table: string, columns: readonly TargetColumn[]): Statement =>
  plain(`
    insert into ${quoted(schema, table)} (${listed(columns.map(({ name }) => name))})
    overriding system value
    select ${columns.map(({ name, type }) => `${quoteIdentifier(name)}::${type}`).join(', ')}
    from ${staging}
    on conflict do nothing`)

/**
 * Takes the grants of Clew's default privileges from what this transaction created: a dump grants what is granted beyond
 * PostgreSQL's own defaults, and says nothing of what was never granted.
 */
export const revokeDefaultsStatement = (): Statement =>
  plain(`do $do$
    declare
      statement text;
    begin
      for statement in
        with created as (
          select case c.relkind when 'S' then 'sequence' else 'table' end as kind, c.oid::regclass::text as name,
            c.relacl as acl, c.relowner as owner
          from pg_catalog.pg_class c
          -- Not by xmin: an event trigger that changes the row may do so in a subtransaction, which has another number.
          join pg_catalog.pg_locks l on l.relation = c.oid and l.pid = pg_catalog.pg_backend_pid()
            and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())
          where l.mode = 'AccessExclusiveLock' and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
          union all
          select 'routine', p.oid::regprocedure::text, p.proacl, p.proowner
          from pg_catalog.pg_proc p
          where p.xmin = pg_catalog.pg_current_xact_id()::pg_catalog.xid
        )
        select distinct pg_catalog.format('revoke all on %s %s from %I', created.kind, created.name, r.rolname)
        from created
        cross join lateral pg_catalog.aclexplode(created.acl) a
        join pg_catalog.pg_roles r on r.oid = a.grantee
        where a.grantee <> created.owner
      loop
        execute statement;
      end loop;
    end
  $do$`)

/** Loads rows without triggers and foreign keys, for this transaction. */
export const replicaStatement = (): Statement => plain(`set local session_replication_role = 'replica'`)

/** As `replicaStatement`, for the session. */
export const replicaSessionStatement = (): Statement => plain(`set session_replication_role = 'replica'`)

/** Whether the role may load rows without triggers and foreign keys. */
export const mayReplicateStatement = (): Statement =>
  plain(`
    select coalesce((select rolsuper from pg_catalog.pg_roles where rolname = current_user), false)
      or pg_catalog.has_parameter_privilege('session_replication_role', 'set') as may`)

/** The session of an import: names are qualified, bodies are checked when they run. */
export const sessionStatements = (): readonly Statement[] => [
  plain(`set search_path = ''`),
  plain('set check_function_bodies = off'),
  plain('set client_min_messages = error'),
]

/** Since PostgreSQL 16, which roles that the session creates it may also become. */
export const selfGrantStatement = (): Statement => plain(`set createrole_self_grant = 'set, inherit'`)

/** The extensions that can be created, with their versions. */
export const selectExtensionsStatement = (): Statement =>
  plain(`
    select name::text, array_agg(version::text) as versions
    from pg_catalog.pg_available_extension_versions
    group by name`)

/** Roles that objects may be given to. */
export const selectRoleNamesStatement = (): Statement =>
  plain('select rolname::text as name from pg_catalog.pg_roles where not rolsuper')
