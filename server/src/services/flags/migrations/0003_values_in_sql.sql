-- How flags compare values, in SQL: each function answers what its model in `evaluate/` answers, for every value.

-- SHA-1 is pgcrypto's. The body holds the function itself, not its name: no search path leads elsewhere, and the extension
-- may be in any schema.
do $$
declare
  home text := (
    select n.nspname from pg_catalog.pg_extension e
    join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pgcrypto'
  );
begin
  execute format(
    $create$
      create function clew_flags.sha1(given text) returns bytea
      language sql immutable strict parallel safe
      return %I.digest(convert_to(given, 'UTF8'), 'sha1')
    $create$,
    home
  );
end
$$;

-- `bucketHash` of evaluate/hash.ts; the last figure is 2^60.
create function clew_flags.bucket_hash(key text, bucket text, salt text default '', separator text default '.')
returns float8
language sql
immutable
parallel safe
return ('x0' || left(encode(clew_flags.sha1(key || separator || bucket || salt), 'hex'), 15))::bit(64)::bigint::float8
  / 1152921504606846976::float8;

-- What JavaScript trims.
create function clew_flags.without_margin(given text) returns text
language sql
immutable
parallel safe
return btrim(
  given,
  U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF'
);

-- `Number.parseFloat`: the number that a text begins with, rounded to a double; null without one. No text is an error.
create function clew_flags.number_of(given text) returns float8
language plpgsql
immutable
parallel safe
as $$
declare
  part text[] := regexp_match(
    clew_flags.without_margin(given),
    '^([+-]?)(?:([0-9]+)(?:[.]([0-9]*))?|[.]([0-9]+))(?:[eE]([+-]?[0-9]+))?'
  );
  sign float8 := case when part[1] = '-' then -1 else 1 end;
  whole text := ltrim(coalesce(part[2], ''), '0');
  fraction text := coalesce(part[3], part[4], '');
  digits text := ltrim(whole || fraction, '0');
  -- Longer exponents come to infinity or to nothing as well.
  exponent int := case
    when length(ltrim(part[5], '+-0')) > 7 then case when starts_with(part[5], '-') then -10000000 else 10000000 end
    else coalesce(part[5], '0')::int
  end;
  -- The number is 0.digits times ten to this power.
  power int := length(whole) + exponent
    - case when whole = '' then length(fraction) - length(ltrim(fraction, '0')) else 0 end;
  size numeric;
begin
  if part is null then
    return null;
  end if;
  if digits = '' or power < -330 then
    return 0;
  end if;
  if power > 310 then
    return sign * 'Infinity'::float8;
  end if;
  -- No double needs more digits to be told from its neighbours.
  size := ('0.' || left(digits, 1100) || 'e' || power)::numeric;
  return sign * case
    -- Half way from the largest double to the next power of two, and from the smallest to nothing.
    when size >= 1.797693134862315807937289714e308 then 'Infinity'
    when size <= 2.4703282292062327208e-324 then 0
    else size::float8
  end;
end
$$;

-- A double as JavaScript writes it. PostgreSQL has the same digits, and another form for large and small ones.
create function clew_flags.number_text(given float8) returns text
language sql
immutable
parallel safe
return case
  when given = 0 then '0'
  when abs(given) >= 1e21 or abs(given) < 1e-6 then regexp_replace(given::text, 'e([+-])0', 'e\1')
  else given::text::numeric::text
end;

