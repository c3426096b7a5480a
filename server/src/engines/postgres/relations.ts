import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { PgoutputMessage } from './pgoutput.ts'
import type { StreamRelation } from './transaction-reader.ts'
import type { TypeNames } from './type-names.ts'

const lookAgainMs = 10

interface KeyRow {
  readonly visible: boolean
  readonly key: readonly string[]
}

/**
 * Completes a table's description by what the stream does not say: its primary key (with full identity every column
 * is marked as key) and the names of its types. Asked anew whenever the stream describes the table anew.
 *
 * A commit is streamed once it is in the log, and seen by others a moment later: after a standby's answer, where one is
 * waited for. A table that the transaction made itself is therefore looked for until the transaction is seen.
 *
 * @param xid     the transaction that the stream describes the table for
 * @param closing aborted when the description is no longer wanted
 */
export async function describeRelation(
  pool: pg.Pool,
  typeNames: TypeNames,
  relation: Extract<PgoutputMessage, { kind: 'relation' }>,
  xid: number,
  closing: AbortSignal,
): Promise<StreamRelation> {
  let found = await findKey(pool, relation.id, xid)
  while (!found.visible) {
    await delay(lookAgainMs, undefined, { signal: closing })
    found = await findKey(pool, relation.id, xid)
  }
  const names = await typeNames.find(relation.columns.map((column) => column.typeId))
  const columns = relation.columns.map((column) => column.name)
  return {
    schema: relation.schema,
    table: relation.table,
    columns,
    key: found.key.filter((name) => columns.includes(name)),
    types: Object.fromEntries(relation.columns.map(({ name, typeId }) => [name, names.get(typeId) ?? 'unknown'])),
  }
}

/** A table's primary key, and whether the transaction is seen by who asks for it. */
async function findKey(pool: pg.Pool, relation: number, xid: number): Promise<KeyRow> {
  // The stream's transaction numbers lack their upper half: the one nearest to the next number is meant.
  const { rows } = await pool.query<KeyRow>(
    `select
       pg_catalog.pg_visible_in_snapshot(
         (next - (((next - $2 + 2147483648) & 4294967295) - 2147483648))::text::xid8, snapshot
       ) as visible,
       array(
         select a.attname::text
         from pg_catalog.pg_index i
         cross join lateral unnest(i.indkey) with ordinality as k (attnum, place)
         join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
         where i.indrelid = $1 and i.indisprimary
         order by k.place
       ) as key
     from
       pg_catalog.pg_current_snapshot() as snapshot,
       lateral (select pg_catalog.pg_snapshot_xmax(snapshot)::text::bigint as next) as n`,
    [relation, xid],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The server did not say what is seen.')
  return row
}
