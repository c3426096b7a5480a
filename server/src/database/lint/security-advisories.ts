import type { Advisory } from './advisory.ts'

/** Whether an object is not a member of an extension, which sees to it itself. */
const ownObject = (catalog: string, oid: string): string => `not exists (
  select from pg_catalog.pg_depend d
  where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e'
)`

const own = `n.nspname !~ '^(pg_|clew)' and n.nspname not in ('information_schema', 'auth', 'cron', 'extensions', 'graphql',
  'graphql_public', 'net', 'pgmq', 'pgsodium', 'realtime', 'storage', 'supabase_functions', 'supabase_migrations', 'vault')`

/** What lets a caller see or do more than was meant. */
export const securityAdvisories: readonly Advisory[] = [
  {
    name: 'rls_disabled_in_public',
    title: 'A table of the API has no row level security',
    kind: 'security',
    level: 'error',
    remedy: 'alter table … enable row level security, and add policies.',
    text: `
      select c.oid::regclass::text as object
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relrowsecurity and n.nspname = any ($1) and ${own}
        and (
          pg_catalog.has_table_privilege('anon', c.oid, 'select, insert, update, delete')
          or pg_catalog.has_table_privilege('authenticated', c.oid, 'select, insert, update, delete')
        )
        and ${ownObject('pg_catalog.pg_class', 'c.oid')}
      order by 1`,
  },
  {
    name: 'policy_exists_rls_disabled',
    title: 'A table has policies that have no effect',
    kind: 'security',
    level: 'error',
    remedy: 'alter table … enable row level security.',
    text: `
      select distinct c.oid::regclass::text as object
      from pg_catalog.pg_policy p
      join pg_catalog.pg_class c on c.oid = p.polrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where not c.relrowsecurity and ${own}
      order by 1`,
  },
  {
    name: 'rls_enabled_no_policy',
    title: 'A table with row level security has no policy: only service_role reads it',
    kind: 'security',
    level: 'info',
    remedy: 'Add policies, or leave it so where nobody else should read it.',
    text: `
      select c.oid::regclass::text as object
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and c.relrowsecurity and ${own}
        and not exists (select from pg_catalog.pg_policy p where p.polrelid = c.oid)
      order by 1`,
  },
  {
    name: 'security_definer_view',
    title: 'A view of the API reads with the rights of its owner, and so past row level security',
    kind: 'security',
    level: 'error',
    remedy: 'alter view … set (security_invoker = on).',
    text: `
      select c.oid::regclass::text as object
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'v' and n.nspname = any ($1) and ${own}
        and not coalesce((
          select o.option_value::boolean
          from pg_catalog.pg_options_to_table(c.reloptions) o
          where o.option_name = 'security_invoker'
        ), false)
        and ${ownObject('pg_catalog.pg_class', 'c.oid')}
      order by 1`,
  },
  {
    name: 'materialized_view_in_api',
    title: 'A materialized view, which has no row level security, is in the API',
    kind: 'security',
    level: 'warn',
    remedy: 'Revoke it from anon and authenticated, or move it to a schema that the API does not show.',
    text: `
      select c.oid::regclass::text as object
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'm' and n.nspname = any ($1)
        and (
          pg_catalog.has_table_privilege('anon', c.oid, 'select')
          or pg_catalog.has_table_privilege('authenticated', c.oid, 'select')
        )
      order by 1`,
  },
  {
    name: 'auth_users_exposed',
    title: 'A view of the API reads auth.users',
    kind: 'security',
    level: 'error',
    remedy: 'Keep what the API shows of users in a table of its own.',
    text: `
      select distinct c.oid::regclass::text as object
      from pg_catalog.pg_depend d
      join pg_catalog.pg_rewrite r on r.oid = d.objid and d.classid = 'pg_catalog.pg_rewrite'::regclass
      join pg_catalog.pg_class c on c.oid = r.ev_class
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = pg_catalog.to_regclass('auth.users')
        and c.relkind in ('v', 'm') and n.nspname = any ($1)
        and (
          pg_catalog.has_table_privilege('anon', c.oid, 'select')
          or pg_catalog.has_table_privilege('authenticated', c.oid, 'select')
        )
      order by 1`,
  },
  {
    name: 'function_search_path_mutable',
    title: 'A function looks names up in the search path of its caller',
    kind: 'security',
    level: 'warn',
    remedy: `alter function … set search_path = '', and qualify the names in it.`,
    text: `
      select p.oid::regprocedure::text as object
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where p.prokind in ('f', 'p') and ${own}
        and not exists (select from pg_catalog.unnest(p.proconfig) s(setting) where s.setting like 'search_path=%')
        and ${ownObject('pg_catalog.pg_proc', 'p.oid')}
      order by 1`,
  },
  {
    name: 'extension_in_public',
    title: 'An extension is in the schema public, and its functions in the API',
    kind: 'security',
    level: 'warn',
    remedy: 'alter extension … set schema extensions.',
    text: `
      select e.extname::text as object
      from pg_catalog.pg_extension e
      join pg_catalog.pg_namespace n on n.oid = e.extnamespace
      where n.nspname = 'public'
      order by 1`,
  },
]
