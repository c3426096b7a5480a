-- The key of a user's metadata under which the application keeps their answer; no row: metadata says nothing.
create table if not exists clew_analytics.consent_metadata (
  only_row boolean primary key default true check (only_row),
  key text not null
);

-- An answer in metadata: true or false, as boolean or text; null for anything else.
create or replace function clew_analytics.consent_in(metadata jsonb, key text) returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case metadata ->> key when 'true' then true when 'false' then false end
$$;

-- An answer that is new or has changed is the user's decision, from the transaction on that wrote it.
create or replace function clew_analytics.take_consent_of_user() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  named text;
  answer boolean;
begin
  select m.key into named from clew_analytics.consent_metadata m;
  answer := clew_analytics.consent_in(new.raw_user_meta_data, named);
  if answer is not null and (
    tg_op = 'INSERT' or answer is distinct from clew_analytics.consent_in(old.raw_user_meta_data, named)
  ) then
    perform clew_analytics.decide(array[new.id::text], answer, now());
  end if;
  return null;
end
$$;

-- Names the key, or none. With a new one, answers of users who have not decided otherwise are their decisions.
create or replace function clew_analytics.use_consent_metadata(given_key text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if given_key is not distinct from (select m.key from clew_analytics.consent_metadata m) then
    return;
  end if;
  delete from clew_analytics.consent_metadata;
  if given_key is null then
    return;
  end if;
  insert into clew_analytics.consent_metadata (key) values (given_key);
  perform clew_analytics.decide(answers.ids, answers.granted, now())
  from (
    select clew_analytics.consent_in(u.raw_user_meta_data, given_key) as granted, array_agg(u.id::text) as ids
    from auth.users u
    where clew_analytics.consent_in(u.raw_user_meta_data, given_key) is not null
      and not exists (select from clew_analytics.consents c where c.distinct_id = u.id::text)
    group by 1
  ) answers;
end
$$;

revoke execute on function clew_analytics.consent_in(jsonb, text) from public;
revoke execute on function clew_analytics.take_consent_of_user() from public;
revoke execute on function clew_analytics.use_consent_metadata(text) from public;

-- Takes a lock that waits for writes of users under way. Without the users' table there is nothing to hear of.
do $$
begin
  if to_regclass('auth.users') is not null then
    create or replace trigger clew_consent after insert or update of raw_user_meta_data on auth.users
    for each row execute function clew_analytics.take_consent_of_user();
  end if;
end
$$;
