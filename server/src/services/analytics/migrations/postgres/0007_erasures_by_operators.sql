-- An erasure that an operator asked for names the person and what was kept of them then; those of a withdrawal do not.
-- Once it is done the ids go as well, and their number stays.
alter table clew_analytics.erasures add column if not exists person_id uuid;
alter table clew_analytics.erasures add column if not exists counts jsonb;
alter table clew_analytics.erasures add column if not exists id_count int;
update clew_analytics.erasures set id_count = cardinality(distinct_ids), distinct_ids = '{}' where state = 'done';
