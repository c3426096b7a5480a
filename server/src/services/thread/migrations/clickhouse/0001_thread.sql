-- Ids are kept as text: ClickHouse orders UUIDs by their second half, our version 7 ids sort by time as text.
-- The deduplication window lets a batch be sent again, with its token, after an answer that was never seen.
create table if not exists requests (
  id String,
  time DateTime64(3, 'UTC'),
  duration_ms Float64,
  database_ms Float64,
  service LowCardinality(String),
  method LowCardinality(String),
  path String codec(ZSTD(1)),
  query String codec(ZSTD(1)),
  status UInt16,
  error_code LowCardinality(String),
  rows Nullable(Int64),
  role LowCardinality(String),
  user_id String,
  auth_session_id String,
  session_id String,
  window_id String,
  distinct_id String,
  channel LowCardinality(String),
  exact Bool,
  request_bytes UInt64,
  response_bytes UInt64,
  remote_address String,
  user_agent String codec(ZSTD(1)),
  statements UInt16,
  writes Bool,
  index id_index id type bloom_filter(0.01) granularity 1,
  index session_index session_id type bloom_filter(0.01) granularity 1,
  index distinct_index distinct_id type bloom_filter(0.01) granularity 1,
  index user_index user_id type bloom_filter(0.01) granularity 1
)
engine = MergeTree
partition by toYYYYMMDD(time)
order by (time, id)
ttl toDateTime(time) + toIntervalDay(7) delete where not writes, toDateTime(time) + toIntervalDay(90) delete
settings non_replicated_deduplication_window = 1000;

create table if not exists statements (
  request_id String,
  ordinal UInt16,
  time DateTime64(3, 'UTC'),
  fingerprint UInt64 materialized cityHash64(text),
  text String codec(ZSTD(3)),
  parameter_types Array(LowCardinality(String)),
  rows Nullable(Int64),
  duration_ms Float64,
  role LowCardinality(String),
  error_code LowCardinality(String),
  writes Bool
)
engine = MergeTree
partition by toYYYYMMDD(time)
order by (request_id, ordinal)
ttl toDateTime(time) + toIntervalDay(7) delete where not writes, toDateTime(time) + toIntervalDay(90) delete
settings non_replicated_deduplication_window = 1000;

-- The change stream delivers at least once: a change is one by its commit's position in the log and its own in the commit.
create table if not exists changes (
  commit_time DateTime64(3, 'UTC'),
  lsn UInt64,
  seq UInt32,
  xid UInt32,
  request_id String,
  schema_name LowCardinality(String),
  table_name LowCardinality(String),
  operation LowCardinality(String),
  key String,
  previous_key String,
  old String codec(ZSTD(3)),
  new String codec(ZSTD(3)),
  columns Array(LowCardinality(String)),
  index request_index request_id type bloom_filter(0.01) granularity 1,
  index time_index commit_time type minmax granularity 1
)
engine = ReplacingMergeTree
order by (schema_name, table_name, key, lsn, seq)
ttl toDateTime(commit_time) + toIntervalDay(90) delete;
