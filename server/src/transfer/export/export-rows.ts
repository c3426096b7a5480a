import { createWriteStream } from 'node:fs'
import { access, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import { instanceError } from '../../errors.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'

/** What is exported by itself. */
const exportedKinds = ['events', 'persons', 'requests', 'recordings'] as const
/** One of `exportedKinds`. */
export type ExportedKind = (typeof exportedKinds)[number]

/** Formats of files, and the engine's names for them. */
const exportFormats = { parquet: 'Parquet', csv: 'CSVWithNames', jsonl: 'JSONEachRow' } as const
/** One of `exportFormats`, by the name that a person gives it. */
export type ExportFormat = keyof typeof exportFormats

/** A connection to PostgreSQL, as an administrator. */
export interface Administrator {
  query<Row extends object>(statement: Statement): Promise<{ readonly rows: readonly Row[] }>
}

export interface ExportRowsOptions {
  readonly kind: ExportedKind
  readonly format: ExportFormat
  /** Whether `from` and `to` are of when rows arrived, or of when they were stored: those of a backlog are stored later. */
  readonly by: 'arrival' | 'storing'
  /** Rows from then on; persons, who were first seen from then on. */
  readonly from: Date | null
  /** Rows before then. */
  readonly to: Date | null
  /** The file; one that is there is not replaced. */
  readonly out: string
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamBytes' | 'kind'>
  readonly database: Administrator
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

/** When a row was stored, by the clock of the engine. */
const storing = constant('stored_at')

const sources: Readonly<Record<Exclude<ExportedKind, 'persons'>, Source>> = {
  events: { table: constant('events final'), arrival: constant('received_at') },
  requests: { table: constant('requests'), arrival: constant('time') },
  recordings: { table: constant('snapshots final'), arrival: constant("toDateTime64(received_at / 1000, 3, 'UTC')") },
}

async function writeTable(options: ExportRowsOptions, part: string): Promise<number> {
  const { kind, format, by, from, to, clickhouse } = options
  if (kind === 'persons') return 0
  const { table, arrival } = sources[kind]
  const time = by === 'arrival' ? arrival : storing
  const bounds = [
    ...(from === null ? [] : [sql`${time} >= ${momentOf(from)}`]),
    ...(to === null ? [] : [sql`${time} < ${momentOf(to)}`]),
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
    settings output_format_parquet_row_group_size = 50000, output_format_parquet_row_group_size_bytes = 67108864,
      max_threads = 1`)

const personColumns =
  'id String, distinct_ids Array(String), properties String, created_at String, user_id Nullable(String)'

/** Persons are in PostgreSQL, from where they come as JSON Lines; the engine makes other formats of these. */
async function writePersons(options: ExportRowsOptions, part: string): Promise<number> {
  const { format, clickhouse } = options
  if (format !== 'jsonl' && clickhouse.kind !== 'embedded')
    throw instanceError('CLEW_FILE', {
      message: 'With a ClickHouse of your own, persons are written as JSON Lines: --format jsonl.',
    })
  const lines = format === 'jsonl' ? part : `${part}.jsonl`
  try {
    let rows = 0
    const pages = async function* (): AsyncGenerator<string> {
      for await (const page of readPersons(options)) {
        rows += page.length
        yield `${page.map(({ line }) => line).join('\n')}\n`
      }
    }
    await pipeline(pages, createWriteStream(lines, { mode: 0o600 }))
    if (format === 'jsonl') return rows
    const select = sql`select * from file(${lines}, 'JSONEachRow', ${personColumns})`
    await clickhouse.command(intoFile(select, exportFormats[format], part))
    return rows
  } finally {
    if (lines !== part) await rm(lines, { force: true })
  }
}

interface PersonLine {
  readonly id: string
  readonly line: string
}

const pagePersons = 2000
const firstId = '00000000-0000-0000-0000-000000000000'

async function* readPersons({ from, to, database }: ExportRowsOptions): AsyncGenerator<readonly PersonLine[]> {
  for (let after = firstId; ; ) {
    const { rows } = await database.query<PersonLine>(selectPersonsStatement({ from, to, after }))
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pagePersons) return
    after = last.id
  }
}

/** The next persons, each as a line of JSON. */
const selectPersonsStatement = ({
  from,
  to,
  after,
}: Pick<ExportRowsOptions, 'from' | 'to'> & { readonly after: string }): Statement =>
  compile(sql`
    select p.id, jsonb_build_object(
      'id', p.id,
      'distinct_ids', (
        select coalesce(jsonb_agg(d.distinct_id order by d.distinct_id), '[]')
        from clew_analytics.distinct_ids d
        where d.person_id = p.id
      ),
      'properties', p.properties::text,
      'created_at', to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'user_id', p.auth_user_id
    )::text as line
    from clew_analytics.persons p
    where p.id > ${typed(after, 'uuid')}
      and (${typed(from, 'timestamptz')} is null or p.created_at >= ${typed(from, 'timestamptz')})
      and (${typed(to, 'timestamptz')} is null or p.created_at < ${typed(to, 'timestamptz')})
    order by p.id
    limit ${typed(pagePersons, 'int')}`)
