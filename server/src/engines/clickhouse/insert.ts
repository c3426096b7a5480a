import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { InsertOptions } from './clickhouse.ts'

const pieceBytes = 256 * 1024

/** Lines joined into pieces of some size: one write a line would cost more than the rows. */
function* pieces(lines: readonly (string | Buffer)[]): Generator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  const newline = Buffer.from('\n')
  for (const line of lines) {
    const bytes = typeof line === 'string' ? Buffer.from(line) : line
    if (bytes.length >= pieceBytes) {
      // Large enough by itself: a copy of it would only cost time.
      if (length > 0) yield Buffer.concat(parts, length)
      yield bytes
      parts = [newline]
      length = newline.length
      continue
    }
    parts.push(bytes, newline)
    length += bytes.length + newline.length
    if (length < pieceBytes) continue
    yield Buffer.concat(parts, length)
    parts = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(parts, length)
}

/** Inserts ready-made JSON lines as one block; `ClickHouse.insertLines` on one client. */
export type InsertLines = (table: string, lines: readonly (string | Buffer)[], options?: InsertOptions) => Promise<void>

/**
 * Inserts lines of JSON.
 *
 * @returns a function that throws ClickHouseError when a line does not fit the table; then no line is stored
 */
export function createInsert(client: ClickHouseClient): InsertLines {
  // A profile may say that tokens do not count. Servers before 26 do not know it.
  let newest: ClickHouseSettings = { deduplicate_insert: 'enable' }
  return async (table, lines, options = {}) => {
    if (lines.length === 0) return
    try {
      await insertOnce(client, table, lines, options, newest)
    } catch (error) {
      if (!isUnknownSetting(error) || Object.keys(newest).length === 0) throw error
      newest = {}
      await insertOnce(client, table, lines, options, newest)
    }
  }
}

const isUnknownSetting = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '115'

async function insertOnce(
  client: ClickHouseClient,
  table: string,
  lines: readonly (string | Buffer)[],
  options: InsertOptions,
  more: ClickHouseSettings,
): Promise<void> {
  // The engine remembers a block before it is in its place. Killed between the two, it would take the block sent again
  // for one that it has: what must not be lost goes into tables that take a row for one however often it comes, and is
  // sent with a token that never comes again. `insert_deduplicate: 0` would not do: since 26 another setting overrules
  // it, which older servers refuse, and rows without a token are then known again by what is in them.
  const { token = randomUUID(), columns, onlyFitting = false } = options
  if (!/^\w+(\.\w+)?$/.test(table)) throw new TypeError(`${table} is not the name of a table.`)
  if (columns?.every((name) => /^\w+$/.test(name)) === false)
    throw new TypeError(`Not the names of columns: ${columns}.`)
  const shape = columns === undefined ? 'format JSONEachRow' : `(${columns}) format JSONCompactEachRow`
  // Not `client.insert`: it would parse and write anew each line that is ready already.
  const result = await client.exec({
    query: `insert into ${table} ${shape}`,
    values: Readable.from(pieces(lines), { objectMode: false }),
    clickhouse_settings: {
      // The rows must be on the disk when the answer comes, in a block of their own that can be known again.
      async_insert: 0,
      input_format_parallel_parsing: 0,
      wait_end_of_query: 1,
      date_time_input_format: 'best_effort',
      // Half of a surrogate pair is kept as it was written: all lines are well-formed, this is the second wall.
      input_format_json_throw_on_bad_escape_sequence: 0,
      // A line that an earlier version wrote may lack the newest columns.
      input_format_json_compact_allow_variable_number_of_columns: 1,
      insert_deduplicate: 1,
      insert_deduplication_token: token,
      ...more,
      ...(onlyFitting ? { input_format_allow_errors_num: '1000000000', input_format_allow_errors_ratio: 1 } : {}),
    },
  })
  result.stream.resume()
}
