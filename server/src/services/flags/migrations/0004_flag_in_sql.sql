-- `clew.flag`: what /flags answers, for the application's own SQL. It reads the flags as they are stored, in the order of
-- rules of `evaluate/evaluate.ts`; nothing is compiled that could be older than they are.

-- The filters of a flag or a cohort, at every depth.
create function clew_flags.filters_of(kind text, flag_or_cohort text) returns setof jsonb
language sql
stable
parallel safe
begin atomic
  select jsonb_path_query(f.filters, '$.groups[*].properties[*]')
  from clew_flags.flags f
  where kind = 'flag' and f.key = flag_or_cohort and f.deleted_at is null
  union all
  select jsonb_path_query(c.filters, '$.**.values[*]')
  from clew_flags.cohorts c
  where kind = 'cohort' and c.id::text = flag_or_cohort and c.deleted_at is null;
end;

-- What of a flag, or of what it asks for, has no sure answer in SQL; null for nothing. It is asked of the definitions alone:
-- no property of a person makes a query fail.
create function clew_flags.find_unanswerable(flag_key text) returns text
language sql
stable
parallel safe
begin atomic
  with recursive asked (kind, name) as (
    select 'flag', flag_key
    union
    select f ->> 'type', case f ->> 'type' when 'flag' then f ->> 'key' else f ->> 'value' end
    from asked
    cross join lateral clew_flags.filters_of(asked.kind, asked.name) as f
    where f ->> 'type' in ('flag', 'cohort')
  ), reasons (reason) as (
    select case
      when f ->> 'type' = 'row' then 'it looks at a row of ' || (f ->> 'table')
      when f ->> 'operator' ~ '^(not_)?regex$|^is_date_|^semver_' then 'it compares by ' || (f ->> 'operator')
      when coalesce(f ->> 'operator', 'exact') in ('exact', 'is_not') and f ->> 'value' ~ U&'[\03A3\03C2\03C3]'
        then 'it compares with a sigma'
    end
    from asked
    cross join lateral clew_flags.filters_of(asked.kind, asked.name) as f
    union all
    select 'it is decided by device'
    from asked
    join clew_flags.flags f on asked.kind = 'flag' and f.key = asked.name and f.deleted_at is null
    where f.bucketing = 'device_id'
  )
  select reason from reasons where reason is not null limit 1;
end;

-- The person and the groups of a call: {id, ids, properties, groups: {"0": {key, properties}}}.
create function clew_flags.subject_of(given_id text, given_groups jsonb) returns jsonb
language plpgsql
stable
parallel safe
as $$
declare
  person record;
  found_groups jsonb;
begin
  select b.* into person from clew_analytics.person_behind(given_id) b;
  select jsonb_object_agg(
    g.type_index,
    jsonb_build_object(
      'key', g.key,
      'properties', jsonb_build_object('$group_key', g.key) || coalesce(g.properties, '{}')
    )
  ) into found_groups
  from (
    select array_agg(type) as types, array_agg(left(clew_flags.plain_text(group_key), 200)) as keys
    from jsonb_each(given_groups) as named (type, group_key)
    where jsonb_typeof(group_key) in ('string', 'number')
  ) named
  cross join lateral clew_analytics.groups_behind(named.types, named.keys) g;
  return jsonb_build_object(
    'id', given_id,
    'ids', array(select given_id union select unnest(person.distinct_ids)),
    'properties', jsonb_build_object('distinct_id', given_id) || coalesce(person.properties, '{}'),
    'groups', coalesce(found_groups, '{}')
  );
end
$$;

create function clew_flags.is_in_cohort(cohort_id bigint, properties jsonb, subject jsonb, above bigint[]) returns boolean
language plpgsql
stable
parallel safe
as $$
declare
  cohort clew_flags.cohorts;
begin
  select c.* into cohort from clew_flags.cohorts c where c.id = cohort_id and c.deleted_at is null;
  -- A cohort that asks for itself is empty.
  if cohort.id is null or cohort_id = any (above) then
    return false;
  end if;
  if cohort.filters is null then
    return exists (
      select from clew_flags.cohort_members m
      where m.cohort_id = cohort.id and m.distinct_id in (select jsonb_array_elements_text(subject -> 'ids'))
    );
  end if;
  return clew_flags.is_in_group(cohort.filters, properties, subject, above || cohort_id);
end
$$;

