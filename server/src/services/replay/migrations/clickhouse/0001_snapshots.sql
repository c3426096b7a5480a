-- One row a recording message. `data` is read only when a session is played: everything a list needs stands beside it.
-- Times are milliseconds since 1970; first_ts and last_ts on the browser's clock, received_at on ours.
-- A message that is sent again has the same key, and is merged away.
create table if not exists snapshots (
  session_id String,
  window_id String,
  uuid UUID,
  distinct_id String,
  first_ts Int64 codec(Delta, ZSTD(1)),
  last_ts Int64 codec(Delta, ZSTD(1)),
  sent_at Nullable(Int64),
  received_at Int64 codec(Delta, ZSTD(1)),
  offset_ms Nullable(Int64) materialized received_at - sent_at,
  events UInt32,
  bytes UInt64,
  clicks UInt32,
  keypresses UInt32,
  console_errors UInt32,
  -- Length of the stretches of activity, and where the first begins and the last ends; 0 without activity.
  active_ms UInt64,
  active_from Int64,
  active_to Int64,
  -- Addresses in order, without repetition in a row.
  urls Array(String) codec(ZSTD(1)),
  has_full_snapshot Bool,
  user_agent String codec(ZSTD(1)),
  browser LowCardinality(String),
  os LowCardinality(String),
  device LowCardinality(String),
  -- The rrweb events as JSON, as received: fields named by `cv` stay compressed.
  data String codec(ZSTD(3)),
  index received_index received_at type minmax granularity 1
)
engine = ReplacingMergeTree
partition by toMonday(toDateTime(intDiv(received_at, 1000), 'UTC'))
order by (session_id, window_id, first_ts, uuid)
ttl toDateTime(intDiv(received_at, 1000), 'UTC') + toIntervalDay(30)
settings non_replicated_deduplication_window = 1000;