-- `plainText` of evaluate/text.ts.
create function clew_flags.plain_text(given jsonb) returns text
language plpgsql
immutable
parallel safe
as $$
begin
  return case jsonb_typeof(given)
    when 'string' then given #>> '{}'
    when 'number' then clew_flags.number_text(clew_flags.number_of(given #>> '{}'))
    when 'object' then '[object Object]'
    when 'array' then coalesce((
      select string_agg(case when item = 'null' then '' else clew_flags.plain_text(item) end, ',' order by position)
      from jsonb_array_elements(given) with ordinality as items (item, position)
    ), '')
    else given::text
  end;
end
$$;

-- Orders texts by their UTF-16 units under the collation "C", as JavaScript does: what follows U+E000 stands behind the
-- characters that are pairs of units.
create function clew_flags.sort_key(given text) returns text
language sql
immutable
parallel safe
return regexp_replace(given, '([\uE000-\uFFFF])', U&'\+10FFFF' || '\1', 'g');

create function clew_flags.sorted_json(given jsonb) returns text
language plpgsql
immutable
parallel safe
as $$
begin
  return case jsonb_typeof(given)
    when 'array' then '[' || coalesce((
      select string_agg(clew_flags.sorted_json(item), ',' order by position)
      from jsonb_array_elements(given) with ordinality as items (item, position)
    ), '') || ']'
    when 'object' then '{' || coalesce((
      select string_agg(
        to_json(name)::text || ':' || clew_flags.sorted_json(member),
        ',' order by clew_flags.sort_key(name) collate "C"
      )
      from jsonb_each(given) as members (name, member)
    ), '') || '}'
    -- A number beyond doubles is none in JSON.
    when 'number' then replace(replace(clew_flags.plain_text(given), '-Infinity', 'null'), 'Infinity', 'null')
    else given::text
  end;
end
$$;

-- `comparedText` of evaluate/text.ts, in small letters.
create function clew_flags.compared_text(given jsonb) returns text
language sql
immutable
parallel safe
return clew_flags.lower_text(
  case jsonb_typeof(given) when 'string' then given #>> '{}' else clew_flags.sorted_json(given) end
);

-- Whether a value is `true` or `false`, as boolean or text, or a list of nothing else; or, where asked, whether it is true.
create function clew_flags.is_truth(given jsonb, only_true boolean) returns boolean
language plpgsql
immutable
parallel safe
as $$
begin
  return case jsonb_typeof(given)
    when 'boolean' then not only_true or given = 'true'
    when 'string' then clew_flags.lower_text(given #>> '{}') in ('true', case when only_true then 'true' else 'false' end)
    when 'array' then not exists (
      select from jsonb_array_elements(given) as items (item) where not clew_flags.is_truth(item, only_true)
    )
    else false
  end;
end
$$;

create function clew_flags.equals(wanted jsonb, actual jsonb) returns boolean
language plpgsql
immutable
parallel safe
as $$
declare
  compared text;
begin
  if clew_flags.is_truth(wanted, false) then
    return clew_flags.is_truth(actual, true) = clew_flags.is_truth(wanted, true);
  end if;
  compared := clew_flags.compared_text(actual);
  return exists (
    select
    from jsonb_array_elements(case when jsonb_typeof(wanted) = 'array' then wanted else jsonb_build_array(wanted) end)
      as items (item)
    where clew_flags.compared_text(item) = compared
  );
end
$$;

-- Negative, zero or positive: as numbers where both begin with one, else as texts. Doubles are compared, and not subtracted:
-- their difference may be beyond all of them, which is an error here.
create function clew_flags.compare(actual jsonb, wanted jsonb) returns int
language plpgsql
immutable
parallel safe
as $$
declare
  one text := clew_flags.plain_text(actual);
  other text := clew_flags.plain_text(wanted);
  number float8 := clew_flags.number_of(one);
  other_number float8 := clew_flags.number_of(other);
begin
  if abs(number) < 'Infinity' and abs(other_number) < 'Infinity' then
    return case when number = other_number then 0 when number < other_number then -1 else 1 end;
  end if;
  return case
    when one = other then 0
    when clew_flags.sort_key(one) collate "C" < clew_flags.sort_key(other) then -1
    else 1
  end;
end
$$;

-- Whether a property passes a filter; `actual` is null for one that is not there.
create function clew_flags.fits(operator text, wanted jsonb, actual jsonb) returns boolean
language plpgsql
immutable
parallel safe
as $$
declare
  is_negative boolean := operator ~ '^(is_not|not_)';
  kind text := regexp_replace(operator, '^(is_not$|not_|is_not_)', '');
  value text;
  part text;
begin
  if actual is null then
    return is_negative;
  end if;
  if actual = 'null' and kind in ('icontains_multi', 'gt', 'gte', 'lt', 'lte') then
    return false;
  end if;
  -- A to Z alone are folded.
  value := lower(clew_flags.plain_text(actual) collate "C");
  part := lower(clew_flags.plain_text(wanted) collate "C");
  return is_negative <> case kind
    when 'exact' then clew_flags.equals(wanted, actual)
    when '' then clew_flags.equals(wanted, actual)
    when 'icontains' then strpos(value, part) > 0
    when 'starts_with' then starts_with(value, part)
    when 'ends_with' then right(value, length(part)) = part
    when 'icontains_multi' then exists (
      select
      from jsonb_array_elements(case when jsonb_typeof(wanted) = 'array' then wanted else jsonb_build_array(wanted) end)
        as items (item)
      where strpos(value, lower(clew_flags.plain_text(item) collate "C")) > 0
    )
    when 'gt' then clew_flags.compare(actual, wanted) > 0
    when 'gte' then clew_flags.compare(actual, wanted) >= 0
    when 'lt' then clew_flags.compare(actual, wanted) < 0
    when 'lte' then clew_flags.compare(actual, wanted) <= 0
    -- is_set, and set of is_not_set
    else true
  end;
end
$$;
