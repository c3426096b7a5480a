-- JSON Web Tokens with HS256, HS384 and HS512 (RFC 7515, RFC 7519).

create function @extschema@.url_encode(data bytea) returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select translate(encode(data, 'base64'), E'+/=\n', '-_')
$$;

create function @extschema@.url_decode(data text) returns bytea
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select decode(translate(data, '-_', '+/') || repeat('=', (4 - length(data) % 4) % 4), 'base64')
$$;

create function @extschema@.algorithm_sign(signables text, secret text, algorithm text) returns text
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  hash text := case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' when 'HS512' then 'sha512' end;
begin
  if hash is null then
    raise exception 'the algorithm of a token must be HS256, HS384 or HS512' using errcode = 'invalid_parameter_value';
  end if;
  return @extschema@.url_encode(
    @extschema:pgcrypto@.hmac(convert_to(signables, 'utf8'), convert_to(secret, 'utf8'), hash)
  );
end
$$;

create function @extschema@.sign(payload json, secret text, algorithm text default 'HS256') returns text
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  signables text := @extschema@.url_encode(convert_to(format('{"alg":"%s","typ":"JWT"}', algorithm), 'utf8'))
    || '.' || @extschema@.url_encode(convert_to(payload::text, 'utf8'));
begin
  return signables || '.' || @extschema@.algorithm_sign(signables, secret, algorithm);
end
$$;

-- Null for what is no number.
create function @extschema@.try_cast_double(inp text) returns double precision
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return inp::double precision;
exception
  when data_exception then
    return null;
end
$$;

-- The algorithm is the caller's, never the token's own. `valid` also asks for the times `nbf` and `exp`, where they are given.
create function @extschema@.verify(token text, secret text, algorithm text default 'HS256')
returns table (header json, payload json, valid boolean)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  parts text[] := string_to_array(token, '.');
  is_signed boolean;
begin
  header := convert_from(@extschema@.url_decode(parts[1]), 'utf8')::json;
  payload := convert_from(@extschema@.url_decode(parts[2]), 'utf8')::json;
  is_signed := coalesce(
    parts[3] = @extschema@.algorithm_sign(parts[1] || '.' || parts[2], secret, algorithm) and cardinality(parts) = 3,
    false
  );
  valid := is_signed
    and coalesce(now() >= to_timestamp(@extschema@.try_cast_double(payload ->> 'nbf')), true)
    and coalesce(now() < to_timestamp(@extschema@.try_cast_double(payload ->> 'exp')), true);
  return next;
end
$$;
