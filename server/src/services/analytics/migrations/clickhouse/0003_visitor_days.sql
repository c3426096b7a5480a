-- What each id did on each day: the list of people reads a few of these rows, however many events there are. States of
-- `uniq` count an event once that was sent or stored again.
create table if not exists visitor_days (
  distinct_id String,
  day Date,
  events AggregateFunction(uniq, UUID),
  sessions AggregateFunction(uniq, Nullable(String)),
  first_at SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
engine = AggregatingMergeTree
order by (distinct_id, day)
settings index_granularity = 256;

create materialized view if not exists visitor_days_of_events to visitor_days as
select distinct_id, toDate(timestamp) as day, uniqState(uuid) as events,
  uniqState(nullIf(session_id, '')) as sessions, min(timestamp) as first_at, max(timestamp) as last_at
from events
group by distinct_id, day;

-- Those that were stored before, some ids at a time; an event that comes between is counted once.
insert into visitor_days
select distinct_id, toDate(timestamp) as day, uniqState(uuid) as events,
  uniqState(nullIf(session_id, '')) as sessions, min(timestamp) as first_at, max(timestamp) as last_at
from events
where cityHash64(distinct_id) % {steps:UInt32} = {step:UInt32}
group by distinct_id, day
settings max_bytes_before_external_group_by = 200000000;
