-- Where events come from, of their properties: the place that a session is shown with, and the filter of sessions by country.
-- The projection has a row for each session and place of a part; copies of an event change nothing of it.
alter table events add column if not exists country_code LowCardinality(String)
  materialized if(position(properties, '"$geoip_country_code"') = 0, '', JSONExtractString(properties, '$geoip_country_code'));
alter table events add column if not exists city_name String
  materialized if(position(properties, '"$geoip_city_name"') = 0, '', JSONExtractString(properties, '$geoip_city_name')) codec(ZSTD(1));

alter table events add projection if not exists places (
  select session_id, country_code, city_name, min(timestamp), max(timestamp)
  group by session_id, country_code, city_name
);
alter table events materialize projection places settings mutations_sync = 0;
