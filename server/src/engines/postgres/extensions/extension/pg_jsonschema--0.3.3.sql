-- JSON Schema, draft 2020-12 and the spellings of draft-07, with the functions of pg_jsonschema. Nothing is fetched: a
-- reference leads to a place of the same document. `format` is an annotation, as the drafts have it.
--
-- The four functions of pg_jsonschema pin the search path; those that begin with an underscore are called by them.

-- A value as messages show it.
create function @extschema@._jsonschema_shown(value jsonb) returns text
language sql
immutable strict parallel safe
as $$
  select case when length(value::text) > 500 then left(value::text, 500) || '…' else value::text end
$$;

-- A pattern of ECMA-262 as PostgreSQL's regular expressions write it; matched with the collation pg_c_utf8.
create function @extschema@._jsonschema_pattern(pattern text) returns text
language plpgsql
immutable strict parallel safe
as $$
declare
  token text;
  class text;
  in_class boolean := false;
  written text := '';
begin
  for token in
    select m[1]
    from regexp_matches(
      pattern,
      '(\\u\{[0-9A-Fa-f]{1,8}\}|\\x[0-9A-Fa-f]{2}|\\[pP]\{[A-Za-z_=]+\}|\\k<|\\.|\(\?<[A-Za-z_$]\w*>|\[\^?\]|.)', 'g'
    ) as m
  loop
    written := written || case
      when token ~ '^\[\^?\]$' then
        -- Nothing, and everything.
        case when in_class then '\' || token when token = '[]' then '(?!.)(?=.)' else '.' end
      when token = '[' then case when in_class then '\[' else '[' end
      when token = '.' then case when in_class then '.' else '[^\n\r\u2028\u2029]' end
      when token = '\d' then case when in_class then '0-9' else '[0-9]' end
      when token = '\D' then case when in_class then '\D' else '[^0-9]' end
      when token = '\w' then case when in_class then 'A-Za-z0-9_' else '[A-Za-z0-9_]' end
      when token = '\W' then case when in_class then '\W' else '[^A-Za-z0-9_]' end
      when token = '\b' then case when in_class then '\b' else '\y' end
      when token = '\B' then '\Y'
      when token like '\\x%' and length(token) = 4 then '\u00' || substr(token, 3)
      when token like '\\u{%' then '\U' || lpad(trim(both '{}' from substr(token, 3)), 8, '0')
      when token ~ '^\\[pP]\{' then @extschema@._jsonschema_property(token, in_class)
      when token = '\k<' then '\k'
      when token like '(?<%' and length(token) > 3 then '('
      -- Letters that are an escape here, and none there.
      when token ~ '^\\[AaBeEgGhHiIjJKlLmMNoOqQRTUVXyYzZ]$' then substr(token, 2)
      else token
    end;
    if token = '[' then
      in_class := true;
    elsif token = ']' or (in_class and token in ('[]', '[^]')) then
      in_class := false;
    end if;
  end loop;
  return written;
end
$$;

-- A Unicode property (`\p{L}`) as a class.
create function @extschema@._jsonschema_property(token text, in_class boolean) returns text
language plpgsql
immutable strict parallel safe
as $$
declare
  name text := substr(token, 4, length(token) - 4);
  class text := case
    when name in ('L', 'Letter', 'Alphabetic') then '[:alpha:]'
    when name in ('Lu', 'Uppercase_Letter', 'Uppercase') then '[:upper:]'
    when name in ('Ll', 'Lowercase_Letter', 'Lowercase') then '[:lower:]'
    when name in ('N', 'Nd', 'Number', 'Decimal_Number') then '[:digit:]'
    when name in ('P', 'Punctuation') then '[:punct:]'
    when name in ('White_Space', 'Zs', 'Z') then '[:space:]'
  end;
begin
  if class is null or (in_class and token like '\\P%') then
    raise exception 'the pattern''s % is not supported', token using errcode = 'feature_not_supported';
  end if;
  return case when in_class then class when token like '\\P%' then '[^' || class || ']' else '[' || class || ']' end;
