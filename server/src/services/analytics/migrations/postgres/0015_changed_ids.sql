-- Tells every process which ids have a new decision, or a person of another kind than it may remember.
create or replace function clew_analytics.announce_ids(ids text[]) returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  -- A payload of 8000 bytes and more would be an error; ids have 200 characters at most, but SQL may say anything.
  select pg_notify('clew_person_ids', id) from unnest(ids) as changed (id) where octet_length(id) between 1 and 7999
$$;

revoke execute on function clew_analytics.announce_ids(text[]) from public;

-- As before, and announces whose decision has changed.
create or replace function clew_analytics.decide(given_ids text[], is_granted boolean, at timestamptz) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
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
    insert into clew_analytics.consents as known (distinct_id, granted, decided_at, withdrawn_at)
    select ids.id, is_granted, at, case when not is_granted then at end
    from ids
    where ids.id is not null and ids.id <> ''
    on conflict (distinct_id) do update
    set granted = case when known.decided_at <= excluded.decided_at then excluded.granted else known.granted end,
      decided_at = greatest(known.decided_at, excluded.decided_at),
      withdrawn_at = greatest(known.withdrawn_at, excluded.withdrawn_at)
    where known.granted <> excluded.granted and (
      known.decided_at <= excluded.decided_at
      or (not excluded.granted and coalesce(known.withdrawn_at, '-infinity') < excluded.withdrawn_at)
    )
    returning distinct_id
  )
  select array_agg(distinct_id) into changed from decided;
  if changed is null then
    return;
  end if;
  perform clew_analytics.announce_ids(changed);
  if not is_granted then
    insert into clew_analytics.erasures (distinct_ids) values (changed);
  end if;
end
$$;
