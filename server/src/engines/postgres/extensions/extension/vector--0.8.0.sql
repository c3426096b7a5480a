-- Vectors by PostgreSQL's own functions and those of cube: exact search, no index of neighbours.
--
-- A value is its text, `[1,2,3]`, as it was written; or the packed form, which casts and columns with a number of
-- dimensions make: n dimensions in 24 n + 8 bytes, of which the first 16 n + 4 are the text, filled up with zero bytes,
-- where the output function stops. Then comes what the functions of cube read: n with the highest bit set, in four
-- bytes, and n doubles. These four bytes must fit the size, which tells the two forms apart: no text has that bit.
-- The doubles of a packed value are read without the text; storage `external` lets them be fetched alone.
--
-- Functions that take bytes, or the text of any domain, for a value of another type trust them: only the functions here may
-- call them. They, and all that a function with its owner's rights names, stand in a schema of their own: the schema of the
-- extension may be its user's, to rename and to put other functions in, and may have default privileges.

create schema clew_vector;
grant usage on schema clew_vector to public;

-- Input functions. A cast that is computed while planning asks for the right to execute them, so that only the schema keeps
-- them from being called by their names.
create schema clew_vector_input;

-- Says by an exception why a text is no vector; zero for elements that are too small for a real.
create function clew_vector.vector_diagnose(value text, type text) returns real[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  number constant text := '[ \t\n\r\v\f]*(?:[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|nan|inf(?:inity)?))[ \t\n\r\v\f]*';
  syntax constant text := format('invalid input syntax for type %s: "%s"', type, value);
  element text;
  amount numeric;
  elements real[] := '{}';
begin
  if value !~ '^[ \t\n\r\v\f]*\[' then
    raise exception using message = syntax, errcode = '22P02', detail = 'Vector contents must start with "[".';
  elsif value ~ '^[ \t\n\r\v\f]*\[[ \t\n\r\v\f]*\]' then
    raise exception using message = format('%s must have at least 1 dimension', type), errcode = '22000';
  elsif value !~* format('^[^[]*\[%s(?:,%s)*\]', number, number) then
    raise exception using message = syntax, errcode = '22P02';
  elsif value !~ '\][ \t\n\r\v\f]*$' or value ~ '\].*\]' then
    raise exception using message = syntax, errcode = '22P02', detail = 'Junk after closing right brace.';
  end if;
  foreach element in array string_to_array(btrim(value, E' \t\n\r\v\f[]'), ',') loop
    element := btrim(element, E' \t\n\r\v\f');
    if element ~* 'nan' then
      raise exception using message = format('NaN not allowed in %s', type), errcode = '22000';
    elsif element ~* 'inf' then
      raise exception using message = format('infinite value not allowed in %s', type), errcode = '22000';
    end if;
    amount := element::numeric;
    if abs(amount) >= 3.4028235677973366e38 then
      raise exception using message = format('"%s" is out of range for type %s', element, type), errcode = '22003';
    end if;
    elements := elements || case when abs(amount) < 7.1e-46 then 0 else amount::real end;
  end loop;
  if cardinality(elements) > 16000 then
    raise exception using message = format('%s cannot have more than 16000 dimensions', type), errcode = '54000';
  end if;
  return elements;
end
$$;

create function clew_vector.vector_reals(value text, type text) returns real[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  list text := replace(replace(value, '[', '{'), ']', '}');
begin
  if pg_input_is_valid(list, 'real[]') then
    return list::real[];
  end if;
  return clew_vector.vector_diagnose(value, type);
end
$$;

-- The check of every input. Quick for what is right: one pass of an expression, and no number is read unless it may be
-- out of range, by its exponent or its length.
create function clew_vector.vector_valid(value text, type text) returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if octet_length(value) <= 32000 or octet_length(value) - octet_length(replace(value, ',', '')) < 16000 then
    if value ~ '^\[[-+]?[0-9]{1,38}(?:\.[0-9]*)?(?:,[-+]?[0-9]{1,38}(?:\.[0-9]*)?)*\]$' and type = 'vector'
      or value ~ '^[ \t\n\r\v\f]*\[[ \t\n\r\v\f]*[-+.0-9][-+.0-9eE, \t\n\r\v\f]*\][ \t\n\r\v\f]*$'
        and pg_input_is_valid(replace(replace(value, '[', '{'), ']', '}'), 'real[]')
    then
      return type = 'vector' or clew_vector.halfvec_elements(clew_vector.vector_reals(value, type)) is not null;
    end if;
  end if;
  perform clew_vector.vector_diagnose(value, type);
  return true;
end
$$;

-- n and the doubles of n dimensions, as cube's functions read them. Values come from vector_points alone.
create type clew_vector.vector_point;
create function clew_vector.vector_point_in(cstring) returns clew_vector.vector_point
  language internal immutable strict parallel safe as 'pg_ndistinct_in';
create function clew_vector.vector_point_out(clew_vector.vector_point) returns cstring
  language internal immutable strict parallel safe as 'byteaout';
create type clew_vector.vector_point (
  input = clew_vector.vector_point_in,
  output = clew_vector.vector_point_out,
  alignment = double,
  storage = external
);
create function clew_vector.vector_point_size(clew_vector.vector_point) returns integer
  language internal immutable strict parallel safe as 'byteaoctetlen';
create function clew_vector.vector_point_bytes(clew_vector.vector_point, integer, integer) returns bytea
  language internal immutable strict parallel safe as 'bytea_substr';
create function clew_vector.vector_point_bytes(clew_vector.vector_point, integer) returns bytea
  language internal immutable strict parallel safe as 'bytea_substr_no_len';
create function clew_vector.vector_array_bytes(double precision[], integer) returns bytea
  language internal immutable strict parallel safe as 'bytea_substr_no_len';
create function clew_vector.vector_euclidean(clew_vector.vector_point, clew_vector.vector_point) returns double precision
  language c immutable strict parallel safe as '$libdir/cube', 'cube_distance';
create function clew_vector.vector_taxicab(clew_vector.vector_point, clew_vector.vector_point) returns double precision
  language c immutable strict parallel safe as '$libdir/cube', 'distance_taxicab';

create function clew_vector.vector_point_of(bytea) returns clew_vector.vector_point
  language internal immutable strict parallel safe as 'byteasend';
create function clew_vector.vector_array_of(bytea) returns double precision[]
  language internal immutable strict parallel safe as 'byteasend';
revoke execute on function clew_vector.vector_point_in(cstring), clew_vector.vector_point_of(bytea),
  clew_vector.vector_array_of(bytea) from public;

create function clew_vector.vector_point_dims(point clew_vector.vector_point) returns integer
language sql immutable strict parallel safe
return (clew_vector.vector_point_size(point) - 4) / 8;

create function clew_vector.vector_point_head(dims integer) returns bytea
language sql immutable strict parallel safe
return reverse(int4send(dims - 2147483647 - 1));

create function clew_vector.vector_point_from(elements real[]) returns bytea
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return clew_vector.vector_point_head(cardinality(elements))
    || clew_vector.vector_array_bytes(elements::double precision[], 21);
end
$$;

create function clew_vector.vector_doubles(point clew_vector.vector_point) returns double precision[]
language plpgsql immutable strict parallel safe security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return clew_vector.vector_array_of(
    '\x0100000000000000bd020000' || reverse(int4send(clew_vector.vector_point_dims(point))) || '\x01000000'
      || clew_vector.vector_point_bytes(point, 5)
  );
end
$$;

-- A result in the precision of a real, in which the distances of single-precision elements are.
create function clew_vector.vector_single(amount double precision) returns double precision
language sql immutable strict parallel safe
return case
  when abs(amount) > 3.4028235e38 then sign(amount) * 'Infinity'::double precision
  when abs(amount) < 1.2e-38 then amount
  else amount::real::double precision
end;

create function clew_vector.vector_same_dims(a clew_vector.vector_point, b clew_vector.vector_point, type text) returns boolean
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if clew_vector.vector_point_size(a) <> clew_vector.vector_point_size(b) then
    raise exception using
      message = format('different %s dimensions %s and %s', type, clew_vector.vector_point_dims(a), clew_vector.vector_point_dims(b)),
      errcode = '22000';
  end if;
  return true;
end
$$;

create function clew_vector.vector_point_norm(point clew_vector.vector_point) returns double precision
language sql immutable strict parallel safe security definer
return clew_vector.vector_euclidean(point, clew_vector.vector_point_of('\x00000080'));

create function clew_vector.vector_l2(a clew_vector.vector_point, b clew_vector.vector_point, type text)
returns double precision
language plpgsql immutable strict parallel safe cost 1000
set search_path = pg_catalog, pg_temp
as $$
begin
  if clew_vector.vector_point_size(a) <> clew_vector.vector_point_size(b) then
    perform clew_vector.vector_same_dims(a, b, type);
  end if;
  return sqrt(clew_vector.vector_single(clew_vector.vector_euclidean(a, b) ^ 2));
end
$$;

create function clew_vector.vector_l1(a clew_vector.vector_point, b clew_vector.vector_point, type text)
returns double precision
language plpgsql immutable strict parallel safe cost 1000
set search_path = pg_catalog, pg_temp
as $$
begin
  if clew_vector.vector_point_size(a) <> clew_vector.vector_point_size(b) then
    perform clew_vector.vector_same_dims(a, b, type);
  end if;
  return clew_vector.vector_single(clew_vector.vector_taxicab(a, b));
end
$$;

-- a·b = (|a|² + |b|² − |a − b|²) / 2, and zero where less is left than the rounding of its terms.
create function clew_vector.vector_product(squares_a double precision, squares_b double precision, squares double precision)
returns double precision
language sql immutable strict parallel safe
return case
  when abs(squares_a + squares_b - squares) < 1e-14 * (squares_a + squares_b) then 0
  else (squares_a + squares_b - squares) / 2
end;

create function clew_vector.vector_cosine(product double precision, squares_a double precision, squares_b double precision)
returns double precision
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  squares constant double precision := clew_vector.vector_single(squares_a) * clew_vector.vector_single(squares_b);
begin
  if squares in (0, 'Infinity') then
    return 'NaN';
  end if;
  return 1 - greatest(-1, least(1, clew_vector.vector_single(product) / sqrt(squares)));
end
$$;

create function clew_vector.vector_ip(a clew_vector.vector_point, b clew_vector.vector_point, type text)
returns double precision
language plpgsql immutable strict parallel safe cost 1000 security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  zero constant clew_vector.vector_point := clew_vector.vector_point_of('\x00000080');
begin
  if clew_vector.vector_point_size(a) <> clew_vector.vector_point_size(b) then
    perform clew_vector.vector_same_dims(a, b, type);
  end if;
  return clew_vector.vector_single(clew_vector.vector_product(
    clew_vector.vector_euclidean(a, zero) ^ 2,
    clew_vector.vector_euclidean(b, zero) ^ 2,
    clew_vector.vector_euclidean(a, b) ^ 2
  ));
end
$$;

create function clew_vector.vector_cosine(a clew_vector.vector_point, b clew_vector.vector_point, type text)
returns double precision
language plpgsql immutable strict parallel safe cost 1000 security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  zero constant clew_vector.vector_point := clew_vector.vector_point_of('\x00000080');
  squares_a constant double precision := clew_vector.vector_euclidean(a, zero) ^ 2;
  squares_b constant double precision := clew_vector.vector_euclidean(b, zero) ^ 2;
  product constant double precision :=
    clew_vector.vector_product(squares_a, squares_b, clew_vector.vector_euclidean(a, b) ^ 2);
begin
  if clew_vector.vector_point_size(a) <> clew_vector.vector_point_size(b) then
    perform clew_vector.vector_same_dims(a, b, type);
  end if;
  return clew_vector.vector_cosine(product, squares_a, squares_b);
end
$$;

-- Too large becomes infinite, too small zero: as C converts a double.
create function clew_vector.vector_singles(elements double precision[]) returns real[]
language sql immutable strict parallel safe
return case when array_ndims(elements) > 1 then elements::real[] else array(
  select case
    when x = 'NaN' or x is null then x::real
    when abs(x) >= 3.4028235677973366e38 then (sign(x) * 'Infinity'::double precision)::real
    when abs(x) < 7.1e-46 then (x * 0)::real
    else x::real
  end
  from unnest(elements) as x
) end;

create function clew_vector.vector_elements(elements real[]) returns real[]
language sql immutable strict parallel safe
return elements;

-- Elements in half precision (IEEE 754 binary16): eleven significant bits, ties to even.
create function clew_vector.halfvec_elements(elements real[]) returns real[]
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  halves constant real[] := array(
    select case
      when x = 0 or x in ('NaN', 'Infinity', '-Infinity') then x
      else (round(x::double precision / unit) * unit)::real
    end
    from (
      select x, 2 ^ (greatest(floor(ln(nullif(abs(x::double precision), 0)) / ln(2::double precision)), -14) - 10) as unit
      from unnest(elements) as x
    ) as each
  );
  large constant real := (select x from unnest(elements, halves) as u (x, half) where abs(half) > 65504 and abs(half) < 'Infinity' limit 1);
begin
  if large is not null then
    raise exception using message = format('"%s" is out of range for type halfvec', large), errcode = '22003';
  end if;
  return halves;
end
$$;

-- A type over the check of a domain: `domain_in` finds the domain as the type's element. PostgreSQL asks for a handler of
-- subscripts beside an element; it is taken away again, as every handler reads the value as its own type's. Text in brackets is the input; text up to the first zero byte is the output.
do $extension$
declare
  names constant text[][] := '{{vector,vector_norm},{halfvec,l2_norm}}';
  name text[];
  source constant text := $source$
create domain clew_vector.TYPE_text as text check (clew_vector.vector_valid(value, 'TYPE'));
create type @extschema@.TYPE;
create function clew_vector_input.TYPE_in(cstring, oid, integer) returns @extschema@.TYPE
  language internal immutable strict parallel safe as 'domain_in';
create function clew_vector.TYPE_out(@extschema@.TYPE) returns cstring
  language internal immutable strict parallel safe as 'textout';
create function clew_vector.TYPE_typmod_in(cstring[]) returns integer
  language internal immutable strict parallel safe as 'varbittypmodin';
create function clew_vector.TYPE_typmod_out(integer) returns cstring
  language internal immutable strict parallel safe as 'varbittypmodout';
create type @extschema@.TYPE (
  input = clew_vector_input.TYPE_in,
  output = clew_vector.TYPE_out,
  typmod_in = clew_vector.TYPE_typmod_in,
  typmod_out = clew_vector.TYPE_typmod_out,
  element = clew_vector.TYPE_text,
  subscript = raw_array_subscript_handler,
  storage = external
);
alter type @extschema@.TYPE set (subscript = none);

create function clew_vector.vector_size(@extschema@.TYPE) returns integer
  language internal immutable strict parallel safe as 'byteaoctetlen';
create function clew_vector.vector_bytes(@extschema@.TYPE, integer, integer) returns bytea
  language internal immutable strict parallel safe as 'bytea_substr';
create function clew_vector.vector_tail(@extschema@.TYPE, integer) returns clew_vector.vector_point
  language internal immutable strict parallel safe as 'bytea_substr_no_len';
create function clew_vector.TYPE_of(bytea) returns @extschema@.TYPE
  language internal immutable strict parallel safe as 'byteasend';
revoke execute on function clew_vector.vector_tail(@extschema@.TYPE, integer), clew_vector.TYPE_of(bytea) from public;

-- The cost is that of reading text: plans that read a constant once are preferred to those that read it for every row.
create function clew_vector.vector_points(value @extschema@.TYPE) returns clew_vector.vector_point
language plpgsql immutable strict parallel safe cost 5000 security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  size constant integer := clew_vector.vector_size(value);
  point clew_vector.vector_point;
begin
  if size > 8 and size % 24 = 8 then
    point := clew_vector.vector_tail(value, size / 24 * 16 + 5);
    if clew_vector.vector_point_bytes(point, 1, 4) = clew_vector.vector_point_head(size / 24) then
      return point;
    end if;
  end if;
  return clew_vector.vector_point_of(
    clew_vector.vector_point_from(clew_vector.TYPE_elements(clew_vector.vector_reals(value::text, 'TYPE')))
  );
end
$$;

create function clew_vector.vector_doubles(value @extschema@.TYPE) returns double precision[]
language sql immutable strict parallel safe
return clew_vector.vector_doubles(clew_vector.vector_points(value));

create function @extschema@.array_to_TYPE(elements real[], dims integer default -1, explicit boolean default true)
returns @extschema@.TYPE
language plpgsql immutable strict parallel safe security definer
set search_path = pg_catalog, pg_temp
set extra_float_digits = 1
as $$
declare
  size constant integer := cardinality(elements);
  value text;
begin
  if array_ndims(elements) > 1 then
    raise exception using message = 'array must be 1-D', errcode = '22000';
  elsif array_position(elements, null) is not null then
    raise exception using message = 'array must not contain nulls', errcode = '22004';
  elsif size = 0 then
    raise exception using message = 'TYPE must have at least 1 dimension', errcode = '22000';
  elsif size > 16000 then
    raise exception using message = 'TYPE cannot have more than 16000 dimensions', errcode = '54000';
  elsif dims not in (-1, size) then
    raise exception using message = format('expected %s dimensions, not %s', dims, size), errcode = '22000';
  end if;
  elements := clew_vector.TYPE_elements(elements[:]);
  value := elements::text;
  if strpos(value, 'N') > 0 then
    raise exception using message = 'NaN not allowed in TYPE', errcode = '22000';
  elsif strpos(value, 'I') > 0 then
    raise exception using message = 'infinite value not allowed in TYPE', errcode = '22000';
  end if;
  return clew_vector.TYPE_of(
    convert_to(replace(replace(value, '{', '['), '}', ']'), 'UTF8')
      || decode(repeat('00', 16 * size + 4 - octet_length(value)), 'hex')
      || clew_vector.vector_point_from(elements)
  );
end
$$;

create function @extschema@.array_to_TYPE(elements integer[], dims integer, explicit boolean) returns @extschema@.TYPE
language sql immutable strict parallel safe
return @extschema@.array_to_TYPE(elements::real[], dims, explicit);

create function @extschema@.array_to_TYPE(elements double precision[], dims integer, explicit boolean)
returns @extschema@.TYPE
language sql immutable strict parallel safe
return @extschema@.array_to_TYPE(clew_vector.vector_singles(elements), dims, explicit);

create function @extschema@.array_to_TYPE(elements numeric[], dims integer, explicit boolean) returns @extschema@.TYPE
language sql immutable strict parallel safe
return @extschema@.array_to_TYPE(elements::real[], dims, explicit);

create function @extschema@.TYPE_to_float4(value @extschema@.TYPE, dims integer, explicit boolean) returns real[]
language sql immutable strict parallel safe
return clew_vector.vector_doubles(value)::real[];

-- The length coercion of PostgreSQL: called wherever a value gets a number of dimensions, so there it is packed.
create function @extschema@.TYPE(value @extschema@.TYPE, dims integer, explicit boolean) returns @extschema@.TYPE
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if dims > 16000 then
    raise exception using message = 'dimensions for type TYPE cannot exceed 16000', errcode = '22023';
  elsif clew_vector.vector_size(value) = 24 * dims + 8
    and clew_vector.vector_bytes(value, 16 * dims + 5, 4) = clew_vector.vector_point_head(dims)
  then
    return value;
  end if;
  return @extschema@.array_to_TYPE(clew_vector.vector_doubles(value)::real[], dims, explicit);
end
$$;

create cast (@extschema@.TYPE as @extschema@.TYPE)
  with function @extschema@.TYPE(@extschema@.TYPE, integer, boolean) as implicit;
create cast (@extschema@.TYPE as real[])
  with function @extschema@.TYPE_to_float4(@extschema@.TYPE, integer, boolean) as implicit;
create cast (integer[] as @extschema@.TYPE)
  with function @extschema@.array_to_TYPE(integer[], integer, boolean) as assignment;
create cast (real[] as @extschema@.TYPE)
  with function @extschema@.array_to_TYPE(real[], integer, boolean) as assignment;
create cast (double precision[] as @extschema@.TYPE)
  with function @extschema@.array_to_TYPE(double precision[], integer, boolean) as assignment;
create cast (numeric[] as @extschema@.TYPE)
  with function @extschema@.array_to_TYPE(numeric[], integer, boolean) as assignment;

create function @extschema@.l2_distance(a @extschema@.TYPE, b @extschema@.TYPE) returns double precision
language sql immutable strict parallel safe
return clew_vector.vector_l2(clew_vector.vector_points(a), clew_vector.vector_points(b), 'TYPE');

create function @extschema@.TYPE_l2_squared_distance(a @extschema@.TYPE, b @extschema@.TYPE) returns double precision
language sql immutable strict parallel safe
return clew_vector.vector_l2(clew_vector.vector_points(a), clew_vector.vector_points(b), 'TYPE') ^ 2;

create function @extschema@.l1_distance(a @extschema@.TYPE, b @extschema@.TYPE) returns double precision
language sql immutable strict parallel safe
return clew_vector.vector_l1(clew_vector.vector_points(a), clew_vector.vector_points(b), 'TYPE');

create function @extschema@.inner_product(a @extschema@.TYPE, b @extschema@.TYPE) returns double precision
language sql immutable strict parallel safe
return clew_vector.vector_ip(clew_vector.vector_points(a), clew_vector.vector_points(b), 'TYPE');

create function @extschema@.TYPE_negative_inner_product(a @extschema@.TYPE, b @extschema@.TYPE) returns double precision
language sql immutable strict parallel safe
return -clew_vector.vector_ip(clew_vector.vector_points(a), clew_vector.vector_points(b), 'TYPE');

create function @extschema@.cosine_distance(a @extschema@.TYPE, b @extschema@.TYPE) returns double precision
language sql immutable strict parallel safe
return clew_vector.vector_cosine(clew_vector.vector_points(a), clew_vector.vector_points(b), 'TYPE');

create function @extschema@.vector_dims(value @extschema@.TYPE) returns integer
language sql immutable strict parallel safe
return clew_vector.vector_point_dims(clew_vector.vector_points(value));

create function @extschema@.NORM(value @extschema@.TYPE) returns double precision
language sql immutable strict parallel safe
return clew_vector.vector_point_norm(clew_vector.vector_points(value));

create function @extschema@.l2_normalize(value @extschema@.TYPE) returns @extschema@.TYPE
language sql immutable strict parallel safe
return (
  select @extschema@.array_to_TYPE(clew_vector.vector_singles(array(
    select case when norm = 0 then 0 else x / norm end from unnest(clew_vector.vector_doubles(value)) as x
  )))
  from (select @extschema@.NORM(value) as norm) as whole
);

create function @extschema@.binary_quantize(value @extschema@.TYPE) returns bit
language sql immutable strict parallel safe
return (
  select string_agg(case when x > 0 then '1' else '0' end, '' order by place)
  from unnest(clew_vector.vector_doubles(value)) with ordinality as u (x, place)
)::"bit";

create function @extschema@.subvector(value @extschema@.TYPE, start integer, count integer) returns @extschema@.TYPE
language sql immutable strict parallel safe
return @extschema@.array_to_TYPE(
  (clew_vector.vector_doubles(value)::real[])[
    greatest(start, 1) : least(start::bigint + count - 1, @extschema@.vector_dims(value))::integer
  ]
);

create function clew_vector.TYPE_same_dims(a @extschema@.TYPE, b @extschema@.TYPE) returns boolean
language sql immutable strict parallel safe
return clew_vector.vector_same_dims(clew_vector.vector_points(a), clew_vector.vector_points(b), 'TYPE');

create function @extschema@.TYPE_add(a @extschema@.TYPE, b @extschema@.TYPE) returns @extschema@.TYPE
language sql immutable strict parallel safe
return case when clew_vector.TYPE_same_dims(a, b) then @extschema@.array_to_TYPE(array(
  select x + y from unnest(clew_vector.vector_doubles(a)::real[], clew_vector.vector_doubles(b)::real[]) as u (x, y)
)) end;

create function @extschema@.TYPE_sub(a @extschema@.TYPE, b @extschema@.TYPE) returns @extschema@.TYPE
language sql immutable strict parallel safe
return case when clew_vector.TYPE_same_dims(a, b) then @extschema@.array_to_TYPE(array(
  select x - y from unnest(clew_vector.vector_doubles(a)::real[], clew_vector.vector_doubles(b)::real[]) as u (x, y)
)) end;

create function @extschema@.TYPE_mul(a @extschema@.TYPE, b @extschema@.TYPE) returns @extschema@.TYPE
language sql immutable strict parallel safe
return case when clew_vector.TYPE_same_dims(a, b) then @extschema@.array_to_TYPE(array(
  select x * y from unnest(clew_vector.vector_doubles(a)::real[], clew_vector.vector_doubles(b)::real[]) as u (x, y)
)) end;

create function @extschema@.TYPE_concat(a @extschema@.TYPE, b @extschema@.TYPE) returns @extschema@.TYPE
language sql immutable strict parallel safe
return @extschema@.array_to_TYPE((clew_vector.vector_doubles(a) || clew_vector.vector_doubles(b))::real[]);

create function @extschema@.TYPE_lt(a @extschema@.TYPE, b @extschema@.TYPE) returns boolean
language sql immutable strict parallel safe return clew_vector.vector_doubles(a) < clew_vector.vector_doubles(b);
create function @extschema@.TYPE_le(a @extschema@.TYPE, b @extschema@.TYPE) returns boolean
language sql immutable strict parallel safe return clew_vector.vector_doubles(a) <= clew_vector.vector_doubles(b);
create function @extschema@.TYPE_eq(a @extschema@.TYPE, b @extschema@.TYPE) returns boolean
language sql immutable strict parallel safe return clew_vector.vector_doubles(a) = clew_vector.vector_doubles(b);
create function @extschema@.TYPE_ne(a @extschema@.TYPE, b @extschema@.TYPE) returns boolean
language sql immutable strict parallel safe return clew_vector.vector_doubles(a) <> clew_vector.vector_doubles(b);
create function @extschema@.TYPE_ge(a @extschema@.TYPE, b @extschema@.TYPE) returns boolean
language sql immutable strict parallel safe return clew_vector.vector_doubles(a) >= clew_vector.vector_doubles(b);
create function @extschema@.TYPE_gt(a @extschema@.TYPE, b @extschema@.TYPE) returns boolean
language sql immutable strict parallel safe return clew_vector.vector_doubles(a) > clew_vector.vector_doubles(b);
create function @extschema@.TYPE_cmp(a @extschema@.TYPE, b @extschema@.TYPE) returns integer
language sql immutable strict parallel safe
return btarraycmp(clew_vector.vector_doubles(a), clew_vector.vector_doubles(b));

-- The state is a count and the sums: {2,4,6} is two vectors whose elements add up to 4 and 6.
create function @extschema@.TYPE_accum(state double precision[], value @extschema@.TYPE) returns double precision[]
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  elements constant double precision[] := clew_vector.vector_doubles(value);
begin
  if array_ndims(state) is distinct from 1 or array_position(state, null) is not null then
    raise exception using message = 'TYPE_accum: expected state array', errcode = '22000';
  elsif cardinality(state) = 1 then
    return 1::double precision || elements;
  elsif cardinality(state) <> cardinality(elements) + 1 then
    raise exception using
      message = format('expected %s dimensions, not %s', cardinality(state) - 1, cardinality(elements)),
      errcode = '22000';
  end if;
  return array(select x + y from unnest(state, 1::double precision || elements) as u (x, y));
end
$$;

create function @extschema@.TYPE_combine(a double precision[], b double precision[]) returns double precision[]
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if array_ndims(a) is distinct from 1 or array_ndims(b) is distinct from 1
    or array_position(a || b, null) is not null
  then
    raise exception using message = 'TYPE_combine: expected state array', errcode = '22000';
  elsif a[1] = 0 then
    return b;
  elsif b[1] = 0 then
    return a;
  elsif cardinality(a) <> cardinality(b) then
    raise exception using
      message = format('expected %s dimensions, not %s', cardinality(a) - 1, cardinality(b) - 1),
      errcode = '22000';
  end if;
  return array(select x + y from unnest(a, b) as u (x, y));
end
$$;

create function @extschema@.TYPE_avg(state double precision[]) returns @extschema@.TYPE
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if array_ndims(state) is distinct from 1 or array_position(state, null) is not null then
    raise exception using message = 'TYPE_avg: expected state array', errcode = '22000';
  elsif state[1] = 0 then
    return null;
  end if;
  return @extschema@.array_to_TYPE(array(select (x / state[1])::real from unnest(state[2:]) as x));
end
$$;

create aggregate @extschema@.avg(@extschema@.TYPE) (
  sfunc = @extschema@.TYPE_accum,
  stype = double precision[],
  finalfunc = @extschema@.TYPE_avg,
  combinefunc = @extschema@.TYPE_combine,
  initcond = '{0}',
  parallel = safe
);
create aggregate @extschema@.sum(@extschema@.TYPE) (
  sfunc = @extschema@.TYPE_add,
  stype = @extschema@.TYPE,
  combinefunc = @extschema@.TYPE_add,
  parallel = safe
);

create operator @extschema@.+ (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_add, commutator = +
);
create operator @extschema@.- (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_sub
);
create operator @extschema@.* (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_mul, commutator = *
);
create operator @extschema@.|| (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_concat
);
$source$;
begin
  foreach name slice 1 in array names loop
    execute replace(replace(source, 'TYPE', name[1]), 'NORM', name[2]);
  end loop;
end
$extension$;

-- Few elements of many: {index:element,…}/dimensions, indices from 1. A value is its text.

-- The parts of a text, sorted and without zeros; an exception where it is none.
create function clew_vector.sparsevec_parts(value text, out places integer[], out elements real[], out dims integer)
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  space constant text := '[ \t\n\r\v\f]*';
  number constant text := '[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|nan|inf(?:inity)?)';
  entry constant text := format('%s[-+]?[0-9]+%s:%s%s%s', space, space, space, number, space);
  syntax constant text := format('invalid input syntax for type sparsevec: "%s"', value);
  list text;
  wrong text;
  given bigint[];
  count numeric;
begin
  if value !~ format('^%s\{', space) then
    raise exception using message = syntax, errcode = '22P02', detail = 'Vector contents must start with "{".';
  elsif value !~* format('^%s\{%s(?:%s(?:,%s)*)?\}', space, space, entry, entry) then
    raise exception using message = syntax, errcode = '22P02';
  elsif value ~ format('\}%s$', space) then
    raise exception using message = syntax, errcode = '22P02', detail = 'Unexpected end of input.';
  elsif value !~ format('\}%s/%s[-+]?[0-9]+', space, space) then
    raise exception using message = syntax, errcode = '22P02';
  elsif value !~ format('/%s[-+]?[0-9]+%s$', space, space) then
    raise exception using message = syntax, errcode = '22P02', detail = 'Junk after closing.';
  end if;
  list := translate(split_part(split_part(value, '}', 1), '{', 2), E' \t\n\r\v\f', '');
  select split_part(e, ':', 2) into wrong from string_to_table(nullif(list, ''), ',') as e
    where split_part(e, ':', 2) ~* 'n' or not pg_input_is_valid(split_part(e, ':', 2), 'real') limit 1;
  if wrong ~* 'nan' then
    raise exception using message = 'NaN not allowed in sparsevec', errcode = '22000';
  elsif wrong ~* 'inf' then
    raise exception using message = 'infinite value not allowed in sparsevec', errcode = '22000';
  elsif wrong is not null then
    raise exception using message = format('"%s" is out of range for type sparsevec', wrong), errcode = '22003';
  end if;
  count := btrim(split_part(value, '/', 2), E' \t\n\r\v\f')::numeric;
  if count < 1 then
    raise exception using message = 'sparsevec must have at least 1 dimension', errcode = '22000';
  elsif count > 1000000000 then
    raise exception using message = 'sparsevec cannot have more than 1000000000 dimensions', errcode = '54000';
  end if;
  dims := count;
  select array_agg(greatest(least(split_part(e, ':', 1)::numeric, 2000000000), 0) order by split_part(e, ':', 1)::numeric),
      array_agg(split_part(e, ':', 2)::real order by split_part(e, ':', 1)::numeric)
    into given, elements
    from string_to_table(nullif(list, ''), ',') as e where split_part(e, ':', 2)::real <> 0;
  places := coalesce(given::integer[], '{}');
  elements := coalesce(elements, '{}');
  if cardinality(places) > 16000 then
    raise exception using message = 'sparsevec cannot have more than 16000 non-zero elements', errcode = '54000';
  elsif exists (select from unnest(places) as place where place not between 1 and dims) then
    raise exception using message = 'sparsevec index out of bounds', errcode = '22000';
  elsif exists (select from unnest(places) as place group by place having count(*) > 1) then
    raise exception using message = 'sparsevec indices must not contain duplicates', errcode = '22000';
  end if;
end
$$;

create function clew_vector.sparsevec_valid(value text) returns boolean
language sql immutable parallel safe
return (select dims > 0 from clew_vector.sparsevec_parts(value));

create domain clew_vector.sparsevec_text as text check (clew_vector.sparsevec_valid(value));
create type @extschema@.sparsevec;
create function clew_vector_input.sparsevec_in(cstring, oid, integer) returns @extschema@.sparsevec
  language internal immutable strict parallel safe as 'domain_in';
create function clew_vector.sparsevec_out(@extschema@.sparsevec) returns cstring
  language internal immutable strict parallel safe as 'textout';
create function clew_vector.sparsevec_typmod_in(cstring[]) returns integer
  language internal immutable strict parallel safe as 'varbittypmodin';
create function clew_vector.sparsevec_typmod_out(integer) returns cstring
  language internal immutable strict parallel safe as 'varbittypmodout';
create type @extschema@.sparsevec (
  input = clew_vector_input.sparsevec_in,
  output = clew_vector.sparsevec_out,
  typmod_in = clew_vector.sparsevec_typmod_in,
  typmod_out = clew_vector.sparsevec_typmod_out,
  element = clew_vector.sparsevec_text,
  subscript = raw_array_subscript_handler,
  storage = external
);
alter type @extschema@.sparsevec set (subscript = none);

create function clew_vector.sparsevec_from(places integer[], elements real[], dims integer, expected integer)
returns @extschema@.sparsevec
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
set extra_float_digits = 1
as $$
begin
  if expected not in (-1, dims) then
    raise exception using message = format('expected %s dimensions, not %s', expected, dims), errcode = '22000';
  end if;
  return (
    select format('{%s}/%s', string_agg(format('%s:%s', place, element), ',' order by place), dims)
    from unnest(places, elements) as u (place, element)
    where element <> 0
  )::@extschema@.sparsevec;
end
$$;

create function @extschema@.sparsevec(value @extschema@.sparsevec, dims integer, explicit boolean)
returns @extschema@.sparsevec
language sql immutable strict parallel safe
return (
  select clew_vector.sparsevec_from(p.places, p.elements, p.dims, sparsevec.dims)
  from clew_vector.sparsevec_parts(value::text) as p
);

create function @extschema@.array_to_sparsevec(elements real[], dims integer, explicit boolean)
returns @extschema@.sparsevec
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if array_ndims(elements) > 1 then
    raise exception using message = 'array must be 1-D', errcode = '22000';
  elsif array_position(elements, null) is not null then
    raise exception using message = 'array must not contain nulls', errcode = '22004';
  elsif cardinality(elements) = 0 then
    raise exception using message = 'sparsevec must have at least 1 dimension', errcode = '22000';
  elsif 'NaN' = any (elements) then
    raise exception using message = 'NaN not allowed in sparsevec', errcode = '22000';
  elsif 'Infinity' = any (elements) or '-Infinity' = any (elements) then
    raise exception using message = 'infinite value not allowed in sparsevec', errcode = '22000';
  end if;
  return clew_vector.sparsevec_from(
    array(select generate_series(1, cardinality(elements))), elements, cardinality(elements), dims
  );
end
$$;

create function @extschema@.array_to_sparsevec(elements integer[], dims integer, explicit boolean)
returns @extschema@.sparsevec
language sql immutable strict parallel safe
return @extschema@.array_to_sparsevec(elements::real[], dims, explicit);

create function @extschema@.array_to_sparsevec(elements double precision[], dims integer, explicit boolean)
returns @extschema@.sparsevec
language sql immutable strict parallel safe
return @extschema@.array_to_sparsevec(clew_vector.vector_singles(elements), dims, explicit);

create function @extschema@.array_to_sparsevec(elements numeric[], dims integer, explicit boolean)
returns @extschema@.sparsevec
language sql immutable strict parallel safe
return @extschema@.array_to_sparsevec(elements::real[], dims, explicit);

create function clew_vector.sparsevec_reals(value @extschema@.sparsevec, type text) returns real[]
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  parts record := clew_vector.sparsevec_parts(value::text);
  elements real[];
begin
  if parts.dims > 16000 then
    raise exception using message = format('%s cannot have more than 16000 dimensions', type), errcode = '54000';
  end if;
  elements := array_fill(0::real, array[parts.dims]);
  for each in 1..cardinality(parts.places) loop
    elements[parts.places[each]] := parts.elements[each];
  end loop;
  return elements;
end
$$;

create function @extschema@.sparsevec_to_vector(value @extschema@.sparsevec, dims integer, explicit boolean)
returns @extschema@.vector
language sql immutable strict parallel safe
return @extschema@.array_to_vector(clew_vector.sparsevec_reals(value, 'vector'), dims, explicit);

create function @extschema@.sparsevec_to_halfvec(value @extschema@.sparsevec, dims integer, explicit boolean)
returns @extschema@.halfvec
language sql immutable strict parallel safe
return @extschema@.array_to_halfvec(clew_vector.sparsevec_reals(value, 'halfvec'), dims, explicit);

create function @extschema@.vector_to_sparsevec(value @extschema@.vector, dims integer, explicit boolean)
returns @extschema@.sparsevec
language sql immutable strict parallel safe
return @extschema@.array_to_sparsevec(clew_vector.vector_doubles(value)::real[], dims, explicit);

create function @extschema@.halfvec_to_sparsevec(value @extschema@.halfvec, dims integer, explicit boolean)
returns @extschema@.sparsevec
language sql immutable strict parallel safe
return @extschema@.array_to_sparsevec(clew_vector.vector_doubles(value)::real[], dims, explicit);

create function @extschema@.vector_to_halfvec(value @extschema@.vector, dims integer, explicit boolean)
returns @extschema@.halfvec
language sql immutable strict parallel safe
return @extschema@.array_to_halfvec(clew_vector.vector_doubles(value)::real[], dims, explicit);

create function @extschema@.halfvec_to_vector(value @extschema@.halfvec, dims integer, explicit boolean)
returns @extschema@.vector
language sql immutable strict parallel safe
return @extschema@.array_to_vector(clew_vector.vector_doubles(value)::real[], dims, explicit);

create cast (@extschema@.sparsevec as @extschema@.sparsevec)
  with function @extschema@.sparsevec(@extschema@.sparsevec, integer, boolean) as implicit;
create cast (@extschema@.sparsevec as @extschema@.vector)
  with function @extschema@.sparsevec_to_vector(@extschema@.sparsevec, integer, boolean) as assignment;
create cast (@extschema@.sparsevec as @extschema@.halfvec)
  with function @extschema@.sparsevec_to_halfvec(@extschema@.sparsevec, integer, boolean) as assignment;
create cast (@extschema@.vector as @extschema@.sparsevec)
  with function @extschema@.vector_to_sparsevec(@extschema@.vector, integer, boolean) as implicit;
create cast (@extschema@.halfvec as @extschema@.sparsevec)
  with function @extschema@.halfvec_to_sparsevec(@extschema@.halfvec, integer, boolean) as implicit;
create cast (@extschema@.vector as @extschema@.halfvec)
  with function @extschema@.vector_to_halfvec(@extschema@.vector, integer, boolean) as implicit;
create cast (@extschema@.halfvec as @extschema@.vector)
  with function @extschema@.halfvec_to_vector(@extschema@.halfvec, integer, boolean) as assignment;
create cast (integer[] as @extschema@.sparsevec)
  with function @extschema@.array_to_sparsevec(integer[], integer, boolean) as assignment;
create cast (real[] as @extschema@.sparsevec)
  with function @extschema@.array_to_sparsevec(real[], integer, boolean) as assignment;
create cast (double precision[] as @extschema@.sparsevec)
  with function @extschema@.array_to_sparsevec(double precision[], integer, boolean) as assignment;
create cast (numeric[] as @extschema@.sparsevec)
  with function @extschema@.array_to_sparsevec(numeric[], integer, boolean) as assignment;

create function clew_vector.sparsevec_sums(
  a @extschema@.sparsevec, b @extschema@.sparsevec,
  out squares double precision, out l1 double precision, out product double precision,
  out squares_a double precision, out squares_b double precision
)
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  left_parts record := clew_vector.sparsevec_parts(a::text);
  right_parts record := clew_vector.sparsevec_parts(b::text);
begin
  if left_parts.dims <> right_parts.dims then
    raise exception using
      message = format('different sparsevec dimensions %s and %s', left_parts.dims, right_parts.dims),
      errcode = '22000';
  end if;
  select coalesce(sum((x - y) ^ 2), 0), coalesce(sum(abs(x - y)), 0), coalesce(sum(x * y), 0),
      coalesce(sum(x ^ 2), 0), coalesce(sum(y ^ 2), 0)
    into squares, l1, product, squares_a, squares_b
    from (
      select coalesce(l.x, 0)::double precision as x, coalesce(r.y, 0)::double precision as y
      from unnest(left_parts.places, left_parts.elements) as l (place, x)
      full join unnest(right_parts.places, right_parts.elements) as r (place, y) using (place)
    ) as pairs;
end
$$;

create function @extschema@.l2_distance(a @extschema@.sparsevec, b @extschema@.sparsevec) returns double precision
language sql immutable strict parallel safe
return (select sqrt(clew_vector.vector_single(squares)) from clew_vector.sparsevec_sums(a, b));
create function @extschema@.sparsevec_l2_squared_distance(a @extschema@.sparsevec, b @extschema@.sparsevec)
returns double precision
language sql immutable strict parallel safe
return (select clew_vector.vector_single(squares) from clew_vector.sparsevec_sums(a, b));
create function @extschema@.l1_distance(a @extschema@.sparsevec, b @extschema@.sparsevec) returns double precision
language sql immutable strict parallel safe
return (select clew_vector.vector_single(l1) from clew_vector.sparsevec_sums(a, b));
create function @extschema@.inner_product(a @extschema@.sparsevec, b @extschema@.sparsevec) returns double precision
language sql immutable strict parallel safe
return (select clew_vector.vector_single(product) from clew_vector.sparsevec_sums(a, b));
create function @extschema@.sparsevec_negative_inner_product(a @extschema@.sparsevec, b @extschema@.sparsevec)
returns double precision
language sql immutable strict parallel safe
return (select -clew_vector.vector_single(product) from clew_vector.sparsevec_sums(a, b));
create function @extschema@.cosine_distance(a @extschema@.sparsevec, b @extschema@.sparsevec) returns double precision
language sql immutable strict parallel safe
return (select clew_vector.vector_cosine(product, squares_a, squares_b) from clew_vector.sparsevec_sums(a, b));
create function @extschema@.l2_norm(value @extschema@.sparsevec) returns double precision
language sql immutable strict parallel safe
return (
  select coalesce(sqrt(sum(x::double precision ^ 2)), 0)
  from unnest((clew_vector.sparsevec_parts(value::text)).elements) as x
);
create function @extschema@.l2_normalize(value @extschema@.sparsevec) returns @extschema@.sparsevec
language sql immutable strict parallel safe
return (
  select clew_vector.sparsevec_from(
    places,
    clew_vector.vector_singles(array(select x / @extschema@.l2_norm(value) from unnest(elements) as x)),
    dims,
    -1
  )
  from clew_vector.sparsevec_parts(value::text)
);

-- The order of vectors that have all elements: a missing one is zero, and more dimensions come after fewer.
create function @extschema@.sparsevec_cmp(a @extschema@.sparsevec, b @extschema@.sparsevec) returns integer
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  left_parts record := clew_vector.sparsevec_parts(a::text);
  right_parts record := clew_vector.sparsevec_parts(b::text);
begin
  return coalesce(
    (
      select sign(coalesce(l.x, 0) - coalesce(r.y, 0))
      from unnest(left_parts.places, left_parts.elements) as l (place, x)
      full join unnest(right_parts.places, right_parts.elements) as r (place, y) using (place)
      where place <= least(left_parts.dims, right_parts.dims) and coalesce(l.x, 0) <> coalesce(r.y, 0)
      order by place
      limit 1
    ),
    sign(left_parts.dims - right_parts.dims)
  )::integer;
end
$$;
create function @extschema@.sparsevec_lt(a @extschema@.sparsevec, b @extschema@.sparsevec) returns boolean
language sql immutable strict parallel safe return @extschema@.sparsevec_cmp(a, b) < 0;
create function @extschema@.sparsevec_le(a @extschema@.sparsevec, b @extschema@.sparsevec) returns boolean
language sql immutable strict parallel safe return @extschema@.sparsevec_cmp(a, b) <= 0;
create function @extschema@.sparsevec_eq(a @extschema@.sparsevec, b @extschema@.sparsevec) returns boolean
language sql immutable strict parallel safe return @extschema@.sparsevec_cmp(a, b) = 0;
create function @extschema@.sparsevec_ne(a @extschema@.sparsevec, b @extschema@.sparsevec) returns boolean
language sql immutable strict parallel safe return @extschema@.sparsevec_cmp(a, b) <> 0;
create function @extschema@.sparsevec_ge(a @extschema@.sparsevec, b @extschema@.sparsevec) returns boolean
language sql immutable strict parallel safe return @extschema@.sparsevec_cmp(a, b) >= 0;
create function @extschema@.sparsevec_gt(a @extschema@.sparsevec, b @extschema@.sparsevec) returns boolean
language sql immutable strict parallel safe return @extschema@.sparsevec_cmp(a, b) > 0;

create function clew_vector.bit_same_length(a bit, b bit) returns boolean
language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if length(a) <> length(b) then
    raise exception using message = format('different bit lengths %s and %s', length(a), length(b)), errcode = '22000';
  end if;
  return true;
end
$$;
create function @extschema@.hamming_distance(a bit, b bit) returns double precision
language sql immutable strict parallel safe
return case when clew_vector.bit_same_length(a, b) then bit_count(a # b)::double precision end;
create function @extschema@.jaccard_distance(a bit, b bit) returns double precision
language sql immutable strict parallel safe
return case when clew_vector.bit_same_length(a, b)
  then coalesce(1 - bit_count(a & b) / nullif(bit_count(a | b), 0)::double precision, 1)
end;
create operator @extschema@.<~> (
  leftarg = bit, rightarg = bit, function = @extschema@.hamming_distance, commutator = <~>
);
create operator @extschema@.<%> (
  leftarg = bit, rightarg = bit, function = @extschema@.jaccard_distance, commutator = <%>
);

-- Indexes of neighbours need a library. What `using hnsw` and `using ivfflat` make is an index of block ranges that no
-- plan can use, as its operator classes have no operators; it keeps a few bytes and costs a write next to nothing.
create access method hnsw type index handler brinhandler;
create access method ivfflat type index handler brinhandler;

do $extension$
declare
  name text;
  method text;
  distance text;
begin
  foreach name in array array['vector', 'halfvec', 'sparsevec'] loop
    execute replace($source$
create operator @extschema@.<-> (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.l2_distance, commutator = <->
);
create operator @extschema@.<#> (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_negative_inner_product,
  commutator = <#>
);
create operator @extschema@.<=> (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.cosine_distance, commutator = <=>
);
create operator @extschema@.<+> (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.l1_distance, commutator = <+>
);
create operator @extschema@.< (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_lt,
  commutator = >, negator = >=, restrict = scalarltsel, join = scalarltjoinsel
);
create operator @extschema@.<= (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_le,
  commutator = >=, negator = >, restrict = scalarlesel, join = scalarlejoinsel
);
create operator @extschema@.= (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_eq,
  commutator = =, negator = <>, restrict = eqsel, join = eqjoinsel
);
create operator @extschema@.<> (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_ne,
  commutator = <>, negator = =, restrict = neqsel, join = neqjoinsel
);
create operator @extschema@.>= (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_ge,
  commutator = <=, negator = <, restrict = scalargesel, join = scalargejoinsel
);
create operator @extschema@.> (
  leftarg = @extschema@.TYPE, rightarg = @extschema@.TYPE, function = @extschema@.TYPE_gt,
  commutator = <, negator = <=, restrict = scalargtsel, join = scalargtjoinsel
);
create operator class @extschema@.TYPE_ops default for type @extschema@.TYPE using btree as
  operator 1 @extschema@.<, operator 2 @extschema@.<=, operator 3 @extschema@.=,
  operator 4 @extschema@.>=, operator 5 @extschema@.>,
  function 1 @extschema@.TYPE_cmp(@extschema@.TYPE, @extschema@.TYPE);
$source$, 'TYPE', name);
  end loop;
  -- A range remembers how large its values are, which is known without fetching them.
  for name, method, distance in values
    ('vector', 'hnsw', 'l2'), ('vector', 'hnsw', 'ip'), ('vector', 'hnsw', 'cosine'), ('vector', 'hnsw', 'l1'),
    ('vector', 'ivfflat', 'l2'), ('vector', 'ivfflat', 'ip'), ('vector', 'ivfflat', 'cosine'),
    ('halfvec', 'hnsw', 'l2'), ('halfvec', 'hnsw', 'ip'), ('halfvec', 'hnsw', 'cosine'), ('halfvec', 'hnsw', 'l1'),
    ('halfvec', 'ivfflat', 'l2'), ('halfvec', 'ivfflat', 'ip'), ('halfvec', 'ivfflat', 'cosine'),
    ('sparsevec', 'hnsw', 'l2'), ('sparsevec', 'hnsw', 'ip'), ('sparsevec', 'hnsw', 'cosine'),
    ('sparsevec', 'hnsw', 'l1'), ('bit', 'hnsw', 'hamming'), ('bit', 'hnsw', 'jaccard'), ('bit', 'ivfflat', 'hamming')
  loop
    execute format(
      $source$
create or replace function clew_vector.vector_index_key(%1$s) returns integer
  language internal immutable strict parallel safe as 'byteaoctetlen';
create operator class @extschema@.%2$s_%4$s_ops %5$s for type %1$s using %3$s as
  function 1 brin_bloom_opcinfo(internal),
  function 2 brin_bloom_add_value(internal, internal, internal, internal),
  function 3 brin_bloom_consistent(internal, internal, internal, integer),
  function 4 brin_bloom_union(internal, internal, internal),
  function 5 brin_bloom_options(internal),
  function 11 (%1$s, %1$s) clew_vector.vector_index_key(%1$s);
$source$,
      case name when 'bit' then '"bit"' else '@extschema@.' || name end, name, method, distance,
      case when (name, method, distance) = ('vector', 'ivfflat', 'l2') then 'default' end
    );
  end loop;
end
$extension$;

create function clew_vector.vector_index_notice() returns event_trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  made record;
begin
  for made in
    select o.object_identity, m.amname
    from pg_event_trigger_ddl_commands() as o
    join pg_class as c on c.oid = o.objid
    join pg_am as m on m.oid = c.relam
    where o.classid = 'pg_class'::regclass and m.amname in ('hnsw', 'ivfflat')
  loop
    raise notice 'index % is not used: distances are computed exactly, without %', made.object_identity, made.amname
      using hint = 'Searches read all rows that the other conditions leave.';
  end loop;
end
$$;
create event trigger vector_index_notice on ddl_command_end when tag in ('CREATE INDEX')
  execute function clew_vector.vector_index_notice();
