import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { ChangeOf, SchemaChange } from './change.ts'

/** What is known of the table that a change is about. */
export interface TableFacts {
  readonly rows: number
  readonly rowSecurity: boolean
  readonly sizeBytes: number
}

/** What the words about a change are made of. */
export interface ChangeFacts {
  /** Null for a table that is not there, or a change of no table. */
  readonly table: TableFacts | null
  /** Whether a column's values are stored otherwise under its new type; null where no type changes. */
  readonly typeRewrites: boolean | null
  /** Whether a new column's default must be computed for each row. */
  readonly defaultIsVolatile: boolean
  /** What depends on a thing that is dropped, as PostgreSQL describes it. */
  readonly dependents: readonly string[]
}

/** More dependents are not named. */
const mostDependents = 20

/** The facts of a change. */
export const selectFacts = (change: SchemaChange): Statement =>
  compile(sql`
    select
      ${tableFacts(change)} as table,
      ${typeRewrites(change)} as "typeRewrites",
      ${defaultIsVolatile(change)} as "defaultIsVolatile",
      ${dependents(change)} as dependents`)

/** The table as `to_regclass` finds it; null for none. */
const regclass = (schema: string, name: string): SqlFragment =>
  sql`pg_catalog.to_regclass(pg_catalog.format('%I.%I', ${typed(schema, 'text')}, ${typed(name, 'text')}))`

function tableFacts(change: SchemaChange): SqlFragment {
  if (!('table' in change)) return sql`null::json`
  return sql`(
    select json_build_object(
      'rowSecurity', c.relrowsecurity,
      'rows', case when c.reltuples >= 0 then c.reltuples else pg_catalog.pg_stat_get_live_tuples(c.oid) end,
      'sizeBytes', case when c.relkind in ('r', 'm') then pg_catalog.pg_total_relation_size(c.oid) else 0 end)
    from pg_catalog.pg_class c
    where c.oid = ${regclass(change.schema, change.table)})`
}

/** A length that grows, and a type whose values are stored alike, leave the rows as they are. */
function typeRewrites(change: SchemaChange): SqlFragment {
  if (change.kind !== 'change column' || change.to.type === undefined) return sql`null::boolean`
  const { schema, table, column } = change
  const { type } = change.to
  return sql`(
    select case
      when a.atttypid = next.type and a.atttypmod = next.modifier then false
      when a.atttypid = next.type
        then not (next.modifier = -1 or (a.atttypid = 'varchar'::regtype and a.atttypmod <> -1 and next.modifier >= a.atttypmod))
      else next.modifier <> -1 or not exists (
        select from pg_catalog.pg_cast k
        where k.castsource = a.atttypid and k.casttarget = next.type and k.castmethod = 'b')
      end
    from pg_catalog.pg_attribute a,
      (select pg_catalog.to_regtype(${typed(type, 'text')}) as type, ${modifierOf(type)} as modifier) next
    where a.attrelid = ${regclass(schema, table)} and a.attname = ${typed(column, 'text')}
  )`
}

/** The modifier of a length, as `varchar(20)` has it; PostgreSQL before 17 has no function that reads one. */
function modifierOf(type: string): SqlFragment {
  const length = /\(\s*(\d{1,9})\s*\)/.exec(type)?.[1]
  if (/\(/.test(type) && length === undefined) return sql`0`
  return sql`${typed(length === undefined ? -1 : Number(length) + 4, 'int')}`
}

/** The functions that an expression calls, by their names; one alone that changes from call to call is enough. */
function defaultIsVolatile(change: SchemaChange): SqlFragment {
  if (change.kind !== 'add column') return sql`false`
  const { default: expression, identity } = change.column
  if (identity !== null) return sql`true`
  const called = [...(expression ?? '').matchAll(/([A-Za-z_][\w$]*)\s*\(/g)].map(([, name]) =>
    (name ?? '').toLowerCase(),
  )
  return sql`exists (
    select from pg_catalog.pg_proc p where p.proname = any (${typed(called, 'text[]')}) and p.provolatile = 'v')`
}

function dependents(change: SchemaChange): SqlFragment {
  const dropped = droppedObject(change)
  if (dropped === null) return sql`'[]'::json`
  return sql`(
    select coalesce(json_agg(d.description order by d.description), '[]') from (
      select distinct case
        when w.oid is not null then 'view ' || w.ev_class::regclass::text
        else pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid) end as description
      from ${dropped} o
      join pg_catalog.pg_depend d on d.refclassid = o.class and d.refobjid = o.object
        and (o.part = 0 or d.refobjsubid = o.part) and d.deptype = 'n'
      left join pg_catalog.pg_rewrite w on d.classid = 'pg_catalog.pg_rewrite'::regclass and w.oid = d.objid
      where not (d.classid = o.class and d.objid = o.object) and w.ev_class is distinct from o.object
        -- What is a part of it, or of an extension, goes along by itself.
        and not exists (
          select from pg_catalog.pg_depend p
          where p.classid = d.classid and p.objid = d.objid and (p.deptype = 'e'
            or (o.part = 0 and p.refclassid = o.class and p.refobjid = o.object and p.deptype in ('a', 'i'))))
      limit ${mostDependents}
    ) d)`
}

type Dropped = ChangeOf<
  | 'drop table'
  | 'drop view'
  | 'drop column'
  | 'drop constraint'
  | 'drop function'
  | 'drop enum'
  | 'drop domain'
  | 'drop extension'
>

const isDrop = (change: SchemaChange): change is Dropped => 'cascade' in change

/** A relation of the object that goes: its catalogue, its number, and that of its column. */
function droppedObject(change: SchemaChange): SqlFragment | null {
  if (!isDrop(change)) return null
  switch (change.kind) {
    case 'drop table':
    case 'drop view':
      return sql`(select 'pg_catalog.pg_class'::regclass::oid as class, ${regclass(change.schema, change.table)}::oid as object, 0 as part)`
    case 'drop column':
      return sql`(
        select 'pg_catalog.pg_class'::regclass::oid as class, a.attrelid as object, a.attnum::int as part
        from pg_catalog.pg_attribute a
        where a.attrelid = ${regclass(change.schema, change.table)} and a.attname = ${typed(change.column, 'text')})`
    case 'drop constraint':
      // Foreign keys depend on the index of the key that they name.
      return sql`(
        select 'pg_catalog.pg_class'::regclass::oid as class, k.conindid as object, 0 as part
        from pg_catalog.pg_constraint k
        where k.conrelid = ${regclass(change.schema, change.table)} and k.conname = ${typed(change.name, 'text')}
          and k.contype in ('p', 'u'))`
    case 'drop function':
      return sql`(
        select 'pg_catalog.pg_proc'::regclass::oid as class, p.oid as object, 0 as part
        from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
        where n.nspname = ${typed(change.schema, 'text')} and p.proname = ${typed(change.name, 'text')}
          and pg_catalog.pg_get_function_identity_arguments(p.oid) = ${typed(change.arguments, 'text')})`
    case 'drop enum':
    case 'drop domain':
      return sql`(
        select 'pg_catalog.pg_type'::regclass::oid as class, t.oid as object, 0 as part
        from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
        where n.nspname = ${typed(change.schema, 'text')} and t.typname = ${typed(change.name, 'text')})`
    case 'drop extension':
      return sql`(
        select m.classid as class, m.objid as object, 0 as part
        from pg_catalog.pg_extension e
        join pg_catalog.pg_depend m on m.refclassid = 'pg_catalog.pg_extension'::regclass and m.refobjid = e.oid and m.deptype = 'e'
        where e.extname = ${typed(change.name, 'text')})`
  }
}
