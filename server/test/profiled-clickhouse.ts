import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'

/** Settings of a profile that changes what statements mean, how their rows look, and which of them come. */
export const oddProfile: Readonly<Record<string, string>> = {
  ...{ compatibility: '22.3', enable_analyzer: '0', session_timezone: 'Asia/Tokyo' },
  ...{ prefer_column_name_to_alias: '1', join_use_nulls: '1', join_default_strictness: 'ANY', transform_null_in: '1' },
  ...{ group_by_use_nulls: '1', aggregate_functions_null_for_empty: '1', cast_keep_nullable: '1' },
  ...{ empty_result_for_aggregation_by_empty_set: '1', data_type_default_nullable: '1' },
  ...{ enable_extended_results_for_datetime_functions: '1', date_time_overflow_behavior: 'throw' },
  ...{ output_format_json_quote_64bit_integers: '0', output_format_json_quote_64bit_floats: '1' },
  ...{ output_format_json_quote_denormals: '1', output_format_json_quote_decimals: '1' },
  ...{ output_format_json_named_tuples_as_objects: '0', output_format_json_array_of_rows: '1' },
  ...{ date_time_output_format: 'unix_timestamp', date_time_input_format: 'basic' },
  ...{ limit: '1', use_query_cache: '1', final: '1' },
  ...{ async_insert: '1', wait_for_async_insert: '0', mutations_sync: '0', materialized_views_ignore_errors: '1' },
  ...{ insert_deduplicate: '0', deduplicate_insert: 'disable' },
  ...{ input_format_skip_unknown_fields: '0', input_format_null_as_default: '0' },
  input_format_defaults_for_omitted_fields: '0',
}

/** The engine as a server by URL whose profile has these settings: they hold where a request says nothing else. */
export async function serveWithProfile(
  { address }: Pick<ClickHouse, 'address'>,
  profile: Readonly<Record<string, string>>,
): Promise<string> {
  const socketPath = address.kind === 'embedded' ? address.socketPath : ''
  const server = createServer((asked, answered) => {
    const { method, headers, url = '/' } = asked
    const { pathname, searchParams } = new URL(url, 'http://engine')
    const search = new URLSearchParams([...Object.entries(profile), ...searchParams])
    const path = pathname === '/' ? `/?${search}` : url
    const inner = request({ socketPath, method, headers, path }, (answer) => {
      answered.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(answered)
    })
    inner.on('error', () => answered.destroy())
    answered.on('close', () => inner.destroy())
    asked.pipe(inner)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
