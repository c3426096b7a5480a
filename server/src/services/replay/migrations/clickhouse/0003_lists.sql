-- When the message began, on the server's clock.
alter table snapshots add column if not exists began Int64 materialized first_ts + coalesce(received_at - sent_at, 0);

-- The newest sessions are found by time, without those that lie behind them. Rows that were stored before are projected
-- in the background; until then they are read where they are. A copy that a merge drops may stay in the projection, which
-- only proposes sessions.
alter table snapshots modify setting deduplicate_merge_projection_mode = 'ignore';
alter table snapshots add projection if not exists by_time (
  select began, received_at, session_id, console_errors
  order by began
);
alter table snapshots materialize projection by_time settings mutations_sync = 0;
