-- HTTP requests from SQL, with the functions, types and tables of pg_net. A call inserts a row and notifies; the requests
-- are sent by Clew's process (services/net) once the transaction is committed.
--
-- The functions insert as the tables' owner, a superuser: no other role may put a trigger on the tables, which would run
-- with the owner's rights.

create schema net;
grant usage on schema net to public;

create domain net.http_method as text
  check (pg_catalog.lower(value) in ('get', 'post', 'delete'));

create table net.http_request_queue (
  id bigserial primary key,
  method net.http_method not null,
  url text not null,
  headers jsonb not null,
  body bytea,
  timeout_milliseconds int not null,
  queued_at timestamptz not null default pg_catalog.now(),
  -- Set before the request is sent: what is still here after a crash is not sent again.
  claimed_at timestamptz,
  -- The request, or the run of a job, whose transaction asks for it.
  cause_id text default nullif(pg_catalog.current_setting('clew.cause', true), '')
);
create index http_request_queue_unclaimed on net.http_request_queue (id) where claimed_at is null;

create table net._http_response (
  id bigint,
  status_code int,
  content_type text,
  headers jsonb,
  content text,
  timed_out bool,
  error_msg text,
  created timestamptz not null default pg_catalog.now()
);
create index _http_response_id on net._http_response (id);
create index _http_response_created on net._http_response (created);

create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code int, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

-- A notification is delivered when the transaction commits, and once however many requests it made.
create function net._wake() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_notify('clew_net', '');
  return null;
end
$$;

create trigger wake after insert on net.http_request_queue
for each statement execute function net._wake();

-- Percent-encoding of RFC 3986: all but unreserved characters, by the bytes of their UTF-8.
create function net._urlencode_string(string varchar) returns text
language sql
immutable strict
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    string_agg(
      case
        when chr(byte) ~ '[A-Za-z0-9._~-]' and byte < 128 then chr(byte)
        else '%' || upper(lpad(to_hex(byte), 2, '0'))
      end,
      '' order by position
    ),
    ''
  )
  from (
    select position, get_byte(convert_to(string, 'UTF8'), position) as byte
    from generate_series(0, octet_length(convert_to(string, 'UTF8')) - 1) as position
  ) as bytes
  -- A text has no NUL, which chr() would refuse.
  where byte > 0
$$;

create function net._encode_url_with_params_array(url text, params_array text[]) returns text
language plpgsql
immutable strict
set search_path = pg_catalog, pg_temp
as $$
declare
  address text := split_part(url, '#', 1);
  query text := array_to_string(params_array, '&');
begin
  -- A path of the instance's own API.
  if url ~ '^/[a-z]+/v1/' then
    null;
  elsif url !~ '^[A-Za-z][A-Za-z0-9+.-]*:' then
    raise exception 'Malformed input to a URL function' using hint = 'Begin the URL with http:// or https://.';
  elsif url !~* '^https?://' then
    raise exception 'Unsupported URL scheme' using hint = 'Begin the URL with http:// or https://.';
  elsif url !~* '^https?://[^/?#]' then
    raise exception 'No host part in the URL' using hint = 'Name a host behind the two slashes.';
  end if;
  if query = '' then
    return url;
  end if;
  return address
    || case when strpos(address, '?') = 0 then '?' when right(address, 1) in ('?', '&') then '' else '&' end
    || query
    || substr(url, length(address) + 1);
end
$$;

create function net._url_of(url text, params jsonb) returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select net._encode_url_with_params_array(
    url,
    coalesce(
      (
        select array_agg(net._urlencode_string(p.key) || '=' || net._urlencode_string(coalesce(p.value, '')))
        from jsonb_each_text(params) as p
      ),
      '{}'
    )
  )
$$;

create function net._with_json_type(headers jsonb) returns jsonb
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  content_type text := (
    select h.value
    from jsonb_each_text(coalesce(headers, '{}')) as h
    where lower(h.key) = 'content-type'
    limit 1
  );
begin
  if content_type <> 'application/json' then
    raise exception 'Content-Type header must be "application/json"';
  end if;
  return case when content_type is null then headers || '{"Content-Type": "application/json"}' else headers end;
end
$$;

create function net.http_get(
  url text,
  params jsonb default '{}',
  headers jsonb default '{}',
  timeout_milliseconds int default 5000
) returns bigint
language sql
volatile strict security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into net.http_request_queue (method, url, headers, timeout_milliseconds)
  values ('GET', net._url_of(url, params), headers, timeout_milliseconds)
  returning id
$$;

create function net.http_post(
  url text,
  body jsonb default '{}',
  params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}',
  timeout_milliseconds int default 5000
) returns bigint
language sql
volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values (
    'POST', net._url_of(url, params), net._with_json_type(headers), convert_to(body::text, 'UTF8'),
    timeout_milliseconds
  )
  returning id
$$;

create function net.http_delete(
  url text,
  params jsonb default '{}',
  headers jsonb default '{}',
  timeout_milliseconds int default 5000
) returns bigint
language sql
volatile strict security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into net.http_request_queue (method, url, headers, timeout_milliseconds)
  values ('DELETE', net._url_of(url, params), headers, timeout_milliseconds)
  returning id
$$;

-- Waits until the request has a response. An id that was never given waits until the statement's own time-out.
create function net._await_response(request_id bigint) returns bool
language plpgsql
volatile strict security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  while not exists (select from net._http_response as r where r.id = request_id) loop
    perform pg_sleep(0.05);
  end loop;
  return true;
end
$$;

create function net._http_collect_response(request_id bigint, async bool default true)
returns net.http_response_result
language plpgsql
volatile strict security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  found_response net._http_response;
begin
  if not async then
    perform net._await_response(request_id);
  end if;
  select * into found_response from net._http_response as r where r.id = request_id limit 1;
  if found_response.id is null or found_response.error_msg is not null then
    return (
      'ERROR', coalesce(found_response.error_msg, 'request matching request_id not found'), null
    )::net.http_response_result;
  end if;
  return (
    'SUCCESS', 'ok',
    (found_response.status_code, found_response.headers, found_response.content)::net.http_response
  )::net.http_response_result;
end
$$;

create function net.http_collect_response(request_id bigint, async bool default true)
returns net.http_response_result
language plpgsql
volatile strict
set search_path = pg_catalog, pg_temp
as $$
begin
  raise notice 'The net.http_collect_response function is deprecated.';
  return net._http_collect_response(request_id, async);
end
$$;

-- Clew's process listens by a connection of this name.
create function net.check_worker_is_up() returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from pg_stat_activity
    where application_name = 'clew listen clew_net' and datname = current_database() and usename = current_user
  ) then
    raise exception 'the pg_net background worker is not up'
      using detail = 'Requests wait in net.http_request_queue until Clew''s process runs.',
        hint = 'Start Clew, or look at `clew status`.';
  end if;
end
$$;

create function net.worker_restart() returns bool
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_notify('clew_net', 'restart');
  return true;
end
$$;

grant usage on all sequences in schema net to public;
grant select, insert, update, delete, truncate on all tables in schema net to postgres with grant option;
grant select on net._http_response to service_role;
