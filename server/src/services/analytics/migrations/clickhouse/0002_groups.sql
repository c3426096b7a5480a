-- The groups that an event was made for, type → key, read from its properties: of events that were stored before as well.
alter table events add column if not exists groups Map(LowCardinality(String), String)
  materialized if(position(properties, '"$groups"') = 0, map(), JSONExtract(properties, '$groups', 'Map(LowCardinality(String), String)'));
