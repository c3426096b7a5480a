-- Headers and bodies of requests and answers, where the setting `exchanges` keeps them, without secrets: headers as JSON of
-- pairs; why a body is left out is told beside it. A line that is sent again after a crash is one by its request.
create table if not exists exchanges (
  request_id String,
  time DateTime64(3, 'UTC'),
  request_headers String codec(ZSTD(3)),
  request_body String codec(ZSTD(3)),
  request_left_out LowCardinality(String),
  response_headers String codec(ZSTD(3)),
  response_body String codec(ZSTD(3)),
  response_left_out LowCardinality(String)
)
engine = ReplacingMergeTree
partition by toYYYYMMDD(time)
order by request_id
ttl toDateTime(time) + toIntervalDay(3) delete;