end
$$;

-- What a keyword that needs no other schema says against a value; null where it says nothing.
create function @extschema@._jsonschema_objection(keyword text, value jsonb, instance jsonb) returns text
language plpgsql
immutable strict parallel safe
as $$
declare
  kind text := jsonb_typeof(instance);
  shown text;
  objection text;
begin
  if keyword = 'type' then
    if not (
      value @> to_jsonb(kind)
      or value = to_jsonb(kind)
      or (
        kind = 'number' and (value = '"integer"' or value @> '["integer"]')
        and instance::numeric = trunc(instance::numeric)
      )
    ) then
      objection := format('is not of type %s', translate(value::text, '[]', ''));
    end if;
  elsif keyword = 'enum' then
    if not exists (select from jsonb_array_elements(value) as e where e = instance) then
      objection := format('is not one of %s', @extschema@._jsonschema_shown(value));
    end if;
  elsif keyword = 'const' then
    if value <> instance then
      return format('%s was expected', @extschema@._jsonschema_shown(value));
    end if;
  elsif kind = 'number' then
    objection := case keyword
      when 'minimum' then case when instance::numeric < value::numeric then format('is less than the minimum of %s', value) end
      when 'maximum' then
        case when instance::numeric > value::numeric then format('is greater than the maximum of %s', value) end
      when 'exclusiveMinimum' then
        case when instance::numeric <= value::numeric then format('is less than or equal to the minimum of %s', value) end
      when 'exclusiveMaximum' then
        case when instance::numeric >= value::numeric then format('is greater than or equal to the maximum of %s', value) end
      when 'multipleOf' then case when instance::numeric % value::numeric <> 0 then format('is not a multiple of %s', value) end
    end;
  elsif kind = 'string' then
    objection := case keyword
      when 'minLength' then
        case when length(instance #>> '{}') < value::numeric then format('is shorter than %s characters', value) end
      when 'maxLength' then
        case when length(instance #>> '{}') > value::numeric then format('is longer than %s characters', value) end
      when 'pattern' then
        case
          when (instance #>> '{}') collate pg_c_utf8 !~ @extschema@._jsonschema_pattern(value #>> '{}')
          then format('does not match %s', value)
        end
    end;
  elsif kind = 'array' then
    objection := case keyword
      when 'minItems' then
        case when jsonb_array_length(instance) < value::numeric then format('has less than %s items', value) end
      when 'maxItems' then
        case when jsonb_array_length(instance) > value::numeric then format('has more than %s items', value) end
      when 'uniqueItems' then
        case
          when value = 'true'
            and (select count(*) > count(distinct e) from jsonb_array_elements(instance) as e)
          then 'has non-unique elements'
        end
    end;
  elsif kind = 'object' then
    if keyword in ('minProperties', 'maxProperties') then
      objection := (
        select case
          when keyword = 'minProperties' and count(*) < value::numeric then format('has less than %s properties', value)
          when keyword = 'maxProperties' and count(*) > value::numeric then format('has more than %s properties', value)
        end
        from jsonb_object_keys(instance)
      );
    elsif keyword = 'required' then
      return (
        select format('%s is a required property', to_jsonb(name))
        from jsonb_array_elements_text(value) as name
        where not instance ? name
        limit 1
      );
    elsif keyword in ('dependentRequired', 'dependencies') then
      return (
        select format('%s is a required property', to_jsonb(name))
        from jsonb_each(value) as d,
          jsonb_array_elements_text(case when jsonb_typeof(d.value) = 'array' then d.value else '[]' end) as name
        where instance ? d.key and not instance ? name
        limit 1
      );
    end if;
  end if;
  if objection is not null then
    shown := @extschema@._jsonschema_shown(instance);
  end if;
  return shown || ' ' || objection;
end
$$;

-- The schema that a reference leads to, and the resource (the schema with an `$id`) that it stands in.
create function @extschema@._jsonschema_find(
  document jsonb, inout resource jsonb, reference text, out target jsonb
)
language plpgsql
immutable parallel safe
as $$
declare
  address text := split_part(reference, '#', 1);
  fragment text := case when strpos(reference, '#') = 0 then '' else substr(reference, strpos(reference, '#') + 1) end;
  part text;
begin
  if address <> '' then
    resource := case
      when rtrim(document ->> '$id', '#') = address then document
      else jsonb_path_query_first(
        document, 'strict $.** ? (exists (@."$id") && (@."$id" == $id || @."$id" == $hashed))',
        jsonb_build_object('id', address, 'hashed', address || '#'), true
      )
    end;
  end if;
  fragment := convert_from(@extschema@._jsonschema_unescaped(fragment), 'UTF8');
  if fragment = '' then
    target := resource;
  elsif left(fragment, 1) = '/' then
    target := resource;
    foreach part in array string_to_array(substr(fragment, 2), '/') loop
      part := replace(replace(part, '~1', '/'), '~0', '~');
      target := case
        when jsonb_typeof(target) = 'array' then case when part ~ '^(0|[1-9][0-9]{0,8})$' then target -> part::int end
        else target -> part
      end;
      -- A reference that passes a resource of its own stands in it.
      if jsonb_typeof(target) = 'object' and left(target ->> '$id', 1) <> '#' then
        resource := target;
      end if;
    end loop;
  else
    target := jsonb_path_query_first(
      resource,
      'strict $.** ? (exists (@."$anchor") && @."$anchor" == $name || exists (@."$dynamicAnchor") && @."$dynamicAnchor" == $name
        || exists (@."$id") && @."$id" == $hashed)',
      jsonb_build_object('name', fragment, 'hashed', '#' || fragment), true
    );
  end if;
  if target is null then
    raise exception 'the reference % of the JSON schema leads nowhere', reference
      using errcode = 'invalid_parameter_value', hint = 'References lead to places of the same document; nothing is fetched.';
  end if;
end
$$;

-- The bytes of a text whose percent-encoding is undone.
create function @extschema@._jsonschema_unescaped(text text) returns bytea
language sql
immutable strict parallel safe
as $$
  select coalesce(
    string_agg(
      case when m[1] ~ '^%[0-9A-Fa-f]{2}$' then decode(substr(m[1], 2), 'hex') else convert_to(m[1], 'UTF8') end,
      ''::bytea order by position
    ),
    ''::bytea
  )
  from regexp_matches(text, '(%[0-9A-Fa-f]{2}|.)', 'g') with ordinality as t (m, position)
$$;

-- Checks a value. `context` holds the document, whether every error is told or the first is enough, whether `unevaluated…`
-- stands in it, and whether it is of a draft in which `$ref` stands alone. `properties` and `items` are those that were
-- evaluated, where that is of use. `steps` counts the schemas that were applied, of which the size of the value allows so many:
-- a document whose references branch again and again is refused, as is one that leads in a circle.
create function @extschema@._jsonschema_check(
  context jsonb, resource jsonb, schema jsonb, instance jsonb, depth int, inout steps int,
  out errors text[], out properties text[], out items int[]
)
language plpgsql
immutable parallel safe
as $$
declare
  told boolean := (context -> 'told')::boolean;
  collects boolean := (context -> 'collects')::boolean;
  kind text := jsonb_typeof(instance);
  below record;
  mode text;
  branch jsonb;
  base jsonb;
  any_passed boolean := false;
  one_passed int := 0;
  keyword text;
  value jsonb;
  objection text;
  candidate jsonb;
  candidates jsonb[];
  patterns text[] := '{}';
  pattern_schemas jsonb[] := '{}';
  position bigint;
  contained int := 0;
begin
  errors := '{}';
  properties := '{}';
  items := '{}';
  steps := steps + 1;
  if steps > (context -> 'steps')::int or depth > 400 then
    raise exception 'the JSON schema takes too much work' using errcode = 'program_limit_exceeded',
      detail = case when depth > 400 then 'Schemas are applied within one another more than 400 deep.'
        else format('More than %s schemas are applied.', context -> 'steps') end,
      hint = 'Look for references that lead in a circle, or branch again and again.';
  end if;
  if schema in ('true', 'false') then
    if schema = 'false' then
      errors := array['False schema does not allow ' || @extschema@._jsonschema_shown(instance)];
    end if;
    return;
  end if;
  if left(schema ->> '$id', 1) <> '#' then
    resource := schema;
  end if;
  if schema ? '$ref' and (context -> 'alone')::boolean then
    schema := jsonb_build_object('$ref', schema -> '$ref');
  end if;

  -- What needs no other schema.
  for keyword, value in select e.key, e.value from jsonb_each(schema) as e loop
    objection := @extschema@._jsonschema_objection(keyword, value, instance);
    if objection is not null then
      errors := array_append(errors, objection);
      if not told then
        return;
      end if;
    end if;
  end loop;

  -- Schemas of the same value.
  if schema ?| array['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', 'dependencies'] then
    for mode, candidate, base in
      select 'all', f.target, f.resource
      from jsonb_each_text(schema) as e,
        lateral @extschema@._jsonschema_find(context -> 'document', resource, e.value) as f
      where e.key in ('$ref', '$dynamicRef')
      union all
      select e.key, s, resource
      from jsonb_each(schema) as e, jsonb_array_elements(e.value) as s
      where e.key in ('allOf', 'anyOf', 'oneOf')
      union all
      select e.key, e.value, resource
      from jsonb_each(schema) as e
      where e.key in ('not', 'if')
      union all
      select 'all', d.value, resource
      from jsonb_each(schema) as e, jsonb_each(e.value) as d
      where e.key in ('dependentSchemas', 'dependencies')
        and kind = 'object' and instance ? d.key and jsonb_typeof(d.value) <> 'array'
    loop
      below := @extschema@._jsonschema_check(context, base, candidate, instance, depth + 1, steps);
      steps := below.steps;
      if below.errors = '{}' and mode <> 'not' then
        properties := properties || below.properties;
        items := items || below.items;
      end if;
      case mode
        when 'anyOf' then any_passed := any_passed or below.errors = '{}';
        when 'oneOf' then one_passed := one_passed + (below.errors = '{}')::int;
        when 'not' then
          if below.errors = '{}' then
            errors := array_append(
              errors,
              format('%s is not allowed for %s', @extschema@._jsonschema_shown(candidate), @extschema@._jsonschema_shown(instance))
            );
          end if;
        when 'if' then branch := schema -> case when below.errors = '{}' then 'then' else 'else' end;
        else errors := errors || below.errors;
      end case;
      if not told and errors <> '{}' then
        return;
      end if;
    end loop;
    if branch is not null then
      below := @extschema@._jsonschema_check(context, resource, branch, instance, depth + 1, steps);
      steps := below.steps;
      errors := errors || below.errors;
      properties := properties || below.properties;
      items := items || below.items;
    end if;
    if schema ? 'anyOf' and not any_passed then
      errors := array_append(
        errors, @extschema@._jsonschema_shown(instance) || ' is not valid under any of the schemas listed in the ''anyOf'' keyword'
      );
    end if;
    if schema ? 'oneOf' and one_passed <> 1 then
      errors := array_append(
        errors,
        @extschema@._jsonschema_shown(instance) || case one_passed when 0 then ' is not valid under any' else ' is valid under more than one' end
          || ' of the schemas listed in the ''oneOf'' keyword'
      );
    end if;
    if not told and errors <> '{}' then
      return;
    end if;
  end if;

  -- Schemas of what the value holds.
  if kind = 'object' and schema ?| array['properties', 'patternProperties', 'additionalProperties', 'propertyNames'] then
    if schema ? 'patternProperties' then
      select array_agg(@extschema@._jsonschema_pattern(p.key)), array_agg(p.value)
      into patterns, pattern_schemas
      from jsonb_each(schema -> 'patternProperties') as p;
    end if;
    for keyword, value in select e.key, e.value from jsonb_each(instance) as e loop
      candidates := case when schema -> 'properties' ? keyword then array[schema -> 'properties' -> keyword] else '{}' end;
      for i in 1 .. coalesce(cardinality(patterns), 0) loop
        if keyword collate pg_c_utf8 ~ patterns[i] then
          candidates := array_append(candidates, pattern_schemas[i]);
        end if;
      end loop;
      if cardinality(candidates) = 0 and schema ? 'additionalProperties' then
        if schema -> 'additionalProperties' = 'false' then
          errors := array_append(
            errors, format('Additional properties are not allowed (''%s'' was unexpected)', left(keyword, 500))
          );
        else
          candidates := array[schema -> 'additionalProperties'];
        end if;
      end if;
      if collects and cardinality(candidates) > 0 then
        properties := array_append(properties, keyword);
      end if;
      foreach candidate in array candidates loop
        below := @extschema@._jsonschema_check(context, resource, candidate, value, depth + 1, steps);
        steps := below.steps;
        errors := errors || below.errors;
      end loop;
      if schema ? 'propertyNames' then
        below := @extschema@._jsonschema_check(
          context, resource, schema -> 'propertyNames', to_jsonb(keyword), depth + 1, steps
        );
        steps := below.steps;
        errors := errors || below.errors;
      end if;
      if not told and errors <> '{}' then
        return;
      end if;
    end loop;
  end if;
  if kind = 'array' and schema ?| array['prefixItems', 'items', 'contains'] then
    -- draft-07 writes `items` for `prefixItems`, and `additionalItems` for the `items` behind them.
    candidates := array(
      select s
      from jsonb_array_elements(
        coalesce(schema -> 'prefixItems', case when jsonb_typeof(schema -> 'items') = 'array' then schema -> 'items' else '[]' end)
      ) as s
    );
    branch := schema -> case when jsonb_typeof(schema -> 'items') = 'array' then 'additionalItems' else 'items' end;
    for value, position in
      select e, o from jsonb_array_elements(instance) with ordinality as t (e, o)
    loop
      candidate := coalesce(candidates[position], branch);
      if candidate is not null then
        below := @extschema@._jsonschema_check(context, resource, candidate, value, depth + 1, steps);
        steps := below.steps;
        errors := errors || below.errors;
        if collects then
          items := array_append(items, position::int);
        end if;
      end if;
      if schema ? 'contains' then
        below := @extschema@._jsonschema_check(
          context || '{"told": false}', resource, schema -> 'contains', value, depth + 1, steps
        );
        steps := below.steps;
        if below.errors = '{}' then
          contained := contained + 1;
          items := array_append(items, position::int);
        end if;
      end if;
      if not told and errors <> '{}' then
        return;
      end if;
    end loop;
    if schema ? 'contains' then
      if contained < coalesce((schema -> 'minContains')::numeric, 1) then
        errors := array_append(
          errors,
          case when contained = 0 then format('None of %s are valid under the given schema', @extschema@._jsonschema_shown(instance))
            else 'Contains fewer than minContains items that match' end
        );
      elsif contained > (schema -> 'maxContains')::numeric then
        errors := array_append(errors, 'Contains more than maxContains items that match');
      end if;
    end if;
  end if;

  -- What no schema above has looked at.
  if kind = 'object' and schema ? 'unevaluatedProperties' then
    for keyword, value in
      select e.key, e.value from jsonb_each(instance) as e where e.key <> all (properties)
    loop
      below := @extschema@._jsonschema_check(
        context, resource, schema -> 'unevaluatedProperties', value, depth + 1, steps
      );
      steps := below.steps;
      properties := array_append(properties, keyword);
      if below.errors <> '{}' then
        errors := array_append(
          errors, format('Unevaluated properties are not allowed (''%s'' was unexpected)', left(keyword, 500))
        );
      end if;
    end loop;
  end if;
  if kind = 'array' and schema ? 'unevaluatedItems' then
    for value, position in
      select e, o from jsonb_array_elements(instance) with ordinality as t (e, o) where o <> all (items)
    loop
      below := @extschema@._jsonschema_check(
        context, resource, schema -> 'unevaluatedItems', value, depth + 1, steps
      );
      steps := below.steps;
      items := array_append(items, position::int);
      if below.errors <> '{}' then
        errors := array_append(
          errors, format('Unevaluated items are not allowed (%s was unexpected)', @extschema@._jsonschema_shown(value))
        );
      end if;
    end loop;
  end if;
end
$$;

-- Whether a keyword's value is of the form that the meta-schema asks for; schemas within it are not looked at.
create function @extschema@._jsonschema_has_form(keyword text, value jsonb, is_old boolean) returns boolean
language plpgsql
immutable strict parallel safe
as $$
declare
  kind text := jsonb_typeof(value);
  names constant jsonb := '["array", "boolean", "integer", "null", "number", "object", "string"]';
begin
  case
    when keyword = 'type' then
      return case kind when 'string' then names @> value when 'array' then
        names @> value and jsonb_array_length(value) > 0 and @extschema@._jsonschema_objection('uniqueItems', 'true', value) is null
        else false end;
    when keyword in ('enum', 'examples') then
      return kind = 'array';
    when keyword in ('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum') then
      return kind = 'number';
    when keyword = 'multipleOf' then
      return case kind when 'number' then value::numeric > 0 else false end;
    when keyword in ('minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties')
    then
      return case kind when 'number' then value::numeric >= 0 and value::numeric = trunc(value::numeric) else false end;
    when keyword in ('uniqueItems', 'readOnly', 'writeOnly', 'deprecated') then
      return kind = 'boolean';
    when keyword in ('pattern', 'format', 'title', 'description', '$comment', '$ref', '$schema', 'contentEncoding', 'contentMediaType', '$dynamicRef')
    then
      return kind = 'string';
    when keyword = '$id' then
      return kind = 'string' and (is_old or value #>> '{}' ~ '^[^#]*#?$');
    when keyword in ('$anchor', '$dynamicAnchor') then
      return kind = 'string' and value #>> '{}' ~ '^[A-Za-z_][-A-Za-z0-9._]*$';
    when keyword = 'required' then
      return case kind when 'array' then
        @extschema@._jsonschema_objection('uniqueItems', 'true', value) is null
          and not exists (select from jsonb_array_elements(value) as e where jsonb_typeof(e) <> 'string')
        else false end;
    when keyword = 'dependentRequired' then
      return case kind when 'object' then
        not exists (
          select from jsonb_each(value) as e where not @extschema@._jsonschema_has_form('required', e.value, is_old)
        )
        else false end;
    when keyword in ('allOf', 'anyOf', 'oneOf', 'prefixItems') then
      return case kind when 'array' then jsonb_array_length(value) > 0 else false end;
    when keyword in ('properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies') then
      return kind = 'object';
    when keyword = 'items' and kind = 'array' then
      return is_old;
    else
      return true;
  end case;
end
$$;

-- Places of a schema whose form is not the meta-schema's.
create function @extschema@._jsonschema_flaws(schema jsonb, place text, is_old boolean, depth int) returns text[]
language plpgsql
immutable parallel safe
as $$
declare
  keyword text;
  value jsonb;
  name text;
  part jsonb;
  flaws text[] := '{}';
begin
  if depth > 100 then
    raise exception 'the JSON schema takes too much work' using errcode = 'program_limit_exceeded',
      detail = 'Schemas stand within one another more than 100 deep.';
  end if;
  if jsonb_typeof(schema) = 'boolean' then
    return flaws;
  end if;
  if jsonb_typeof(schema) <> 'object' then
    return array[format('%s at "%s" is no schema', @extschema@._jsonschema_shown(schema), place)];
  end if;
  for keyword, value in select e.key, e.value from jsonb_each(schema) as e loop
    if not @extschema@._jsonschema_has_form(keyword, value, is_old) then
      flaws := array_append(
        flaws, format('%s at "%s/%s" is no value of this keyword', @extschema@._jsonschema_shown(value), place, keyword)
      );
      continue;
    end if;
    continue when keyword in ('$ref', '$schema', '$id', 'const', 'default', 'description', 'enum', 'format', 'required', 'title', 'type');
    for name, part in
      select '', value
      where keyword in (
        'additionalProperties', 'additionalItems', 'contains', 'contentSchema', 'else', 'if', 'not', 'propertyNames', 'then',
        'unevaluatedItems', 'unevaluatedProperties'
      ) or (keyword = 'items' and jsonb_typeof(value) <> 'array')
      union all
      select '/' || (o - 1), s
      from jsonb_array_elements(case when jsonb_typeof(value) = 'array' then value else '[]' end) with ordinality as t (s, o)
      where keyword in ('allOf', 'anyOf', 'oneOf', 'prefixItems', 'items')
      union all
      select '/' || e.key, e.value
      from jsonb_each(case when jsonb_typeof(value) = 'object' then value else '{}' end) as e
      where keyword in ('properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas')
        or (keyword = 'dependencies' and not @extschema@._jsonschema_has_form('required', e.value, is_old))
    loop
      flaws := flaws || @extschema@._jsonschema_flaws(part, place || '/' || keyword || name, is_old, depth + 1);
    end loop;
  end loop;
  return flaws;
end
$$;

-- The errors of a value; of a schema that is none, its flaws.
create function @extschema@._jsonschema_errors(schema jsonb, instance jsonb, told boolean) returns text[]
language plpgsql
immutable strict parallel safe
as $$
declare
  is_old boolean := coalesce(schema ->> '$schema' ~ 'draft-0[0-9]/', false);
  flaws text[] := @extschema@._jsonschema_flaws(
    schema, '', is_old or coalesce(schema ->> '$schema' like '%2019-09%', false), 0
  );
begin
  if flaws <> '{}' and told then
    return flaws;
  elsif flaws <> '{}' then
    raise exception 'the JSON schema is not valid: %', flaws[1] using errcode = 'invalid_parameter_value';
  end if;
  return (
    @extschema@._jsonschema_check(
      jsonb_build_object(
        'document', schema, 'told', told, 'alone', is_old, 'collects', strpos(schema::text, '"unevaluated') > 0,
        'steps', 10000 + 20 * length(instance::text)
      ),
      schema, schema, instance, 0, 0
    )
  ).errors;
end
$$;

create function @extschema@.json_matches_schema(schema json, instance json) returns boolean
language sql
immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select @extschema@._jsonschema_errors(schema::jsonb, instance::jsonb, false) = '{}'
$$;

create function @extschema@.jsonb_matches_schema(schema json, instance jsonb) returns boolean
language sql
immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select @extschema@._jsonschema_errors(schema::jsonb, instance, false) = '{}'
$$;

create function @extschema@.jsonschema_is_valid(schema json) returns boolean
language sql
immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select @extschema@._jsonschema_flaws(
    schema::jsonb, '', coalesce(schema ->> '$schema' ~ 'draft-0[0-9]/|2019-09', false), 0
  ) = '{}'
$$;

create function @extschema@.jsonschema_validation_errors(schema json, instance json) returns text[]
language sql
immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select @extschema@._jsonschema_errors(schema::jsonb, instance::jsonb, true)
$$;
