-- When each group was seen first and last, described or not: the list of groups is in this order, as that of people.
create table clew_analytics.groups_seen (
  type text not null references clew_analytics.group_types (type),
  key text not null,
  first_seen_at timestamptz not null,
  -- Whole milliseconds, as a place in the list is told.
  last_seen_at timestamptz not null,
  primary key (type, key)
);

insert into clew_analytics.groups_seen (type, key, first_seen_at, last_seen_at)
select type, key, created_at, date_trunc('milliseconds', created_at) from clew_analytics.groups;

create index groups_seen_latest_idx on clew_analytics.groups_seen (type, last_seen_at, key);
create index groups_seen_beginning_idx on clew_analytics.groups_seen (type, key text_pattern_ops);

-- As of persons; without an e-mail address. The column writes the table anew, under a lock: seconds for a million groups.
alter table clew_analytics.groups add column words tsvector generated always as (
  to_tsvector(
    'simple'::regconfig,
    translate(lower(left(coalesce(properties ->> 'name', ''), 200)), '@.-_+/:;,''"&()\', '                ')
  )
) stored;
create index groups_words_idx on clew_analytics.groups using gin (words);

-- A group is seen when it is described, whoever stores it.
create function clew_analytics.begin_group_seen() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into clew_analytics.groups_seen (type, key, first_seen_at, last_seen_at)
  select type, key, created_at, date_trunc('milliseconds', created_at) from added order by type, key
  on conflict do nothing;
  return null;
end
$$;

create trigger groups_begin_seen after insert on clew_analytics.groups
referencing new table as added
for each statement execute function clew_analytics.begin_group_seen();

revoke all on clew_analytics.groups_seen from public;
revoke all on function clew_analytics.begin_group_seen() from public;
