-- When an id last withdrew: what it did before is removed and kept out, whatever was decided since.
alter table clew_analytics.consents add column if not exists withdrawn_at timestamptz;

update clew_analytics.consents set withdrawn_at = decided_at where not granted and withdrawn_at is null;

-- Those who consented again while what they had left is still being removed.
update clew_analytics.consents c
set withdrawn_at = e.created_at
from clew_analytics.erasures e
where c.granted and c.withdrawn_at is null and e.state <> 'done' and c.distinct_id = any (e.distinct_ids);

create index if not exists consents_withdrawn_idx on clew_analytics.consents (distinct_id) where withdrawn_at is not null;
drop index if exists clew_analytics.consents_refused_idx;

-- Keeps a decision for all ids of the person; a withdrawal asks for the removal of what was stored. One that is older than the
-- consent that is known, as it waited in a browser, changes not that, but what was stored before.
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
  if not is_granted and changed is not null then
    insert into clew_analytics.erasures (distinct_ids) values (changed);
  end if;
end
$$;
