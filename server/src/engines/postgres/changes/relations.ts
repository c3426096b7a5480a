import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { TypeNames } from '../wire/type-names.ts'
import { type Attribute, numberColumns } from './column-names.ts'
import type { PgoutputMessage } from './pgoutput.ts'
import type { StreamRelation } from './transaction-reader.ts'

const lookAgainMs = 10

interface TableRow {
  readonly visible: boolean
  /** Numbers of the primary key's columns, in its order. */
  readonly key: readonly number[]
  readonly attributes: readonly Attribute[]
}

/**
 * Completes a table's description by what the stream does not say: its primary key (with full identity every column
 * is marked as key) and the names of its types. Asked anew whenever the stream describes the table anew.
 *
 * A commit is streamed once it is in the log, and seen by others a moment later: after a standby's answer, where one is
 * waited for. A table that the transaction made itself is therefore looked for until the transaction is seen. The
 * catalogue may have gone on since: the key's columns are known again by their numbers.
 *
 * @param xid     the transaction that the stream describes the table for
 * @param unwanted aborted when the description is no longer wanted, with the error that is thrown then
 */
export async function describeRelation(
  pool: pg.Pool,
  typeNames: TypeNames,
  relation: Extract<PgoutputMessage, { kind: 'relation' }>,
  xid: number,
  unwanted: AbortSignal,
): Promise<StreamRelation> {
  let found = await findTable(pool, relation.id, xid)
  while (!found.visible) {
    await delay(lookAgainMs)
    unwanted.throwIfAborted()
    found = await findTable(pool, relation.id, xid)
  }
  const names = await typeNames.find(relation.columns.map((column) => column.typeId))
  const columns = relation.columns.map((column) => column.name)
  const numbers = numberColumns(relation.columns, found.attributes)
  const key = found.key.map((number) => columns[numbers.indexOf(number)])
  // A key of columns that were not there yet was not the rows' key.
  const keyThen = key.every((name) => name !== undefined) ? key : []
  return {
    version: { id: relation.id, keyNumbers: keyThen.length === 0 ? [] : found.key },
    schema: relation.schema,
    table: relation.table,
    columns,
    key: keyThen,
    identity: new Set(relation.columns.filter(({ isIdentity }) => isIdentity).map(({ name }) => name)),
    types: Object.fromEntries(relation.columns.map(({ name, typeId }) => [name, names.get(typeId) ?? 'unknown'])),
  }
}

/** A table's columns and primary key, and whether the transaction is seen by who asks for it. */
async function findTable(pool: pg.Pool, relation: number, xid: number): Promise<TableRow> {
  // The stream's transaction numbers lack their upper half: the one nearest to the next number is meant. Virtual columns
  // are never in the stream, stored ones from version 18 on.
  const { rows } = await pool.query<TableRow>(
    `select
       pg_catalog.pg_visible_in_snapshot(
         (next - (((next - $2 + 2147483648) & 4294967295) - 2147483648))::text::xid8, snapshot
       ) as visible,
       array(
         select k.attnum::int
         from pg_catalog.pg_index i
         cross join lateral unnest(i.indkey) with ordinality as k (attnum, place)
         where i.indrelid = $1 and i.indisprimary
         order by k.place
       ) as key,
       array(
         select json_build_object(
           'number', a.attnum, 'name', a.attname, 'typeId', a.atttypid::bigint, 'dropped', a.attisdropped
         )
         from pg_catalog.pg_attribute a
         where a.attrelid = $1 and a.attnum > 0
           and (a.attisdropped or a.attgenerated = ''
             or (a.attgenerated = 's' and current_setting('server_version_num')::int >= 180000))
         order by a.attnum
       ) as attributes
     from
       pg_catalog.pg_current_snapshot() as snapshot,
       lateral (select pg_catalog.pg_snapshot_xmax(snapshot)::text::bigint as next) as n`,
    [relation, xid],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The server did not say what is seen.')
  return row
}
