/**
 * What statements and rows of ours mean must not depend on the profile that a server by URL gives its logins, nor on the version
 * whose defaults it has: these go with every request to one, and are the embedded engine's defaults. A server takes a value
 * that its profile forbids to change, where it is the profile's own. ClickHouse knows all of them since 24.8.
 *
 * @see https://clickhouse.com/docs/operations/settings/settings
 */
export const statementSettings = {
  // Defaults of an earlier version, if the profile asks for them: first, since it takes back what it has set.
  compatibility: '',

  // Grammar and functions. Our views need the new analyzer: without it no event is stored.
  allow_experimental_analyzer: 1,
  prefer_column_name_to_alias: 0,
  join_use_nulls: 0,
  join_default_strictness: 'ALL',
  transform_null_in: 0,
  group_by_use_nulls: 0,
  aggregate_functions_null_for_empty: 0,
  empty_result_for_aggregation_by_empty_set: 0,
  cast_keep_nullable: 0,
  data_type_default_nullable: 0,
  enable_extended_results_for_datetime_functions: 0,
  date_time_overflow_behavior: 'ignore',
  short_circuit_function_evaluation: 'enable',
  session_timezone: 'UTC',

  // The form of answers.
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_64bit_floats: 0,
  output_format_json_quote_denormals: 0,
  output_format_json_quote_decimals: 0,
  output_format_json_named_tuples_as_objects: 1,
  output_format_json_array_of_rows: 0,
  date_time_output_format: 'simple',

  // Answers are whole, and of now.
  limit: '0',
  offset: '0',
  final: 0,
  use_query_cache: 0,
  read_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  transfer_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  set_overflow_mode: 'throw',

  // Rows that are stored, and what views make of them.
  async_insert: 0,
  date_time_input_format: 'best_effort',
  input_format_skip_unknown_fields: 1,
  input_format_null_as_default: 1,
  input_format_defaults_for_omitted_fields: 1,
  materialized_views_ignore_errors: 0,
  mutations_sync: '1',
} as const
