-- When a row was stored, by the engine's clock: what is exported bit by bit is cut by it, since what waits in a spool, and
-- what is imported, is stored long after it arrived. Of rows that were stored before it is when they arrived, written into
-- their parts before the default becomes the present: parts without the column would answer a new time each time.
alter table events add column if not exists stored_at DateTime64(3, 'UTC') default received_at codec(Delta, ZSTD);
alter table events materialize column stored_at settings mutations_sync = 1;
alter table events modify column stored_at default now64(3);
alter table events add index if not exists storing_index stored_at type minmax granularity 1;
