-- Web vitals in a table of their own: what a statement reads of them is as much as was measured, however many other events there
-- are, and those are not slower to store. -2 stands where an event has no value, and -1 where it says something that is no time,
-- so that this can be counted. The path is that of the page that was measured, which the visitor may have left when it is
-- told, and a fragment that is a route (`#/orders`).
create table if not exists web_vitals (
  uuid UUID,
  distinct_id String codec(ZSTD(1)),
  session_id String codec(ZSTD(1)),
  timestamp DateTime64(3, 'UTC') codec(Delta, ZSTD(1)),
  client_time DateTime64(3, 'UTC') codec(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') codec(Delta, ZSTD(1)),
  path String codec(ZSTD(1)),
  device_type LowCardinality(String),
  browser LowCardinality(String),
  os LowCardinality(String),
  country_code LowCardinality(String),
  lcp Float64 codec(ZSTD(1)),
  inp Float64 codec(ZSTD(1)),
  cls Float64 codec(ZSTD(1)),
  fcp Float64 codec(ZSTD(1)),
  index time_index timestamp type minmax granularity 1
)
engine = ReplacingMergeTree(received_at)
order by (toDate(client_time), cityHash64(distinct_id), uuid);

create materialized view if not exists web_vitals_of_events to web_vitals as
select uuid, distinct_id, session_id, timestamp, client_time, received_at,
  concat(path(current_url), extract(current_url, '#[/!][^?#]*')) as path, device_type, browser, os, country_code,
  vitals[1] as lcp, vitals[2] as inp, vitals[3] as cls, vitals[4] as fcp
from (
  select uuid, distinct_id, session_id, timestamp, client_time, received_at, current_url, device_type, browser, os, country_code,
    arrayMap(
      vital -> multiIf(
        position(properties, concat('"', vital, '"')) = 0, -2,
        JSONType(properties, vital) in ('Int64', 'UInt64', 'Double'), greatest(JSONExtractFloat(properties, vital), -1),
        -1
      ),
      ['$web_vitals_LCP_value', '$web_vitals_INP_value', '$web_vitals_CLS_value', '$web_vitals_FCP_value']
    ) as vitals
  from events
  where event = '$web_vitals'
);

-- Of events that were stored before, some quarters of days at a time, as they lie in the table; what comes between is there once.
fill web_vitals from web_vitals_of_events by toUInt32(toDate(client_time)) * 4 + bitShiftRight(cityHash64(distinct_id), 62);

alter table events
  drop column if exists vital_lcp,
  drop column if exists vital_inp,
  drop column if exists vital_cls,
  drop column if exists vital_fcp,
  drop column if exists vitals_path;
