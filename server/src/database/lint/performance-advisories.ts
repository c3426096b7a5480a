import type { Advisory } from './advisory.ts'

const own = `n.nspname !~ '^(pg_|clew)' and n.nspname not in ('information_schema', 'auth', 'cron', 'extensions', 'graphql',
  'graphql_public', 'net', 'pgmq', 'pgsodium', 'realtime', 'storage', 'supabase_functions', 'supabase_migrations', 'vault')`

/** A call of the functions that tell the caller, without the `select` that has it made once a statement. */
const unwrappedCall = String.raw`(auth\.(uid|jwt|role|email)\(\)|current_setting\()`
const wrappedCall = String.raw`select +(auth\.(uid|jwt|role|email)\(\)|current_setting\()`

const perRow = (expression: string): string => `
  regexp_count(lower(${expression}), '${unwrappedCall}') > regexp_count(lower(${expression}), '${wrappedCall}')`

/** What makes statements slower than they need to be. */
export const performanceAdvisories: readonly Advisory[] = [
  {
    name: 'unindexed_foreign_keys',
    title: 'A foreign key has no index: a delete at its other end reads the whole table',
    kind: 'performance',
    level: 'info',
    remedy: 'create index on the columns of the key.',
    text: `
      select pg_catalog.format('%s (%s)', k.conrelid::regclass, k.conname) as object
      from pg_catalog.pg_constraint k
      join pg_catalog.pg_class c on c.oid = k.conrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and k.conparentid = 0 and ${own}
        and not exists (
          select from pg_catalog.pg_index i
          where i.indrelid = k.conrelid and i.indpred is null
            and (i.indkey::int2[])[0:pg_catalog.cardinality(k.conkey) - 1] @> k.conkey
        )
      order by 1`,
  },
  {
    name: 'auth_rls_initplan',
    title: 'A policy asks for the caller once a row',
    kind: 'performance',
    level: 'warn',
    remedy: 'Write (select auth.uid()) in place of auth.uid().',
    text: `
      select pg_catalog.format('%s (%s)', p.polrelid::regclass, p.polname) as object
      from pg_catalog.pg_policy p
      join pg_catalog.pg_class c on c.oid = p.polrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where ${own}
        and (
          ${perRow(`coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), '')`)}
          or ${perRow(`coalesce(pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid), '')`)}
        )
      order by 1`,
  },
  {
    name: 'multiple_permissive_policies',
    title: 'Several policies are asked for one action of one role',
    kind: 'performance',
    level: 'warn',
    remedy: 'Join them into one policy with or.',
    text: `
      select pg_catalog.format('%s for %s (%s)', p.polrelid::regclass, action.name,
        pg_catalog.string_agg(p.polname, ', ' order by p.polname)) as object
      from pg_catalog.pg_policy p
      join pg_catalog.pg_class c on c.oid = p.polrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      cross join lateral pg_catalog.unnest(p.polroles) as of_role(role)
      join (values ('r', 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete')) as action (letter, name)
        on p.polcmd::text in (action.letter, '*')
      where p.polpermissive and ${own}
      group by p.polrelid, of_role.role, action.name
      having count(*) > 1
      order by 1`,
  },
  {
    name: 'duplicate_index',
    title: 'Indexes of a table are equal',
    kind: 'performance',
    level: 'warn',
    remedy: 'Drop all but one of them.',
    text: `
      select pg_catalog.format('%s (%s)', i.indrelid::regclass, pg_catalog.string_agg(x.relname, ', ' order by x.relname)) as object
      from pg_catalog.pg_index i
      join pg_catalog.pg_class x on x.oid = i.indexrelid
      join pg_catalog.pg_namespace n on n.oid = x.relnamespace
      where ${own}
      group by i.indrelid, pg_catalog.regexp_replace(pg_catalog.pg_get_indexdef(i.indexrelid), '^CREATE (UNIQUE )?INDEX \\S+ ON', '')
      having count(*) > 1
      order by 1`,
  },
  {
    name: 'no_primary_key',
    title: 'A table has no primary key',
    kind: 'performance',
    level: 'info',
    remedy: 'Add one: rows cannot be told apart, nor can their history.',
    text: `
      select c.oid::regclass::text as object
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and ${own}
        and not exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary)
      order by 1`,
  },
]
