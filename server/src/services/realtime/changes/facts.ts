import type { Statement } from '../../../ground/sql/postgres.ts'

/** A column of a table, as changes of its rows are told. */
export interface ColumnFacts {
  readonly name: string
  /** Name of its type in the catalogue, e.g. `int8`. */
  readonly type: string
  /** Schema and name of that type, quoted. */
  readonly typeName: string
  /** `pg_type.typcategory`: `A` for arrays, `B` for booleans, `N` for numbers, `S` for texts. */
  readonly category: string
  /** The type's own name, and of a domain the name of the type that it stands on. */
  readonly baseType: string
  /** For arrays, the type of their elements, likewise; else null. */
  readonly elementType: string | null
  /** Whether the database alone can say what the JSON of a value is. */
  readonly isAsked: boolean
  readonly isKey: boolean
  /** Whether it belongs to the replica identity that the table's owner has set. */
  readonly isIdentity: boolean
  /** Whether the role may read it. */
  readonly isReadable: boolean
}

/** A table as one role sees it. */
export interface TableFacts {
  /** Schema and table, quoted. */
  readonly name: string
  /** Whether policies decide which rows the role sees. */
  readonly hasPolicies: boolean
  /** Which changes the publication `supabase_realtime` sends of it; none where it is not in it. */
  readonly published: Readonly<Record<'insert' | 'update' | 'delete', boolean>>
  /** By their numbers. */
  readonly columns: readonly ColumnFacts[]
}

/** Selects a type of `pg_type`; of a domain, that on which it stands, through domains of domains. */
const baseTypeQuery = (oid: string): string => `
  with recursive bases as (
    select d.* from pg_catalog.pg_type d where d.oid = ${oid}
    union all
    select d.* from bases b join pg_catalog.pg_type d on d.oid = b.typbasetype where b.typtype = 'd'
  )
  select b.* from bases b where b.typtype <> 'd'
`

/**
 * Selects the tables of the publication. Of a partitioned table it lists the partitions, or the whole where it says so; changes
 * are told under the whole in either case.
 */
const publishedTables = `
  select coalesce(pg_catalog.pg_partition_root(l.oid), l.oid)
  from pg_catalog.pg_publication_tables t
  join pg_catalog.pg_namespace m on m.nspname = t.schemaname
  join pg_catalog.pg_class l on l.relnamespace = m.oid and l.relname = t.tablename
  where t.pubname = 'supabase_realtime'
`

/** Asks for the facts of a table by its number, as a role sees it; answers no row where the table is gone. */
export const selectFactsStatement = (relation: number, role: string): Statement => ({
  text: `
select
  pg_catalog.format('%I.%I', n.nspname, c.relname) as name,
  c.relrowsecurity and not (r.rolbypassrls or r.rolsuper)
    and (c.relforcerowsecurity or not pg_catalog.pg_has_role(r.oid, c.relowner, 'USAGE')) as "hasPolicies",
  (
    select pg_catalog.json_build_object('insert', p.pubinsert, 'update', p.pubupdate, 'delete', p.pubdelete)
    from pg_catalog.pg_publication p
    where p.pubname = 'supabase_realtime' and c.oid in (${publishedTables})
  ) as published,
  (
    select pg_catalog.json_agg(
      pg_catalog.json_build_object(
        'name', a.attname,
        'type', t.typname,
        'typeName', pg_catalog.format('%I.%I', t.typnamespace::regnamespace::name, t.typname),
        'category', base.typcategory,
        'baseType', base.typname,
        'elementType', element.typname,
        'isAsked', base.typtype = 'c' or element.typtype = 'c' or element.typdelim <> ','
          or base.typname in ('int2vector', 'oidvector')
          or exists (
            select
            from pg_catalog.pg_cast k
            where k.castsource in (base.oid, element.oid)
              and k.casttarget in ('pg_catalog.json'::regtype, 'pg_catalog.jsonb'::regtype) and k.castmethod = 'f'
          ),
        'isKey', coalesce(a.attnum = any (key.indkey::int2[]), false),
        'isIdentity', case
          when c.relreplident = 'f' and not exists (select from clew.full_identities f where f.relation = c.oid) then true
          when c.relreplident = 'i' then coalesce(a.attnum = any (identity.indkey::int2[]), false)
          else coalesce(a.attnum = any (key.indkey::int2[]), false)
        end,
        'isReadable', pg_catalog.has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT')
      ) order by a.attnum
    )
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_type t on t.oid = a.atttypid
    cross join lateral (${baseTypeQuery('t.oid')}) base
    left join lateral (${baseTypeQuery('base.typelem')}) element on base.typcategory = 'A'
    left join pg_catalog.pg_index key on key.indrelid = c.oid and key.indisprimary
    left join pg_catalog.pg_index identity on identity.indrelid = c.oid and identity.indisreplident
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated <> 'v'
  ) as columns
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join pg_catalog.pg_roles r
where c.oid = $1 and r.rolname = $2`,
  values: [relation, role],
})

/** Asks for the number of a table that the publication `supabase_realtime` may send; a null schema or table stands for any. */
export const selectPublishedStatement = (schema: string | null, table: string | null): Statement => ({
  text: `
select c.oid::bigint::int8 as id
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid in (${publishedTables}) and ($1::text is null or n.nspname = $1) and ($2::text is null or c.relname = $2)
limit 1`,
  values: [schema, table],
})
