-- Spans and log records of the team's own servers. A trace is read as a whole: its rows lie together. A span that is sent, or
-- stored, again is one by its ids, a record by the digest of the batch that it came in and its place there. Attributes, those
-- of what sent it, and events are JSON.
create table if not exists spans (
  trace_id String,
  span_id String,
  parent_span_id String,
  time DateTime64(3, 'UTC'),
  start_ns UInt64,
  duration_ns UInt64,
  name String,
  kind LowCardinality(String),
  service LowCardinality(String),
  scope LowCardinality(String),
  status LowCardinality(String),
  status_message String,
  session_id String,
  attributes String codec(ZSTD(3)),
  resource String codec(ZSTD(3)),
  events String codec(ZSTD(3)),
  dropped UInt32,
  index session_index session_id type bloom_filter(0.01) granularity 1
)
engine = ReplacingMergeTree
partition by toYYYYMMDD(time)
order by (trace_id, span_id);

create table if not exists server_logs (
  id String,
  time DateTime64(3, 'UTC'),
  time_ns UInt64,
  trace_id String,
  span_id String,
  session_id String,
  service LowCardinality(String),
  scope LowCardinality(String),
  level LowCardinality(String),
  event_name String,
  text String codec(ZSTD(3)),
  attributes String codec(ZSTD(3)),
  resource String codec(ZSTD(3)),
  dropped UInt32,
  index session_index session_id type bloom_filter(0.01) granularity 1
)
engine = ReplacingMergeTree
partition by toYYYYMMDD(time)
order by (trace_id, time, id);