create function clew_flags.is_in_group(filters jsonb, properties jsonb, subject jsonb, above bigint[]) returns boolean
language plpgsql
stable
parallel safe
as $$
declare
  is_any boolean := coalesce(filters ->> 'type' = 'OR', false);
  member jsonb;
  is_in boolean;
begin
  for member in select jsonb_array_elements(coalesce(filters -> 'values', '[]')) loop
    is_in := case
      when member ? 'values' then clew_flags.is_in_group(member, properties, subject, above)
      when member ->> 'type' = 'cohort'
        then clew_flags.is_in_cohort((member ->> 'value')::bigint, properties, subject, above)
          <> clew_flags.is_negated(member)
      else clew_flags.passes(member, properties, subject, '{}')
    end;
    if is_in = is_any then
      return is_any;
    end if;
  end loop;
  return not is_any;
end
$$;

create function clew_flags.is_negated(filter jsonb) returns boolean
language sql
immutable
parallel safe
return coalesce((filter ->> 'negation')::boolean, false)
  <> (filter ->> 'type' = 'cohort' and coalesce(filter ->> 'operator' = 'not_in', false));

-- Null where another flag is asked for that is not there, or that asks for this one.
create function clew_flags.passes(filter jsonb, properties jsonb, subject jsonb, above text[]) returns boolean
language plpgsql
stable
parallel safe
as $$
declare
  operator text := coalesce(filter ->> 'operator', 'exact');
  wanted jsonb := coalesce(filter -> 'value', 'null');
  other jsonb;
begin
  case coalesce(filter ->> 'type', 'person')
    when 'cohort' then
      return clew_flags.is_in_cohort((filter ->> 'value')::bigint, properties, subject, '{}')
        <> clew_flags.is_negated(filter);
    when 'flag' then
      if jsonb_typeof(wanted) not in ('boolean', 'string') then
        return false;
      end if;
      other := clew_flags.evaluate(filter ->> 'key', subject, above);
      return clew_flags.is_negated(filter) <> case
        when jsonb_typeof(wanted) = 'boolean' then (other <> 'false') = (wanted = 'true')
        else other = wanted
      end;
    else
      if operator not in (
        'exact', 'is_not', 'is_set', 'is_not_set', 'icontains', 'not_icontains', 'icontains_multi', 'not_icontains_multi',
        'starts_with', 'not_starts_with', 'ends_with', 'not_ends_with', 'gt', 'gte', 'lt', 'lte'
      ) then
        return false;
      end if;
      return clew_flags.is_negated(filter)
        <> clew_flags.fits(operator, wanted, properties -> coalesce(filter ->> 'key', ''));
  end case;
end
$$;

