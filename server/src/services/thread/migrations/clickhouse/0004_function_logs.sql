-- What functions log, each line for the request that it was written for where that is known. A line that is sent again
-- after a crash is one by its id.
create table if not exists function_logs (
  id String,
  time DateTime64(3, 'UTC'),
  name LowCardinality(String),
  version String,
  execution_id String,
  request_id String,
  kind LowCardinality(String),
  level LowCardinality(String),
  text String codec(ZSTD(3)),
  index request_index request_id type bloom_filter(0.01) granularity 1
)
engine = ReplacingMergeTree
partition by toYYYYMMDD(time)
order by (name, time, id)
ttl toDateTime(time) + toIntervalDay(7) delete;
