-- Rows past their lifetime are deleted, as those of `changes` are, and not dropped by merges, which leave them in the projection.
alter table snapshots modify ttl toDateTime(intDiv(received_at, 1000), 'UTC') + toIntervalDay(3650)
  settings materialize_ttl_after_modify = 0;
alter table snapshots remove ttl;
alter table snapshots modify setting max_bytes_to_merge_at_max_space_in_pool = 536870912;
alter table snapshots clear projection by_time settings mutations_sync = 0;
alter table snapshots materialize projection by_time settings mutations_sync = 0;
