import { type Advisory, ownSchema, qualifiedName } from './advisory.ts'

/** Whether an object is not a member of an extension, which sees to it itself. */
const ownObject = (catalog: string, oid: string): string => `not exists (
  select from pg_catalog.pg_depend d
  where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e'
)`

const own = ownSchema

const hasPath = `exists (
          select from pg_catalog.unnest(p.proconfig) s(setting) where s.setting like 'search_path=%'
        )`

/** Names are looked for where they most likely are now: a path of nothing asks for each of them to be qualified. */
const pinnedPath = `pg_catalog.format('alter %s %I.%I(%s) set search_path = %I, extensions, pg_temp;',
          case p.prokind when 'p' then 'procedure' else 'function' end, n.nspname, p.proname,
          pg_catalog.pg_get_function_identity_arguments(p.oid), n.nspname)`

/** What columns that hold secrets are called. */
const secretName =
  '(password|passwd|passphrase|secret|api_?key|private_?key|credential|(^|_)(access|refresh|auth)_token($|_))'

/** As PostgreSQL prints `column = null`, which is never true. */
const comparesNull = '(=|<>) NULL::'
const isNull = (expression: string): string => `
              pg_catalog.regexp_replace(pg_catalog.regexp_replace(${expression},
                ' = NULL::[a-z_ ]+', ' is null', 'g'), ' <> NULL::[a-z_ ]+', ' is not null', 'g')`

/** Whether a role of the API reads a column. */
const readBy = (role: string): string => `pg_catalog.has_column_privilege('${role}', c.oid, a.attnum, 'select')`

/** What lets a caller see or do more than was meant. */
export const securityAdvisories: readonly Advisory[] = [
  {
    name: 'rls_disabled_in_public',
    title: 'A table of the API has no row level security',
    kind: 'security',
    level: 'error',
    remedy: 'alter table … enable row level security, and add policies.',
    text: `
      select c.oid::regclass::text as object,
        pg_catalog.format('alter table %I.%I enable row level security;', n.nspname, c.relname) as fix
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
      select distinct c.oid::regclass::text as object,
        pg_catalog.format('alter table %I.%I enable row level security;', n.nspname, c.relname) as fix
      from pg_catalog.pg_policy p
      join pg_catalog.pg_class c on c.oid = p.polrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where not c.relrowsecurity and ${own}
      order by 1`,
  },
  {
    name: 'rls_enabled_no_policy',
    title: 'A table with row level security has no policy: the API answers no row of it',
    kind: 'security',
    level: 'info',
    remedy: 'Add policies, or revoke it from anon and authenticated, so that a request is refused.',
    text: `
      select c.oid::regclass::text as object,
        pg_catalog.format('revoke all on %I.%I from anon, authenticated;', n.nspname, c.relname) as fix
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and c.relrowsecurity and ${own}
        and not exists (select from pg_catalog.pg_policy p where p.polrelid = c.oid)
        and (
          pg_catalog.has_table_privilege('anon', c.oid, 'select, insert, update, delete')
          or pg_catalog.has_table_privilege('authenticated', c.oid, 'select, insert, update, delete')
        )
      order by 1`,
  },
  {
    name: 'security_definer_view',
    title: 'A view of the API reads with the rights of its owner, and so past row level security',
    kind: 'security',
    level: 'error',
    remedy: 'alter view … set (security_invoker = on).',
    text: `
      select c.oid::regclass::text as object,
        pg_catalog.format('alter view %I.%I set (security_invoker = on);', n.nspname, c.relname) as fix
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
      select c.oid::regclass::text as object,
        pg_catalog.format('revoke select on %I.%I from anon, authenticated;', n.nspname, c.relname) as fix
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
      select distinct c.oid::regclass::text as object,
        pg_catalog.format('revoke select on %I.%I from anon, authenticated;', n.nspname, c.relname) as fix
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
      select p.oid::regprocedure::text as object,
        ${pinnedPath} as fix
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where p.prokind in ('f', 'p') and not p.prosecdef and ${own}
        and not ${hasPath}
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
      select e.extname::text as object,
        case when e.extrelocatable then pg_catalog.format('alter extension %I set schema extensions;', e.extname) end as fix
      from pg_catalog.pg_extension e
      join pg_catalog.pg_namespace n on n.oid = e.extnamespace
      where n.nspname = 'public'
      order by 1`,
  },
  {
    name: 'security_definer_search_path',
    title: 'A function with the rights of its owner looks names up in the search path of its caller',
    kind: 'security',
    level: 'error',
    remedy: `alter function … set search_path = '', and qualify the names in it.`,
    text: `
      select p.oid::regprocedure::text as object,
        ${pinnedPath} as fix
      from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where p.prokind in ('f', 'p') and p.prosecdef and ${own}
        and not ${hasPath}
        and ${ownObject('pg_catalog.pg_proc', 'p.oid')}
      order by 1`,
  },
  {
    name: 'sensitive_columns_exposed',
    title: 'A column whose name says that it is secret is read by the API',
    kind: 'security',
    level: 'error',
    remedy: 'Grant anon and authenticated the other columns of the table only.',
    text: `
      select pg_catalog.format('%s.%I', c.oid::regclass, a.attname) as object,
        pg_catalog.format('revoke select on %I.%I from anon, authenticated;', n.nspname, c.relname)
          || coalesce((
            select pg_catalog.format(E'\\ngrant select (%s) on %I.%I to %s;',
              pg_catalog.string_agg(pg_catalog.quote_ident(o.attname), ', ' order by o.attnum), n.nspname, c.relname,
              pg_catalog.concat_ws(', ', case when ${readBy('anon')} then 'anon' end,
                case when ${readBy('authenticated')} then 'authenticated' end))
            from pg_catalog.pg_attribute o
            where o.attrelid = c.oid and o.attnum > 0 and not o.attisdropped and o.attname !~* '${secretName}'
          ), '') as fix
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c on c.oid = a.attrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
        and a.attname ~* '${secretName}'
        and n.nspname = any ($1) and ${own}
        and (${readBy('anon')} or ${readBy('authenticated')})
        and ${ownObject('pg_catalog.pg_class', 'c.oid')}
      order by 1`,
  },
  {
    name: 'policy_never_matches',
    title: 'A policy lets no row through: it is false, or compares with null',
    kind: 'security',
    level: 'warn',
    remedy: 'Drop it, or write is null in place of = null.',
    text: `
      select pg_catalog.format('%s (%s)', c.oid::regclass, p.polname) as object,
        case when condition.text = 'false' then pg_catalog.format('drop policy %I on %s;', p.polname, ${qualifiedName})
          else pg_catalog.format('alter policy %I on %s%s%s;', p.polname, ${qualifiedName},
            ' using (' || ${isNull('pg_catalog.pg_get_expr(p.polqual, p.polrelid)')} || ')',
            ' with check (' || ${isNull('pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)')} || ')')
        end as fix
      from pg_catalog.pg_policy p
      join pg_catalog.pg_class c on c.oid = p.polrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      cross join lateral (
        select coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid),
          pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)) as text
      ) condition
      where p.polpermissive and ${own}
        and (condition.text = 'false' or condition.text ~ '${comparesNull}')
      order by 1`,
  },
]
