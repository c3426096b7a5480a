import type { MaskedColumn } from '../../../ground/privacy/masks.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** A mask as it is stored. */
export type MaskRow = { readonly id: string; readonly createdAt: Date; readonly createdBy: string } & (
  | ({ readonly kind: 'column'; readonly property: null } & MaskedColumn)
  | {
      readonly kind: 'property'
      readonly property: string
      readonly schema: null
      readonly table: null
      readonly column: null
    }
)

/** A table's column, where it is to be masked. */
export interface FoundColumn {
  readonly relation: number
  readonly attnum: number
  /** Whether it tells rows apart: it is part of the primary key, or of what else identifies a row. */
  readonly isKey: boolean
}

const columns = sql`
  id, kind, schema_name as schema, table_name as "table", column_name as "column", property,
  created_at as "createdAt", created_by as "createdBy"`

/** Everything that is masked: one row. */
export const selectListStatement = (): Statement =>
  compile(sql`
    select
      coalesce((
        select jsonb_agg(jsonb_build_object('schema', schema_name, 'table', table_name, 'column', column_name))
        from clew_privacy.masked_columns
      ), '[]') as columns,
      coalesce((
        select jsonb_agg(property) from clew_privacy.masks where kind = 'property'
      ), '[]') as properties`)

/** What one mask masks: one row. */
export const selectListOfStatement = (id: string): Statement =>
  compile(sql`
    select
      coalesce((
        select jsonb_agg(jsonb_build_object('schema', schema_name, 'table', table_name, 'column', column_name))
        from clew_privacy.masked_columns
        where id = ${typed(id, 'uuid')}
      ), '[]') as columns,
      coalesce((
        select jsonb_agg(property) from clew_privacy.masks where id = ${typed(id, 'uuid')} and property is not null
      ), '[]') as properties`)

/** All masks, the newest first. */
export const selectMasksStatement = (): Statement =>
  compile(sql`select ${columns} from clew_privacy.masks order by created_at desc, id`)

export const countMasksStatement = (): Statement => compile(sql`select count(*)::int as masks from clew_privacy.masks`)

/** Serialises those who add masks, so that the limit holds. */
export const lockStatement = (): Statement => compile(sql`lock table clew_privacy.masks in share row exclusive mode`)

/** A column of a table that may be masked; no row where there is none. */
export const findColumnStatement = ({ schema, table, column }: MaskedColumn): Statement =>
  compile(sql`
    select a.attrelid::int8::float8 as relation, a.attnum::int4 as attnum, exists (
      select
      from pg_index i
      where i.indrelid = c.oid and a.attnum = any (i.indkey)
        and (i.indisprimary or (i.indisreplident and c.relreplident = 'i'))
    ) as "isKey"
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relname = ${table} and a.attname = ${column}
      and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`)

/** Stores a mask; no row where it is there already. */
export const insertColumnStatement = (
  id: string,
  { schema, table, column }: MaskedColumn,
  { relation, attnum }: FoundColumn,
  by: string,
): Statement =>
  compile(sql`
    insert into clew_privacy.masks (id, kind, schema_name, table_name, column_name, relation, attnum, created_by)
    values (${typed(id, 'uuid')}, 'column', ${schema}, ${table}, ${column}, ${typed(relation, 'int8')}::oid,
      ${typed(attnum, 'int2')}, ${by})
    on conflict do nothing
    returning ${columns}`)

/** Stores a mask; no row where it is there already. */
export const insertPropertyStatement = (id: string, property: string, by: string): Statement =>
  compile(sql`
    insert into clew_privacy.masks (id, kind, property, created_by)
    values (${typed(id, 'uuid')}, 'property', ${property}, ${by})
    on conflict do nothing
    returning ${columns}`)

export const deleteMaskStatement = (id: string): Statement =>
  compile(sql`delete from clew_privacy.masks where id = ${typed(id, 'uuid')} returning ${columns}`)

/** Columns that may be masked, of the schemas that the history has. */
export const selectColumnsStatement = (limit: number): Statement =>
  compile(sql`
    select n.nspname as schema, c.relname as "table", a.attname as "column"
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
      and n.nspname not like 'clew%' and n.nspname not like 'pg\\_%'
      and n.nspname not in ('information_schema', 'vault', 'realtime', 'supabase_migrations', '_realtime', 'net')
      and not exists (
        select
        from pg_index i
        where i.indrelid = c.oid and a.attnum = any (i.indkey)
          and (i.indisprimary or (i.indisreplident and c.relreplident = 'i'))
      )
    order by n.nspname <> 'public', n.nspname, c.relname, a.attnum
    limit ${typed(limit, 'int')}`)
