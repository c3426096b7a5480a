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
  /** For arrays, the type of their elements; else null. */
  readonly elementType: string | null
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
    join pg_catalog.pg_publication_tables t on t.pubname = p.pubname
    where p.pubname = 'supabase_realtime' and t.schemaname = n.nspname and t.tablename = c.relname
  ) as published,
  (
    select pg_catalog.json_agg(
      pg_catalog.json_build_object(
        'name', a.attname,
        'type', t.typname,
        'typeName', pg_catalog.format('%I.%I', t.typnamespace::regnamespace::name, t.typname),
        'category', base.typcategory,
        'elementType', (select e.typname from pg_catalog.pg_type e where e.oid = base.typelem and base.typcategory = 'A'),
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
    join pg_catalog.pg_type base on base.oid = case t.typtype when 'd' then t.typbasetype else t.oid end
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
from pg_catalog.pg_publication_tables t
join pg_catalog.pg_namespace n on n.nspname = t.schemaname
join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = t.tablename
where t.pubname = 'supabase_realtime' and ($1::text is null or t.schemaname = $1) and ($2::text is null or t.tablename = $2)
limit 1`,
  values: [schema, table],
})
