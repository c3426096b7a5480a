-- A resent event has the same uuid, name, distinct id and client time: all of them stand in the sorting key, so that
-- merging keeps one. Nothing of the key depends on when we received it. The table has no partitions: a partition key
-- from the client's clock would let one batch with a hundred different months be refused, and hold up all others.
create table if not exists events (
  uuid UUID,
  event LowCardinality(String),
  distinct_id String,
  session_id String,
  window_id String,
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  client_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  sent_at Nullable(DateTime64(3, 'UTC')),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  current_url String CODEC(ZSTD),
  pathname LowCardinality(String),
  host LowCardinality(String),
  referring_domain LowCardinality(String),
  browser LowCardinality(String),
  os LowCardinality(String),
  device_type LowCardinality(String),
  lib LowCardinality(String),
  elements_chain String CODEC(ZSTD),
  person_profile Bool,
  properties String CODEC(ZSTD),
  index session_index session_id type bloom_filter(0.01) granularity 1,
  index distinct_index distinct_id type bloom_filter(0.01) granularity 1,
  index time_index timestamp type minmax granularity 1,
  index arrival_index received_at type minmax granularity 1
)
engine = ReplacingMergeTree(received_at)
order by (toDate(client_time), event, cityHash64(distinct_id), uuid)
settings non_replicated_deduplication_window = 1000;
