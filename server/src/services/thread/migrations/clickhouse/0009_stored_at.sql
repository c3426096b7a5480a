-- When a request was stored, by the engine's clock, as events have it.
alter table requests add column if not exists stored_at DateTime64(3, 'UTC') default time codec(Delta, ZSTD(1));
alter table requests materialize column stored_at settings mutations_sync = 1;
alter table requests modify column stored_at default now64(3);
alter table requests add index if not exists storing_index stored_at type minmax granularity 1;
