-- A merge that drops rows past the table's lifetime leaves them in projections that it ignores: they are deleted instead,
-- which makes the projections of their parts anew. Of parts that are merged no further than `events`, those of the oldest days
-- alone are written for it. The first statement lets the second run twice.
alter table changes modify ttl toDateTime(commit_time) + toIntervalDay(3650) settings materialize_ttl_after_modify = 0;
alter table changes remove ttl;
alter table changes modify setting max_bytes_to_merge_at_max_space_in_pool = 536870912;

-- What merges have left in the projections goes.
alter table changes clear projection by_request settings mutations_sync = 0;
alter table changes clear projection by_time settings mutations_sync = 0;
alter table changes materialize projection by_request settings mutations_sync = 0;
alter table changes materialize projection by_time settings mutations_sync = 0;
