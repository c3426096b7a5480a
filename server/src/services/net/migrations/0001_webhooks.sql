-- Database webhooks: `supabase_functions.http_request()` for triggers, and the log of their deliveries.
--
-- Only where pg_net is Clew's own, which its owner may create. A server that brings its own pg_net has workers and
-- webhooks of its own, and a schema of that name that exists already is the application's.

do $migration$
begin
  if to_regnamespace('supabase_functions') is not null or not exists (
    select from pg_available_extension_versions
    where name = 'pg_net' and version = '0.14.0' and trusted
  ) then
    return;
  end if;

  create schema clew_net;

  create table clew_net.deliveries (
    id bigint generated always as identity primary key,
    -- As in supabase_functions.hooks and net._http_response. pg_net numbers from 1 again when it is made anew.
    request_id bigint not null,
    -- The receiver's protection against a delivery that comes twice: header webhook-id.
    message_id text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
    hook_name text not null,
    table_schema text not null,
    table_name text not null,
    event text not null,
    method text not null,
    url text not null,
    headers jsonb not null,
    body bytea,
    timeout_milliseconds int not null,
    state text not null default 'waiting' check (state in ('waiting', 'sending', 'delivered', 'failed')),
    attempts int not null default 0,
    created_at timestamptz not null default now(),
    next_attempt_at timestamptz default now(),
    finished_at timestamptz
  );
  create index deliveries_waiting on clew_net.deliveries (next_attempt_at) where state = 'waiting';
  create index deliveries_sending on clew_net.deliveries (id) where state = 'sending';
  create index deliveries_finished_at on clew_net.deliveries (finished_at);

  create table clew_net.delivery_attempts (
    delivery_id bigint not null references clew_net.deliveries on delete cascade,
    attempt int not null,
    started_at timestamptz not null,
    duration_ms int,
    status_code int,
    error text,
    primary key (delivery_id, attempt)
  );

  create function clew_net.enqueue_delivery(
    hook_name text, table_schema text, table_name text, event text,
    method text, url text, headers jsonb, body jsonb, timeout_milliseconds int
  ) returns bigint
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $function$
  declare
    request_id bigint := nextval('net.http_request_queue_id_seq');
  begin
    insert into clew_net.deliveries (
      request_id, hook_name, table_schema, table_name, event, method, url, headers, body, timeout_milliseconds
    )
    values (
      request_id, hook_name, table_schema, table_name, event, method, url, headers,
      convert_to(body::text, 'UTF8'), timeout_milliseconds
    );
    perform pg_notify('clew_net', '');
    return request_id;
  end
  $function$;
  revoke all on function clew_net.enqueue_delivery from public;

  -- Roles belong to the cluster: a migration of another of its databases may be making this one.
  if not exists (select from pg_roles where rolname = 'supabase_functions_admin') then
    begin
      create role supabase_functions_admin nologin noinherit createrole;
      alter role supabase_functions_admin set search_path = supabase_functions;
      grant supabase_functions_admin to postgres;
    exception
      when duplicate_object or unique_violation then null;
    end;
  end if;
  grant usage on schema clew_net to postgres, supabase_functions_admin;
  grant select on clew_net.deliveries, clew_net.delivery_attempts to postgres;
  grant execute on function clew_net.enqueue_delivery to supabase_functions_admin;

  create schema supabase_functions;
  grant usage on schema supabase_functions to postgres, anon, authenticated, service_role;
  grant all on schema supabase_functions to supabase_functions_admin;

  create table supabase_functions.migrations (
    version text primary key,
    inserted_at timestamptz not null default now()
  );
  insert into supabase_functions.migrations (version) values ('initial'), ('20210809183423_update_grants');

  create table supabase_functions.hooks (
    id bigserial primary key,
    hook_table_id int not null,
    hook_name text not null,
    created_at timestamptz not null default now(),
    request_id bigint
  );
  create index supabase_functions_hooks_request_id_idx on supabase_functions.hooks (request_id);
  create index supabase_functions_hooks_h_table_id_h_name_idx on supabase_functions.hooks (hook_table_id, hook_name);
  comment on table supabase_functions.hooks is 'One row for each time that a database webhook was triggered.';

  create function supabase_functions.http_request() returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $function$
  declare
    -- A console that has no value for an argument writes the text null.
    url text := nullif(tg_argv[0], 'null');
    method text := nullif(tg_argv[1], 'null');
    headers jsonb := coalesce(nullif(tg_argv[2], 'null')::jsonb, '{"Content-Type": "application/json"}');
    params jsonb := coalesce(nullif(tg_argv[3], 'null')::jsonb, '{}');
    timeout_ms int := coalesce(nullif(tg_argv[4], 'null')::int, 1000);
    payload jsonb;
    request_id bigint;
  begin
    if url is null then
      raise exception 'url argument is missing';
    elsif method is null then
      raise exception 'method argument is missing';
    elsif method not in ('GET', 'POST') then
      raise exception 'method argument % is invalid', method;
    end if;
    if method = 'POST' then
      headers := net._with_json_type(headers);
      payload := jsonb_build_object(
        'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema, 'record', new, 'old_record', old
      );
    end if;
    request_id := clew_net.enqueue_delivery(
      tg_name, tg_table_schema, tg_table_name, tg_op, method, net._url_of(url, params), headers, payload, timeout_ms
    );
    insert into supabase_functions.hooks (hook_table_id, hook_name, request_id)
    values (tg_relid::bigint::int, tg_name, request_id);
    -- Before a deletion, null would cancel it.
    return coalesce(new, old);
  end
  $function$;
  revoke all on function supabase_functions.http_request() from public;
  grant execute on function supabase_functions.http_request() to postgres, anon, authenticated, service_role;

  alter table supabase_functions.migrations owner to supabase_functions_admin;
  alter table supabase_functions.hooks owner to supabase_functions_admin;
  alter function supabase_functions.http_request() owner to supabase_functions_admin;

  -- The owner of the application may drop it: `drop extension` is in migrations that tools write.
  perform set_config('role', 'postgres', true);
  create extension if not exists pg_net with schema extensions;
  perform set_config('role', 'none', true);
end
$migration$;
