import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { compile } from '../../../ground/sql/postgres.ts'
import { constant, identifier, join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import { type CarriedServer, carryFailed, withConnection } from './carried-server.ts'
import { addChecks } from './checks.ts'
import { carryLargeObjects } from './large-objects.ts'
import { createOwners, type Owned } from './owners.ts'

/** From which server to which, and of which database. */
export interface RowsToCarry {
  readonly from: CarriedServer
  readonly to: CarriedServer
  readonly database: string
  /** Checks that are added once the rows are there. */
  readonly checks: readonly string[]
}

/** A table that has rows of its own. */
interface Table extends Owned {
  /** Columns that are stored; those that the server computes from others are made anew. */
  readonly columns: readonly string[]
  readonly sizeBytes: number
}

/**
 * Carries the rows of a database over, and compares what has arrived with what was sent, byte for byte. The rows of a table are
 * stored by its owner: its checks and expressions run with the rights that they had when the rows were first stored.
 *
 * @param carried told of bytes of the old tables that are done
 * @returns how many tables there were
 * @throws POSTGRES_CARRY_FAILED
 */
export const carryRows = (
  { from, to, database, checks }: RowsToCarry,
  carried: (bytes: number) => void,
): Promise<number> =>
  withConnection(from.open(database), (old) =>
    withConnection(to.open(database), async (own) => {
      const tables = await listTables(old)
      const owners = createOwners(to, database, own)
      try {
        for (const table of tables) {
          await carryTable(old, own, await owners.connectionOf(table, true), table)
          carried(table.sizeBytes)
        }
        await addChecks(own, owners, checks)
      } finally {
        await owners.close()
      }
      await carryLargeObjects(old, own)
      await carrySequences(old, own)
      return tables.length
    }),
  )

async function listTables({ query }: BulkConnection): Promise<readonly Table[]> {
  const { rows } = await query<Omit<Table, 'sizeBytes'> & { readonly sizeBytes: string }>(
    compile(sql`
      select n.nspname as schema, c.relname as name, r.rolname as owner, r.rolsuper as "isOwnerSuperuser",
        pg_table_size(c.oid) as "sizeBytes",
        array(
          select a.attname::text
          from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          order by a.attnum
        ) as columns
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_authid r on r.oid = c.relowner
      where c.relkind = 'r' and c.relpersistence <> 't' and c.oid >= 16384
      order by r.rolname, c.oid`),
  )
  return rows.map(({ sizeBytes, ...table }) => ({ ...table, sizeBytes: Number(sizeBytes) }))
}

/** Copies the rows in the order in which they lie in the table. */
function copyStatement(table: Table, direction: 'to stdout' | 'from stdin'): string {
  const columns = table.columns.map((column) => identifier(column))
  const list: SqlFragment = columns.length === 0 ? sql`` : sql` (${join(columns)})`
  return compile(sql`copy ${identifier(table.schema, table.name)}${list} ${constant(direction)}`).text
}

async function carryTable(
  old: BulkConnection,
  own: BulkConnection,
  writer: BulkConnection,
  table: Table,
): Promise<void> {
  const name = `${table.schema}.${table.name}`
  const sent = createHash('sha256')
  const rows = hashed(old.copyOut(copyStatement(table, 'to stdout')), sent)
  const count = await writer.copyIn(copyStatement(table, 'from stdin'), Readable.from(rows)).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw carryFailed(`The rows of ${name} could not be stored: ${reason}`, cause)
  })
  const arrived = createHash('sha256')
  // What a copy gives are bytes; a stream's type does not say so.
  for await (const piece of own.copyOut(copyStatement(table, 'to stdout')) as AsyncIterable<Buffer>)
    arrived.update(piece)
  if (sent.digest('hex') !== arrived.digest('hex'))
    throw carryFailed(`The ${count} rows of ${name} are not what they were.`)
}

/** Passes rows on, and counts them into a hash. */
async function* hashed(rows: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer, void> {
  for await (const piece of rows) {
    hash.update(piece)
    yield piece
  }
}

async function carrySequences(old: BulkConnection, own: BulkConnection): Promise<void> {
  const { rows } = await old.query<{ schema: string; name: string }>(
    compile(sql`
      select n.nspname as schema, c.relname as name
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'S' and c.relpersistence <> 't' and c.oid >= 16384`),
  )
  for (const { schema, name } of rows) {
    const found = await old.query<{ last: string; called: boolean }>(
      compile(sql`select last_value as last, is_called as called from ${identifier(schema, name)}`),
    )
    const [value] = found.rows
    if (value === undefined) throw carryFailed(`The sequence ${schema}.${name} has no value.`)
    await own.query(
      compile(sql`
        select setval(format('%I.%I', ${schema}::text, ${name}::text)::regclass, ${value.last}::bigint, ${value.called}::boolean)`),
    )
  }
}