-- The value of a flag that passed, for a bucket.
create function clew_flags.choose_value(flag clew_flags.flags, variant text, bucket text) returns jsonb
language plpgsql
stable
parallel safe
as $$
declare
  variants jsonb := case jsonb_typeof(flag.filters #> '{multivariate,variants}')
    when 'array' then flag.filters #> '{multivariate,variants}'
    else '[]'
  end;
  hash float8;
  one jsonb;
  low float8 := 0;
  high float8;
begin
  if variant <> '' and exists (select from jsonb_array_elements(variants) as v where v ->> 'key' = variant) then
    return to_jsonb(variant);
  end if;
  if variants = '[]' then
    return 'true';
  end if;
  hash := clew_flags.bucket_hash(flag.key, bucket, 'variant');
  for one in select jsonb_array_elements(variants) loop
    high := low + (one ->> 'rollout_percentage')::float8 / 100;
    if hash >= low and hash < high then
      return one -> 'key';
    end if;
    low := high;
  end loop;
  return 'true';
end
$$;

-- The value of a flag: true, false or the key of a variant. Null for a flag that is not there, or that asks in a circle.
create function clew_flags.evaluate(flag_key text, subject jsonb, above text[]) returns jsonb
language plpgsql
stable
parallel safe
as $$
declare
  flag clew_flags.flags;
  value jsonb;
begin
  select f.* into flag from clew_flags.flags f where f.key = flag_key and f.deleted_at is null;
  if flag.id is null or flag_key = any (above) then
    return null;
  end if;
  if not flag.active then
    return 'false';
  end if;
  select o.value into value
  from clew_flags.overrides o
  where o.flag_id = flag.id and o.distinct_id in (select jsonb_array_elements_text(subject -> 'ids'))
  -- Of several ids of a person the last that is named decides.
  order by o.distinct_id desc
  limit 1;
  return coalesce(value, clew_flags.evaluate_conditions(flag, subject, above || flag_key));
end
$$;

create function clew_flags.evaluate_conditions(flag clew_flags.flags, subject jsonb, above text[]) returns jsonb
language plpgsql
stable
parallel safe
as $$
declare
  filters jsonb := flag.filters;
  enrollment text := '$feature_enrollment/' || flag.key;
  own_group text := filters ->> 'aggregation_group_type_index';
  about jsonb;
  asked jsonb;
  condition jsonb;
  filter jsonb;
  has_passed boolean;
begin
  if own_group is null then
    about := jsonb_build_object('properties', subject -> 'properties', 'key', coalesce((
      select b.bucket
      from clew_flags.buckets b
      where flag.keeps_bucket and b.flag_id = flag.id
        and b.distinct_id in (select jsonb_array_elements_text(subject -> 'ids'))
      order by b.kept_at, b.distinct_id
      limit 1
    ), subject ->> 'id'));
  else
    about := subject -> 'groups' -> own_group;
    if about is null then
      return 'false';
    end if;
  end if;

  if (filters ->> 'feature_enrollment')::boolean and about -> 'properties' ? enrollment then
    return to_jsonb(clew_flags.is_truth(about -> 'properties' -> enrollment, true));
  end if;
  if filters #>> '{holdout,id}' is not null and clew_flags.bucket_hash('holdout', about ->> 'key', '', '-')
    <= (filters #>> '{holdout,exclusion_percentage}')::float8 / 100 then
    return to_jsonb('holdout-' || (filters #>> '{holdout,id}'));
  end if;

  for condition in select jsonb_array_elements(filters -> 'groups') loop
    asked := case
      when condition ->> 'aggregation_group_type_index' <> coalesce(own_group, '')
        then subject -> 'groups' -> (condition ->> 'aggregation_group_type_index')
      else about
    end;
    continue when asked is null;
    has_passed := true;
    for filter in select jsonb_array_elements(coalesce(condition -> 'properties', '[]')) loop
      has_passed := clew_flags.passes(filter, asked -> 'properties', subject, above);
      if has_passed is null then
        return null;
      end if;
      exit when not has_passed;
    end loop;
    continue when not has_passed;
    if clew_flags.bucket_hash(flag.key, asked ->> 'key')
      <= coalesce((condition ->> 'rollout_percentage')::float8, 100) / 100 then
      return clew_flags.choose_value(flag, coalesce(condition ->> 'variant', ''), asked ->> 'key');
    end if;
    if (filters ->> 'early_exit')::boolean then
      return 'false';
    end if;
  end loop;
  return 'false';
end
$$;

-- The key of the variant, `true` for a flag without, or null where it is off. In a policy: (select clew.flag('new', …)).
create function clew.flag(key text, distinct_id text, groups jsonb default '{}') returns text
language plpgsql
stable
parallel safe
security definer
-- Named last: a type or a table of the caller's own session would come first.
set search_path = pg_catalog, pg_temp
-- Below, numbers would not be told from their neighbours.
set extra_float_digits = 1
as $$
declare
  given_id text := clew_flags.without_margin(left(flag.distinct_id, 200));
  is_active boolean := (
    select f.active from clew_flags.flags f where f.key = flag.key and f.deleted_at is null
  );
  reason text;
  value jsonb;
begin
  if given_id is null or given_id = '' or is_active is not true then
    return null;
  end if;
  reason := clew_flags.find_unanswerable(flag.key);
  if reason is not null then
    raise exception 'the flag % has no sure answer in SQL: %', flag.key, reason using
      errcode = '0A000',
      hint = 'Compare rows and dates in the statement itself, or ask for the flag by a client.';
  end if;
  value := clew_flags.evaluate(flag.key, clew_flags.subject_of(given_id, flag.groups), '{}');
  return nullif(value, 'false') #>> '{}';
end
$$;

comment on function clew.flag(text, text, jsonb) is
  'What a feature flag comes to for a person: the key of a variant, true, or null where it is off.';

revoke all on all functions in schema clew_flags from public;
revoke all on function clew.flag(text, text, jsonb) from public;
-- /flags answers every visitor for any id; the schema has no other function that they may call.
grant usage on schema clew to anon;
grant execute on function clew.flag(text, text, jsonb) to postgres, anon, authenticated, service_role;
