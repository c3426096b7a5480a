-- An exception that is sent again has the same id and client time, which are the sorting key, so that merging keeps one.
-- The fingerprint is no part of it: when a rule changed meanwhile, the exception still is one. No partitions, since a
-- client's clock may name any month (as `events`).
create table if not exists exceptions (
  id String,
  client_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  time DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  fingerprint String,
  source LowCardinality(String),
  level LowCardinality(String),
  handled Bool,
  release String CODEC(ZSTD),
  session_id String,
  window_id String,
  distinct_id String,
  user_id String,
  request_id String,
  url String CODEC(ZSTD),
  browser LowCardinality(String),
  os LowCardinality(String),
  exceptions String CODEC(ZSTD(3)),
  steps String CODEC(ZSTD(3)),
  index fingerprint_index fingerprint type bloom_filter(0.01) granularity 1,
  index session_index session_id type bloom_filter(0.01) granularity 1,
  index time_index time type minmax granularity 1
)
engine = ReplacingMergeTree
order by (toDate(client_time), id)
ttl toDateTime(received_at) + toIntervalDay(90) delete;
