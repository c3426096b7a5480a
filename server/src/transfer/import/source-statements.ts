import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'

const plain = (text: string): Statement => ({ text, values: [] })

/** One state of the database for everything that is read. */
export const beginStatements = (): readonly Statement[] => [
  plain('begin isolation level repeatable read read only'),
  plain(`set local search_path = ''`),
  // An error, in place of rows that a policy hides.
  plain('set local row_security = off'),
]

/** The name by which other connections read that state. */
export const exportSnapshotStatement = (): Statement => plain('select pg_catalog.pg_export_snapshot() as snapshot')

/** The schemas of the database. */
export const selectSchemasStatement = (): Statement =>
  plain('select nspname::text as name from pg_catalog.pg_namespace')

/** A table and its columns that take values. */
export interface SourceTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  /** Whether the role may read it. */
  readonly is_readable: boolean
}

/** Every table with rows of its own that no extension owns. */
export const selectTablesStatement = (): Statement =>
  plain(`
    select n.nspname::text as schema, c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns,
      pg_catalog.has_table_privilege(c.oid, 'select') as is_readable
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relpersistence <> 't' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
      and not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = c.oid and d.deptype = 'e'
      )
    group by n.nspname, c.relname, c.oid
    order by n.nspname, c.relname`)

/** Roles that requests and people log in as, with what they are members of. */
export const selectRolesStatement = (): Statement =>
  plain(`
    select r.rolname::text as name, r.rolcanlogin as can_login, r.rolinherit as inherits, r.rolbypassrls as bypasses,
      r.rolcreaterole as creates_roles, r.rolcreatedb as creates_databases, r.rolsuper as is_superuser,
      coalesce((
        select array_agg(g.rolname::text order by g.rolname)
        from pg_catalog.pg_auth_members m
        join pg_catalog.pg_roles g on g.oid = m.roleid
        where m.member = r.oid
      ), '{}') as member_of,
      coalesce((
        select array_agg(s.setting order by s.setting)
        from pg_catalog.pg_db_role_setting d
        cross join lateral unnest(d.setconfig) s (setting)
        where d.setrole = r.oid and d.setdatabase in (
          0, (select b.oid from pg_catalog.pg_database b where b.datname = pg_catalog.current_database())
        )
      ), '{}') as settings
    from pg_catalog.pg_roles r
    where r.rolname not like 'pg\\_%'
    order by r.rolname`)

/** A role of the source. */
export interface SourceRole {
  readonly name: string
  readonly can_login: boolean
  readonly inherits: boolean
  readonly bypasses: boolean
  readonly creates_roles: boolean
  readonly creates_databases: boolean
  readonly is_superuser: boolean
  readonly member_of: readonly string[]
  /** `name=value` each. */
  readonly settings: readonly string[]
}

/** Statements that set every used sequence to its next value. */
export const selectSequencesStatement = (): Statement =>
  plain(`
    select schemaname::text as schema, pg_catalog.format(
      'select pg_catalog.setval(%L, %s, true)',
      pg_catalog.format('%I.%I', schemaname, sequencename), last_value
    ) as text
    from pg_catalog.pg_sequences
    where last_value is not null
    order by schemaname, sequencename`)

/** Materialized views that hold rows. */
export const selectMaterializedViewsStatement = (): Statement =>
  plain(`
    select n.nspname::text as schema, pg_catalog.format('refresh materialized view %I.%I', n.nspname, c.relname) as text
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'm' and c.relispopulated
    order by c.oid`)

