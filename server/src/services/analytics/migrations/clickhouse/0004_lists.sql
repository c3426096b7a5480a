-- Lists read these columns by session or by time, and nothing else of the table. A projection goes with its rows through
-- mutations, so that what is deleted or written anew is so here as well. Rows that were stored before are projected in the
-- background; until then they are read where they are. A merge that drops the earlier copy of an event leaves it in the
-- projection ("ignore"; to make projections anew takes seven times the memory): who reads one takes the last copy.
-- Parts of 512 MiB are left as they are: projections of larger ones are merged with most of the memory of an engine of a
-- gigabyte, and parts of different times are read one by one in any case.
alter table events modify setting
  deduplicate_merge_projection_mode = 'ignore',
  max_bytes_to_merge_at_max_space_in_pool = 536870912;

-- Of the properties, what the list of sessions asks of every event.
alter table events add column if not exists event_type LowCardinality(String)
  materialized if(event = '$autocapture', JSONExtractString(properties, '$event_type'), '');
alter table events add column if not exists user_agent String
  materialized JSONExtractString(properties, '$raw_user_agent') codec(ZSTD(1));
alter table events add column if not exists exception String
  materialized if(
    event = '$exception',
    coalesce(
      nullIf(JSONExtractString(properties, '$exception_list', 1, 'value'), ''),
      JSONExtractString(properties, '$exception_message')
    ),
    ''
  ) codec(ZSTD(1));

alter table events add projection if not exists by_session (
  select session_id, client_time, event, distinct_id, uuid, timestamp, received_at, window_id, current_url, browser, os,
    device_type, user_agent, event_type, exception
  order by session_id, client_time
);
alter table events add projection if not exists by_time (
  select timestamp, uuid, session_id, event, distinct_id, client_time, received_at
  order by timestamp, uuid
);
alter table events materialize projection by_session settings mutations_sync = 0;
alter table events materialize projection by_time settings mutations_sync = 0;
