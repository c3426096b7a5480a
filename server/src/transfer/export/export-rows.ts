import { createReadStream, createWriteStream } from 'node:fs'
import { access, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import { openBulkConnection } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'

/** What is exported by itself. */
const exportedKinds = ['events', 'persons', 'requests', 'recordings'] as const
/** One of `exportedKinds`. */
export type ExportedKind = (typeof exportedKinds)[number]

/** Formats of files, and the engine's names for them. */
const exportFormats = { parquet: 'Parquet', csv: 'CSVWithNames', jsonl: 'JSONEachRow' } as const
/** One of `exportFormats`, by the name that a person gives it. */
export type ExportFormat = keyof typeof exportFormats

export interface ExportRowsOptions {
  readonly kind: ExportedKind
  readonly format: ExportFormat
  /** Of what arrived from then on; of persons, who were first seen from then on. */
  readonly from: Date | null
  /** Of what arrived before then. */
  readonly to: Date | null
  /** The file; one that is there is not replaced. */
  readonly out: string
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamBytes' | 'kind'>
  /** The connection string of the database, as its owner. */
  readonly address: string
}

/**
 * Writes rows into one file, by the engine's own formats, no more of them in memory than a group of rows; the file is there once
 * it is whole.
 *
 * @throws CLEW_FILE where there is a file already
 * @returns how many rows it has, and its size
 */
export async function exportRows(
  options: ExportRowsOptions,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const out = resolve(options.out)
  const isThere = await access(out).then(
    () => true,
    () => false,
  )
  if (isThere) throw instanceError('CLEW_FILE', { message: `${options.out} is there already, and is not replaced.` })
  const part = `${out}.part`
  await rm(part, { force: true })
  try {
    const rows = options.kind === 'persons' ? await writePersons(options, part) : await writeTable(options, part)
    await rename(part, out)
    return { rows, bytes: (await stat(out)).size }
  } finally {
    await rm(part, { force: true })
  }
}

interface Source {
  readonly table: SqlFragment
  readonly arrival: SqlFragment
}

const sources: Readonly<Record<Exclude<ExportedKind, 'persons'>, Source>> = {
  events: { table: constant('events final'), arrival: constant('received_at') },
  requests: { table: constant('requests'), arrival: constant('time') },
  recordings: { table: constant('snapshots final'), arrival: constant("toDateTime64(received_at / 1000, 3, 'UTC')") },
}

async function writeTable(options: ExportRowsOptions, part: string): Promise<number> {
  const { kind, format, from, to, clickhouse } = options
  if (kind === 'persons') return 0
  const { table, arrival } = sources[kind]
  const bounds = [
    ...(from === null ? [] : [sql`${arrival} >= ${momentOf(from)}`]),
    ...(to === null ? [] : [sql`${arrival} < ${momentOf(to)}`]),
  ]
  const rows = sql`from ${table} ${bounds.length === 0 ? constant('') : sql`where ${join(bounds, ' and ')}`}`
  await write(clickhouse, sql`select * ${rows}`, format, part)
  const [counted] = await clickhouse.query<{ count: string }>(
    compileClickHouse(sql`select toString(count()) as count ${rows}`),
  )
  return Number(counted?.count ?? 0)
}

const momentOf = (at: Date): SqlFragment => sql`fromUnixTimestamp64Milli(${typed(at.getTime(), 'Int64')}, 'UTC')`

/**
 * An embedded engine holds a whole answer of Parquet, but writes a file as it reads: so it writes the file itself. A server sends
 * its answer as it reads.
 */
async function write(
  clickhouse: ExportRowsOptions['clickhouse'],
  select: SqlFragment,
  format: ExportFormat,
  path: string,
): Promise<void> {
  const name = exportFormats[format]
  if (clickhouse.kind === 'embedded') await clickhouse.command(intoFile(select, name, path))
  else
    await pipeline(
      await clickhouse.streamBytes(compileClickHouse(sql`${select} format ${constant(name)}`)),
      createWriteStream(path, { mode: 0o600 }),
    )
}

const intoFile = (select: SqlFragment, format: string, path: string): ClickHouseStatement =>
  compileClickHouse(sql`
    insert into function file(${path}, ${format})
    ${select}
    settings output_format_parquet_row_group_size = 50000, max_threads = 1`)

const personColumns =
  'id String, distinct_ids Array(String), properties String, created_at String, user_id Nullable(String)'

/** Persons are in PostgreSQL, from where they come as JSON Lines; the engine makes other formats of these. */
async function writePersons(
  { format, from, to, clickhouse, address }: ExportRowsOptions,
  part: string,
): Promise<number> {
  const lines = format === 'jsonl' ? part : `${part}.jsonl`
  const database = await openBulkConnection(address, 'clew export')
  try {
    await pipeline(database.copyOut(copyPersons(from, to)), createWriteStream(lines, { mode: 0o600 }))
    const rows = await countLines(lines)
    if (format === 'jsonl') return rows
    if (clickhouse.kind !== 'embedded')
      throw instanceError('CLEW_FILE', {
        message: 'With a ClickHouse of your own, persons are written as JSON Lines: --format jsonl.',
      })
    const select = sql`select * from file(${lines}, 'JSONEachRow', ${personColumns})`
    await clickhouse.command(intoFile(select, exportFormats[format], part))
    return rows
  } finally {
    await database.close()
    if (lines !== part) await rm(lines, { force: true })
  }
}

/** Signs that no text of JSON has in it, as delimiter and quote: each line is the text itself. */
function copyPersons(from: Date | null, to: Date | null): string {
  const bounds = [
    ...(from === null ? [] : [`p.created_at >= '${from.toISOString()}'`]),
    ...(to === null ? [] : [`p.created_at < '${to.toISOString()}'`]),
  ]
  return `copy (
    select jsonb_build_object(
      'id', p.id,
      'distinct_ids', (select coalesce(jsonb_agg(d.distinct_id order by d.distinct_id), '[]')
        from clew_analytics.distinct_ids d where d.person_id = p.id),
      'properties', p.properties::text,
      'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'user_id', p.auth_user_id)
    from clew_analytics.persons p
    ${bounds.length === 0 ? '' : `where ${bounds.join(' and ')}`}
    order by p.created_at, p.id
  ) to stdout (format csv, delimiter e'\\x01', quote e'\\x02')`
}

const newline = 0x0a

async function countLines(path: string): Promise<number> {
  let lines = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>)
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) lines += 1
  return lines
}