/** Definitions that an application has put on tables of the platform: triggers that call its functions, and policies. */
export const selectAttachmentsStatement = (): Statement =>
  plain(`
    select n.nspname::text as schema, f.nspname::text as function_schema, pg_catalog.pg_get_triggerdef(t.oid) as text
    from pg_catalog.pg_trigger t
    join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_proc p on p.oid = t.tgfoid
    join pg_catalog.pg_namespace f on f.oid = p.pronamespace
    where not t.tgisinternal
    union all
    select p.schemaname::text, null, pg_catalog.concat(
      pg_catalog.format(
        'create policy %I on %I.%I as %s for %s to %s', p.policyname, p.schemaname, p.tablename, p.permissive, p.cmd,
        (select pg_catalog.string_agg(case r when 'public' then r else pg_catalog.quote_ident(r) end, ', ') from unnest(p.roles) r)
      ),
      ' using (' || p.qual || ')', ' with check (' || p.with_check || ')'
    )
    from pg_catalog.pg_policies p
    order by 3`)

/** Which of the platform's parts the database has. */
export const selectPartsStatement = (): Statement =>
  plain(`
    select pg_catalog.to_regclass('cron.job') is not null as cron,
      pg_catalog.to_regclass('vault.decrypted_secrets') is not null as vault,
      pg_catalog.to_regclass('storage.objects') is not null as storage,
      pg_catalog.to_regclass('pgmq.meta') is not null as pgmq,
      pg_catalog.to_regclass('auth.mfa_factors') is not null as factors,
      exists (select from pg_catalog.pg_largeobject_metadata) as large_objects`)

/** The parts of the platform that a source has. */
export interface SourceParts {
  readonly cron: boolean
  readonly vault: boolean
  readonly storage: boolean
  readonly pgmq: boolean
  readonly factors: boolean
  readonly large_objects: boolean
}

/** The scheduled jobs. */
export const selectJobsStatement = (): Statement =>
  compile(sql`
    select jobid::text as id, jobname::text as name, schedule, command, active
    from cron.job
    where database = current_database()
    order by jobid`)

/** A scheduled job. */
export interface SourceJob {
  readonly id: string
  readonly name: string | null
  readonly schedule: string
  readonly command: string
  readonly active: boolean
}

/** The queues of pgmq with their tables, and the statements that set the numbers of their messages. */
export const selectQueuesStatement = (): Statement =>
  compile(sql`
    select m.queue_name::text as name, m.is_unlogged, m.is_partitioned,
      array(
        select pg_catalog.jsonb_build_object('table', c.relname, 'columns', array(
          select a.attname
          from pg_catalog.pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          order by a.attnum
        ))
        from pg_catalog.pg_class c
        where c.relnamespace = 'pgmq'::pg_catalog.regnamespace and c.relkind = 'r'
          and c.relname in ('q_' || pg_catalog.lower(m.queue_name), 'a_' || pg_catalog.lower(m.queue_name))
        order by c.relname
      ) as tables,
      array(
        select pg_catalog.format(
          'select pg_catalog.setval(%L, %s, true)', pg_catalog.format('%I.%I', s.schemaname, s.sequencename), s.last_value
        )
        from pg_catalog.pg_sequences s
        where s.schemaname = 'pgmq' and s.sequencename = 'q_' || pg_catalog.lower(m.queue_name) || '_msg_id_seq'
          and s.last_value is not null
      ) as numbers
    from pgmq.meta m
    order by m.created_at, m.queue_name`)

/** A queue. */
export interface SourceQueue {
  readonly name: string
  readonly is_unlogged: boolean
  readonly is_partitioned: boolean
  readonly tables: readonly { readonly table: string; readonly columns: readonly string[] }[]
  readonly numbers: readonly string[]
}

/** The secrets in plain text. */
export const selectSecretsStatement = (): Statement =>
  compile(sql`
    select id::text, name, description, decrypted_secret as secret
    from vault.decrypted_secrets
    order by created_at, id`)

/** A secret; null where the role cannot read it. */
export interface SourceSecret {
  readonly id: string
  readonly name: string | null
  readonly description: string | null
  readonly secret: string | null
}

/** Second factors whose secret only the hosted service can decrypt. */
export const countEncryptedFactorsStatement = (): Statement =>
  compile(sql`select count(*)::int as count from auth.mfa_factors where secret like '{%'`)
