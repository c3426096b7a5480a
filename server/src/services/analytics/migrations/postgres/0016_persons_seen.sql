-- When each person was last seen: the list of people is in this order. A table of its own, as a change of it would write a row of
-- persons, and an entry in each of their indexes (docs/decisions/0028); what the list is narrowed by stands beside it. Every person has
-- a row. The insert takes half a minute for ten million persons, and reads them without a lock that holds up others.
create table clew_analytics.persons_seen (
  person_id uuid primary key references clew_analytics.persons (id) on delete cascade,
  -- Whole milliseconds, as a place in the list is told.
  last_seen_at timestamptz not null,
  is_identified boolean not null,
  is_user boolean not null
);

insert into clew_analytics.persons_seen (person_id, last_seen_at, is_identified, is_user)
select id, date_trunc('milliseconds', created_at), is_identified, auth_user_id is not null from clew_analytics.persons;

create index persons_seen_latest_idx on clew_analytics.persons_seen (last_seen_at, person_id);
create index persons_seen_kind_idx on clew_analytics.persons_seen (is_identified, last_seen_at, person_id);
create index persons_seen_users_idx on clew_analytics.persons_seen (last_seen_at, person_id) where is_user;

-- A person is seen when they appear, whoever stores them.
create function clew_analytics.begin_seen() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into clew_analytics.persons_seen (person_id, last_seen_at, is_identified, is_user)
  select id, date_trunc('milliseconds', created_at), is_identified, auth_user_id is not null from added;
  return null;
end
$$;

create trigger persons_begin_seen after insert on clew_analytics.persons
referencing new table as added
for each statement execute function clew_analytics.begin_seen();

create function clew_analytics.change_seen() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  update clew_analytics.persons_seen
  set is_identified = new.is_identified, is_user = new.auth_user_id is not null
  where person_id = new.id;
  return null;
end
$$;

create trigger persons_change_seen after update of is_identified, auth_user_id on clew_analytics.persons
for each row
when (old.is_identified <> new.is_identified or (old.auth_user_id is null) <> (new.auth_user_id is null))
execute function clew_analytics.change_seen();

-- Up to which id what was stored before was looked through; no row: all of it.
create table clew_analytics.persons_seen_fill (
  single boolean primary key default true check (single),
  after_id text not null default ''
);
insert into clew_analytics.persons_seen_fill (single)
select true where exists (select from clew_analytics.persons);

revoke all on clew_analytics.persons_seen, clew_analytics.persons_seen_fill from public;
revoke all on function clew_analytics.begin_seen(), clew_analytics.change_seen() from public;
