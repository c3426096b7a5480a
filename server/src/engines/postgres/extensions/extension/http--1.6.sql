-- The names of blocking requests. A request that a statement waits for would hold its connection, its locks and a place among
-- the server's processes for as long as another server likes: the calls are refused, and name the one that works.

create domain @extschema@.http_method as text;

create type @extschema@.http_header as (field varchar, value varchar);

create type @extschema@.http_request as (
  method @extschema@.http_method,
  uri varchar,
  headers @extschema@.http_header[],
  content_type varchar,
  content varchar
);

create type @extschema@.http_response as (
  status integer,
  content_type varchar,
  headers @extschema@.http_header[],
  content varchar
);

create function @extschema@.http_header(field varchar, value varchar) returns @extschema@.http_header
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select row(field, value)::@extschema@.http_header
$$;

create function @extschema@.bytea_to_text(data bytea) returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select convert_from(data, 'utf8')
$$;

create function @extschema@.text_to_bytea(data text) returns bytea
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select convert_to(data, 'utf8')
$$;

-- Percent-encoding (RFC 3986 §2.1) of every byte but the unreserved ones.
create function @extschema@.urlencode(string bytea) returns text
language sql
immutable
strict
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(string_agg(
    case
      when chr(greatest(b.byte, 1)) ~ '^[A-Za-z0-9_.~-]$' and b.byte < 128 then chr(greatest(b.byte, 1))
      else '%' || upper(lpad(to_hex(b.byte), 2, '0'))
    end, '' order by b.place), '')
  from (select place, get_byte(string, place) as byte from generate_series(0, length(string) - 1) place) b
$$;

create function @extschema@.urlencode(string varchar) returns text
language sql
immutable
strict
set search_path = pg_catalog, pg_temp
as $$
  select @extschema@.urlencode(convert_to(string, 'utf8'))
$$;

-- The members of an object as `name=value&…`.
create function @extschema@.urlencode(data jsonb) returns text
language sql
immutable
strict
set search_path = pg_catalog, pg_temp
as $$
  select string_agg(@extschema@.urlencode(m.key::varchar) || '=' || @extschema@.urlencode(m.value::varchar), '&')
  from jsonb_each_text(data) m
$$;

create function @extschema@._refuse() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'blocking HTTP requests are not made here'
    using errcode = 'feature_not_supported',
      hint = 'Use pg_net: net.http_get and net.http_post send a request when the transaction has committed.';
end
$$;

create function @extschema@.http(request @extschema@.http_request) returns @extschema@.http_response
language sql
set search_path = pg_catalog, pg_temp
as $$
  select @extschema@._refuse(); select null::@extschema@.http_response
$$;

do $$
declare
  call text;
begin
  foreach call in array array[
    'http_get(uri varchar)',
    'http_get(uri varchar, data jsonb)',
    'http_post(uri varchar, content varchar, content_type varchar)',
    'http_post(uri varchar, data jsonb)',
    'http_put(uri varchar, content varchar, content_type varchar)',
    'http_patch(uri varchar, content varchar, content_type varchar)',
    'http_delete(uri varchar)',
    'http_delete(uri varchar, content varchar, content_type varchar)',
    'http_head(uri varchar)'
  ] loop
    execute format(
      'create function @extschema@.%s returns @extschema@.http_response language sql set search_path = pg_catalog, pg_temp as %L',
      call, 'select @extschema@._refuse(); select null::@extschema@.http_response'
    );
  end loop;
  foreach call in array array['http_set_curlopt(curlopt varchar, value varchar)', 'http_reset_curlopt()'] loop
    execute format(
      'create function @extschema@.%s returns boolean language sql set search_path = pg_catalog, pg_temp as %L',
      call, 'select @extschema@._refuse(); select null::boolean'
    );
  end loop;
end
$$;
