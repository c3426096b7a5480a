-- A text is looked for in each address once, however many events have it; its sessions are then read by address. `visits`
-- has a row for each id and session: the sessions of a person. Copies of an event change nothing of what they propose.
alter table events add projection if not exists addresses (
  select current_url, count(), min(timestamp), max(timestamp)
  group by current_url
);
alter table events add projection if not exists by_address (
  select current_url, timestamp, session_id
  order by current_url, timestamp
);
alter table events add projection if not exists visits (
  select distinct_id, session_id, min(timestamp), max(timestamp)
  group by distinct_id, session_id
);
alter table events materialize projection addresses settings mutations_sync = 0;
alter table events materialize projection by_address settings mutations_sync = 0;
alter table events materialize projection visits settings mutations_sync = 0;
