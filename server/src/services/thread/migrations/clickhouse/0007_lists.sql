-- What is asked by session, by id or by what made it reads a projection, which goes with its rows through mutations (and,
-- but for `changes`, lifetimes). Rows that were stored before are projected in the background; until then they are read where they are. A copy
-- of a change that a merge drops may stay in a projection: changes are one by (lsn, seq) in all statements.
alter table requests add projection if not exists by_session (
  select session_id, time, id, window_id, distinct_id, user_id, auth_session_id, user_agent, status, duration_ms, service,
    writes
  order by session_id, time
);
alter table requests add projection if not exists by_id (select id, time order by id);
alter table requests materialize projection by_session settings mutations_sync = 0;
alter table requests materialize projection by_id settings mutations_sync = 0;

alter table changes modify setting deduplicate_merge_projection_mode = 'ignore';
alter table changes add projection if not exists by_request (
  select request_id, schema_name, table_name, key, lsn, seq
  order by request_id
);
alter table changes add projection if not exists by_time (select commit_time, lsn, seq order by commit_time);
alter table changes materialize projection by_request settings mutations_sync = 0;
alter table changes materialize projection by_time settings mutations_sync = 0;
