-- Messages that sockets of recorded sessions sent and received, without their payload. `cause_id` is the request, or the
-- message of another socket, that led to it. A line that is sent again after a crash is one by its id.
create table if not exists frames (
  id String,
  time DateTime64(3, 'UTC'),
  connection_id String,
  session_id String,
  window_id String,
  distinct_id String,
  user_id String,
  auth_session_id String,
  channel LowCardinality(String),
  exact Bool,
  direction LowCardinality(String),
  kind LowCardinality(String),
  topic String codec(ZSTD(3)),
  event String codec(ZSTD(3)),
  bytes UInt64,
  cause_id String,
  delay_ms Nullable(UInt32),
  skipped UInt32,
  index id_index id type bloom_filter(0.01) granularity 1,
  index cause_index cause_id type bloom_filter(0.01) granularity 1
)
engine = ReplacingMergeTree
partition by toYYYYMMDD(time)
order by (session_id, time, id)
ttl toDateTime(time) + toIntervalDay(7) delete;
