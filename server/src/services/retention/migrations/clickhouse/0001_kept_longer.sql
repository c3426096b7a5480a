-- What is kept longer, looked up anew before rows are deleted: a pass each time. A deletion that the engine goes on with after
-- a restart still finds its pass; of a pass that is gone nothing is deleted, which is why a pass goes as a whole, with its day.
create table if not exists kept_longer (
  pass String,
  at DateTime('UTC'),
  kind LowCardinality(String),
  value String
)
engine = MergeTree
partition by toYYYYMMDD(at)
order by (pass, kind, value);
