import { statementSettings } from '../statement-settings.ts'

/** Limits of one embedded engine. */
export interface Limits {
  /** What all statements, merges and caches together may take. */
  readonly memoryBytes: number
  /** Longest run of one statement that names no other limit. */
  readonly maxExecutionSeconds: number
}

const megabytes = (count: number): number => count * 1024 * 1024

/**
 * The engine's configuration file. ClickHouse's defaults are for a server with dozens of cores; beside an application
 * an idle engine should be small, so caches, pools and schedules are cut to what two cores can use.
 *
 * @see https://clickhouse.com/docs/operations/server-configuration-parameters/settings
 */
export function renderConfiguration(limits: Limits): string {
  const values: Record<string, number | string> = {
    max_server_memory_usage: limits.memoryBytes,
    mark_cache_size: megabytes(16),
    index_mark_cache_size: megabytes(4),
    primary_index_cache_size: megabytes(16),
    uncompressed_cache_size: 0,
    index_uncompressed_cache_size: 0,
    mmap_cache_size: 16,
    compiled_expression_cache_size: megabytes(4),
    query_condition_cache_size: megabytes(4),
    parquet_metadata_cache_size: 0,
    iceberg_metadata_files_cache_size: 0,
    vector_similarity_index_cache_size: 0,
    text_index_tokens_cache_size: megabytes(4),
    text_index_header_cache_size: megabytes(4),
    text_index_postings_cache_size: megabytes(4),
    background_pool_size: 2,
    background_merges_mutations_concurrency_ratio: 1,
    background_schedule_pool_size: 2,
    background_schedule_pool_initial_size: 1,
    max_thread_pool_free_size: 4,
    max_active_parts_loading_thread_pool_size: 2,
    max_outdated_parts_loading_thread_pool_size: 1,
    max_parts_cleaning_thread_pool_size: 1,
    asynchronous_metrics_update_period_s: 60,
    'logger/level': 'none',
  }
  const lines = Object.entries(values).map(([name, value]) => {
    const path = name.split('/')
    return `  ${path.map((step) => `<${step}>`).join('')}${value}${path
      .map((step) => `</${step}>`)
      .reverse()
      .join('')}`
  })
  const ofTables = [
    // An insert is answered only when its rows and their directory are on the disk.
    ...['fsync_after_insert', 'fsync_part_directory'],
    // Columns are written through buffers that begin small: of a mebibyte each, the forty of `events` took 248 MiB for 42,000 rows.
    'min_columns_to_activate_adaptive_write_buffer',
  ].map((name) => `    <${name}>1</${name}>`)
  return ['<clickhouse>', ...lines, '  <merge_tree>', ...ofTables, '  </merge_tree>', '</clickhouse>', ''].join('\n')
}

/** Settings that hold for every connection unless a request sets its own. */
export function renderArguments(configurationFile: string, limits: Limits): readonly string[] {
  const perQuery = Math.floor(limits.memoryBytes * 0.7)
  const settings: Record<string, number | string> = {
    max_execution_time: limits.maxExecutionSeconds,
    max_memory_usage: perQuery,
    // Large sorts and groups go to the disk before they meet the limit.
    max_bytes_before_external_group_by: Math.floor(perQuery / 2),
    max_bytes_before_external_sort: Math.floor(perQuery / 2),
    ...statementSettings,
    // Projections are made of blocks of this size while parts merge: the million of rows that is the default takes
    // more than the memory given. What is inserted is one block, however small this is.
    min_insert_block_size_rows: 65_536,
    // An id is looked up in bloom filters: of 70 parts, those of a month of requests, that took 8 ms of CPU time while the statement
    // is planned, and 48 while it reads.
    use_skip_indexes_on_data_read: 0,
  }
  return [
    `--config-file=${configurationFile}`,
    ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
  ]
}
