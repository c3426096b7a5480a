import type { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { ClickHouseStatement } from '../../ground/sql/clickhouse.ts'

// Whole answers are held back until the statement has ended, so that its failure is a status and not a torn body;
// a statement without a waiting caller is stopped.
const whole: ClickHouseSettings = { wait_end_of_query: 1, cancel_http_readonly_queries_on_client_close: 1 }
const streamed: ClickHouseSettings = { cancel_http_readonly_queries_on_client_close: 1 }

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
  client: ClickHouseClient,
  statement: ClickHouseStatement,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const result = await reach(() =>
    client.query({ ...common(statement, signal), format: 'TabSeparatedRaw', clickhouse_settings: streamed }),
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

/** A statement without rows. */
export async function runCommand(client: ClickHouseClient, statement: ClickHouseStatement): Promise<void> {
  await client.command({
    query: statement.text,
    query_params: { ...statement.parameters },
    clickhouse_settings: { wait_end_of_query: 1 },
  })
}
