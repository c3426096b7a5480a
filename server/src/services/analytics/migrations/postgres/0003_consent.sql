-- The last decision of each browser or person, by their id; no row: they did not answer.
create table if not exists clew_analytics.consents (
  distinct_id text primary key,
  granted boolean not null,
  decided_at timestamptz not null
);

create index if not exists consents_refused_idx on clew_analytics.consents (distinct_id) where not granted;

-- What is to be removed from what was stored. A process works on one as long as its lease; each step bears repetition.
create table if not exists clew_analytics.erasures (
  id bigint generated always as identity primary key,
  distinct_ids text[] not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done')),
  steps_done int not null default 0,
  steps int not null default 0,
  created_at timestamptz not null default now(),
  leased_until timestamptz not null default '-infinity',
  ended_at timestamptz,
  error text
);

create index if not exists erasures_open_idx on clew_analytics.erasures (id) where state <> 'done';

-- Keeps a decision for all ids of the person; a withdrawal asks for the removal of what was stored.
create or replace function clew_analytics.decide(given_ids text[], is_granted boolean, at timestamptz) returns void
language plpgsql
set search_path = ''
as $$
declare
  changed text[];
begin
  with persons as (
    select d.person_id from clew_analytics.distinct_ids d where d.distinct_id = any (given_ids)
    union
    select p.id from clew_analytics.persons p where p.auth_user_id::text = any (given_ids)
  ), ids as (
    select given.id from unnest(given_ids) as given (id)
    union
    select d.distinct_id from clew_analytics.distinct_ids d join persons on persons.person_id = d.person_id
    union
    select p.auth_user_id::text from clew_analytics.persons p
    join persons on persons.person_id = p.id
    where p.auth_user_id is not null
  ), decided as (
    insert into clew_analytics.consents as known (distinct_id, granted, decided_at)
    select ids.id, is_granted, at from ids where ids.id is not null and ids.id <> ''
    on conflict (distinct_id) do update
    set granted = excluded.granted, decided_at = excluded.decided_at
    where known.decided_at <= excluded.decided_at and known.granted <> excluded.granted
    returning distinct_id
  )
  select array_agg(distinct_id) into changed from decided;
  if not is_granted and changed is not null then
    insert into clew_analytics.erasures (distinct_ids) values (changed);
  end if;
end
$$;

-- For the application's own SQL: a signed-in user decides for themselves, the service role and the owner for anyone.
create or replace function clew.set_consent(distinct_id text, granted boolean) returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  caller text := coalesce(nullif(current_setting('role', true), 'none'), session_user);
  caller_id text := nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub';
begin
  if set_consent.distinct_id is null or set_consent.granted is null or set_consent.distinct_id = '' then
    raise exception 'distinct_id and granted must be given' using errcode = '22004';
  end if;
  if caller in ('anon', 'authenticated') and (caller_id is null or not (
    set_consent.distinct_id = caller_id or exists (
      select
      from clew_analytics.distinct_ids d
      join clew_analytics.persons p on p.id = d.person_id
      where d.distinct_id = set_consent.distinct_id and p.auth_user_id::text = caller_id
    )
  )) then
    raise exception 'this id is not one of the signed-in user''s' using errcode = '42501';
  end if;
  perform clew_analytics.decide(array[set_consent.distinct_id], set_consent.granted, now());
end
$$;

-- The schema was closed to the application's roles so far: none of its other functions opens with it.
revoke execute on all functions in schema clew from public;
revoke execute on all functions in schema clew_analytics from public;
grant usage on schema clew to postgres, authenticated, service_role;
grant execute on function clew.set_consent(text, boolean) to postgres, authenticated, service_role;
