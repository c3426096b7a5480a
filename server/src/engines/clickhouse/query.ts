import type { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { ClickHouseStatement } from '../../ground/sql/clickhouse.ts'
import type { TableAnswer, TableQuestion, TextOptions } from './clickhouse.ts'

// Whole answers are held back until the statement has ended, so that its failure is a status and not a torn body;
// a statement without a waiting caller is stopped.
const whole: ClickHouseSettings = { wait_end_of_query: 1, cancel_http_readonly_queries_on_client_close: 1 }
const streamed: ClickHouseSettings = { cancel_http_readonly_queries_on_client_close: 1 }
const streamedFirst: ClickHouseSettings = { ...streamed, priority: '1' }

const common = (statement: ClickHouseStatement, signal: AbortSignal | undefined) => ({
  query: statement.text,
  query_params: { ...statement.parameters },
  ...(signal === undefined ? {} : { abort_signal: signal }),
})

/** All rows of a statement. */
export async function queryRows<Row>(
  client: ClickHouseClient,
  statement: ClickHouseStatement,
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  const result = await client.query({ ...common(statement, signal), format: 'JSONEachRow', clickhouse_settings: whole })
  return result.json<Row>()
}

/**
 * The texts of a statement's one column, one after another; leaving the loop stops the statement.
 *
 * @param reach how the statement is sent: waits for the engine
 */
export async function* streamTexts(
  reach: <T>(work: () => Promise<T>) => Promise<T>,
  client: () => ClickHouseClient,
  statement: ClickHouseStatement,
  { signal, goesFirst = false }: TextOptions = {},
): AsyncGenerator<string> {
  const settings = goesFirst ? streamedFirst : streamed
  const result = await reach(() =>
    client().query({ ...common(statement, signal), format: 'TabSeparatedRaw', clickhouse_settings: settings }),
  )
  for await (const rows of result.stream()) for (const row of rows) yield row.text
}

/**
 * The answer of a statement that names its format, as bytes. An external server sends them as it finds them; the embedded
 * engine makes the whole answer first, so ask it for what memory holds.
 */
export async function streamBytes(client: ClickHouseClient, statement: ClickHouseStatement): Promise<Readable> {
  const { stream } = await client.exec({
    query: statement.text,
    query_params: { ...statement.parameters },
    clickhouse_settings: whole,
  })
  return stream
}

/** A block is the least that the engine answers. */
const rowsOfBlock = 8192

/** The first rows of a statement that an operator typed. */
export async function readTable(
  client: ClickHouseClient,
  { text, queryId, limits, signal }: TableQuestion,
): Promise<TableAnswer> {
  const result = await client.query({
    ...common({ text, parameters: {} }, signal),
    query_id: queryId,
    format: 'JSONCompactEachRowWithNamesAndTypes',
    clickhouse_settings: {
      ...whole,
      readonly: '1',
      limit: String(limits.rows + 1),
      max_block_size: String(rowsOfBlock),
      max_result_bytes: String(limits.bytes),
      result_overflow_mode: 'break',
      max_execution_time: limits.seconds,
      max_memory_usage: String(limits.memoryBytes),
      output_format_json_quote_64bit_integers: 1,
      output_format_json_quote_denormals: 1,
    },
  })
  const [names = [], types = [], ...rows] = await result.json<readonly unknown[]>()
  const more = rows.length > limits.rows
  return {
    columns: names.map((name, index) => ({ name: String(name), type: String(types[index]) })),
    rows: rows.slice(0, limits.rows).map((row) => row.map(textOfValue)),
    more,
  }
}

const textOfValue = (value: unknown): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value)

/** A statement without rows. */
export async function runCommand(client: ClickHouseClient, statement: ClickHouseStatement): Promise<void> {
  await client.command({
    query: statement.text,
    query_params: { ...statement.parameters },
    clickhouse_settings: { wait_end_of_query: 1 },
  })
}
