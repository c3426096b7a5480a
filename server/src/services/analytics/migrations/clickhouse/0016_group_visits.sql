-- What each id did for a group, by day and session: a group's people, sessions and counts are a range of it, however many events
-- there are. States of `uniq` count an event once that was sent or stored again. Of an event's groups the first ten are kept.
create table if not exists group_visits (
  type LowCardinality(String),
  key String codec(ZSTD(1)),
  day Date,
  distinct_id String codec(ZSTD(1)),
  session_id String codec(ZSTD(1)),
  events AggregateFunction(uniq, UUID),
  exceptions AggregateFunction(uniq, Nullable(UUID)),
  first_at SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
engine = AggregatingMergeTree
order by (type, key, day, distinct_id, session_id)
settings index_granularity = 1024;

create materialized view if not exists group_visits_of_events to group_visits as
select g.1 as type, g.2 as key, toDate(timestamp) as day, distinct_id, session_id, uniqState(uuid) as events,
  uniqState(if(event = '$exception', toNullable(uuid), null)) as exceptions, min(timestamp) as first_at, max(timestamp) as last_at
from events
array join arraySlice(arrayZip(mapKeys(groups), mapValues(groups)), 1, 10) as g
group by type, key, day, distinct_id, session_id;

-- Of events that were stored before, some quarters of days at a time, as they lie in the table; what comes between is counted once.
fill group_visits from group_visits_of_events by toUInt32(toDate(client_time)) * 4 + bitShiftRight(cityHash64(distinct_id), 62);
