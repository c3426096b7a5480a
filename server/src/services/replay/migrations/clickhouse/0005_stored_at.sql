-- When a row was stored, by the engine's clock, as events have it.
alter table snapshots add column if not exists stored_at DateTime64(3, 'UTC')
  default fromUnixTimestamp64Milli(received_at, 'UTC') codec(Delta, ZSTD(1));
alter table snapshots materialize column stored_at settings mutations_sync = 1;
alter table snapshots modify column stored_at default now64(3);
alter table snapshots add index if not exists storing_index stored_at type minmax granularity 1;
