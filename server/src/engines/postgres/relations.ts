import type pg from 'pg'
import type { PgoutputMessage } from './pgoutput.ts'
import type { StreamRelation } from './transaction-reader.ts'
import type { TypeNames } from './type-names.ts'

/**
 * Completes a table's description by what the stream does not say: its primary key (with full identity every column
 * is marked as key) and the names of its types. Asked anew whenever the stream describes the table anew.
 */
export async function describeRelation(
  pool: pg.Pool,
  typeNames: TypeNames,
  relation: Extract<PgoutputMessage, { kind: 'relation' }>,
): Promise<StreamRelation> {
  const [names, { rows }] = await Promise.all([
    typeNames.find(relation.columns.map((column) => column.typeId)),
    pool.query<{ name: string }>(
      `select a.attname as name
       from pg_catalog.pg_index i
       cross join lateral unnest(i.indkey) with ordinality as k (attnum, place)
       join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
       where i.indrelid = $1 and i.indisprimary
       order by k.place`,
      [relation.id],
    ),
  ])
  const columns = relation.columns.map((column) => column.name)
  return {
    schema: relation.schema,
    table: relation.table,
    columns,
    key: rows.map((row) => row.name).filter((name) => columns.includes(name)),
    types: Object.fromEntries(relation.columns.map(({ name, typeId }) => [name, names.get(typeId) ?? 'unknown'])),
  }
}
