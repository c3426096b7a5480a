import { type Advisory, ownSchema, qualifiedName } from './advisory.ts'

const own = ownSchema

/** A call of the functions that tell the caller, without the `select` that has it made once a statement. */
const unwrappedCall = String.raw`(auth\.(uid|jwt|role|email)\(\)|current_setting\()`
const wrappedCall = String.raw`select +[(]*(auth\.(uid|jwt|role|email)\(\)|current_setting\()`

const perRow = (expression: string): string => `
  regexp_count(lower(${expression}), '${unwrappedCall}') > regexp_count(lower(${expression}), '${wrappedCall}')`

/** An expression whose calls of those functions are made once a statement. */
const wrapped = (expression: string): string => String.raw`
          pg_catalog.regexp_replace(pg_catalog.regexp_replace(${expression},
            'auth\.(uid|jwt|role|email)\(\)', '(select auth.\1())', 'g'),
            '(current_setting\([^()]*\))', '(select \1)', 'g')`

/** What an index is, without its name, and whether it is unique. */
const definitionOf = (oid: string): string => String.raw`
          pg_catalog.regexp_replace(pg_catalog.pg_get_indexdef(${oid}), '^CREATE (UNIQUE )?INDEX \S+ ON', '')`

/** What makes statements slower than they need to be. */
export const performanceAdvisories: readonly Advisory[] = [
  {
    name: 'unindexed_foreign_keys',
    title: 'A foreign key has no index: a delete at its other end reads the whole table',
    kind: 'performance',
    level: 'info',
    remedy: 'Index the columns of the key.',
    text: `
      select pg_catalog.format('%s (%s)', k.conrelid::regclass, k.conname) as object,
        pg_catalog.format('create index on %s (%s);', ${qualifiedName}, (
          select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by of_key.place)
          from pg_catalog.unnest(k.conkey) with ordinality of_key(attnum, place)
          join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = of_key.attnum
        )) as fix
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
      select pg_catalog.format('%s (%s)', p.polrelid::regclass, p.polname) as object,
        pg_catalog.format('alter policy %I on %s%s%s;', p.polname, ${qualifiedName},
          ' using (' || ${wrapped('pg_catalog.pg_get_expr(p.polqual, p.polrelid)')} || ')',
          ' with check (' || ${wrapped('pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)')} || ')') as fix
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
        pg_catalog.string_agg(p.polname, ', ' order by p.polname)) as object,
        -- Policies of one command and of equal roles are one; any other takes a decision.
        case when pg_catalog.count(distinct (p.polcmd, p.polroles)) = 1 and pg_catalog.min(p.polcmd::text) <> '*' then
          pg_catalog.format(E'alter policy %I on %s%s%s;', (pg_catalog.array_agg(p.polname order by p.polname))[1],
            pg_catalog.min(${qualifiedName}),
            ' using (' || pg_catalog.string_agg('(' || pg_catalog.pg_get_expr(p.polqual, p.polrelid) || ')', ' or '
              order by p.polname) || ')',
            ' with check (' || pg_catalog.string_agg(
              '(' || pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) || ')', ' or ' order by p.polname) || ')')
          || pg_catalog.string_agg(pg_catalog.format(E'\\ndrop policy %I on %s;', p.polname, ${qualifiedName}), ''
            order by p.polname) filter (where not p.is_first)
        end as fix
      from (
        select *, polname = pg_catalog.min(polname::text) over (partition by polrelid, polcmd, polroles, polpermissive) as is_first
        from pg_catalog.pg_policy
      ) p
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
      select pg_catalog.format('%s (%s)', i.indrelid::regclass, pg_catalog.string_agg(x.relname, ', ' order by x.relname)) as object,
        pg_catalog.string_agg(
          pg_catalog.format('drop index %I.%I;', n.nspname, x.relname), E'\\n' order by i.indisprimary, i.indisunique, x.relname desc
        ) filter (where x.oid <> i.kept) as fix
      from (
        select *, pg_catalog.first_value(indexrelid) over (
          partition by indrelid, ${definitionOf('indexrelid')}
          order by indisprimary desc, indisunique desc, indexrelid::regclass::text
        ) as kept
        from pg_catalog.pg_index
      ) i
      join pg_catalog.pg_class x on x.oid = i.indexrelid
      join pg_catalog.pg_namespace n on n.oid = x.relnamespace
      where ${own}
      group by i.indrelid, ${definitionOf('i.indexrelid')}
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
      select c.oid::regclass::text as object,
        pg_catalog.format(case when exists (
            select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = 'id' and not a.attisdropped
          ) then 'alter table %s add primary key (id);'
          else 'alter table %s add column id bigint generated always as identity primary key;' end, ${qualifiedName}) as fix
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and ${own}
        and not exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary)
      order by 1`,
  },
  {
    name: 'unused_index',
    title: 'An index of a table that is used was never read: each write pays for it',
    kind: 'performance',
    level: 'info',
    remedy: 'Drop it, unless statements of another time need it.',
    text: `
      select pg_catalog.format('%s (%s)', c.oid::regclass, x.relname) as object,
        pg_catalog.format('drop index %I.%I;', n.nspname, x.relname) as fix
      from pg_catalog.pg_stat_all_indexes s
      join pg_catalog.pg_index i on i.indexrelid = s.indexrelid
      join pg_catalog.pg_class x on x.oid = i.indexrelid
      join pg_catalog.pg_class c on c.oid = i.indrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_stat_all_tables t on t.relid = c.oid
      where s.idx_scan = 0 and not i.indisunique and ${own}
        and c.reltuples >= 1000 and t.seq_scan + coalesce(t.idx_scan, 0) >= 100
        -- One that leads with a foreign key is read by deletes at its other end.
        and not exists (
          select from pg_catalog.pg_constraint k
          where k.contype = 'f' and k.conrelid = c.oid
            and (i.indkey::int2[])[0:pg_catalog.cardinality(k.conkey) - 1] @> k.conkey
        )
      order by 1`,
  },
]
