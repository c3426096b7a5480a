import type { Sql } from '../../../engines/postgres/index.ts'
import type { MaskedColumn, Masks } from '../../../ground/privacy/masks.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** The columns of a relation whose values are masked. */
export type MaskedColumns = (schema: string, relation: string, columns: readonly string[]) => ReadonlySet<string>

/**
 * Reads what is masked now. Of a view that reads a masked column all columns are: PostgreSQL tells what a view reads, and
 * not which of its columns shows it.
 */
export function createMaskedColumns(catalogues: Pick<Sql, 'query'>, masks: Masks): () => Promise<MaskedColumns> {
  return async () => {
    const { columns } = await masks.current()
    if (columns.length === 0) return () => new Set()
    const { rows } = await catalogues.query<{ schema: string; name: string }>(selectReadersStatement(columns))
    const views = new Set(rows.map(({ schema, name }) => JSON.stringify([schema, name])))
    return (schema, relation, names) =>
      views.has(JSON.stringify([schema, relation]))
        ? new Set(names)
        : new Set(
            columns
              .filter((masked) => masked.schema === schema && masked.table === relation)
              .map(({ column }) => column),
          )
  }
}

/** Views that read one of the columns, or a whole row of its table, and views of these. */
const selectReadersStatement = (columns: readonly MaskedColumn[]): Statement =>
  compile(sql`
    with recursive masked as (
      select c.oid, a.attnum
      from pg_catalog.jsonb_to_recordset(${typed(JSON.stringify(columns), 'jsonb')})
        m ("schema" text, "table" text, "column" text)
      join pg_catalog.pg_namespace n on n.nspname = m."schema"
      join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = m."table"
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = m."column" and a.attnum > 0
    ), readers as (
      select r.ev_class as oid
      from masked m
      join pg_catalog.pg_depend d on d.refobjid = m.oid
      join pg_catalog.pg_rewrite r on r.oid = d.objid and r.ev_class <> m.oid
      where d.classid = 'pg_catalog.pg_rewrite'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass
        -- A whole row is no dependency on its columns, and is written with a star; other stars are written out.
        and (d.refobjsubid = m.attnum or pg_catalog.pg_get_viewdef(r.ev_class) like '%.*%')
      union
      select r.ev_class
      from readers v
      join pg_catalog.pg_depend d on d.refobjid = v.oid
      join pg_catalog.pg_rewrite r on r.oid = d.objid and r.ev_class <> v.oid
      where d.classid = 'pg_catalog.pg_rewrite'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass
    )
    select n.nspname as "schema", c.relname as name
    from readers v
    join pg_catalog.pg_class c on c.oid = v.oid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace`)
