-- What caused a webhook or a request from SQL: the request, or the run of a job, whose transaction asked for it. And the
-- log of the requests that were sent, since pg_net keeps neither their addresses nor their time.

do $migration$
begin
  if to_regclass('clew_net.deliveries') is null then
    return;
  end if;

  -- New rows have the default; earlier ones stay null.
  alter table clew_net.deliveries add column cause_id text;
  alter table clew_net.deliveries
    alter column cause_id set default nullif(pg_catalog.current_setting('clew.cause', true), '');
  create index deliveries_cause on clew_net.deliveries (cause_id) where cause_id is not null;
  create index deliveries_hook on clew_net.deliveries (table_schema, table_name, hook_name, id);

  create table clew_net.sent_requests (
    id bigint generated always as identity primary key,
    -- As in net._http_response. pg_net numbers from 1 again when it is made anew.
    request_id bigint not null,
    cause_id text,
    method text not null,
    url text not null,
    queued_at timestamptz not null,
    sent_at timestamptz not null,
    finished_at timestamptz not null default now(),
    status_code int,
    error text
  );
  create index sent_requests_cause on clew_net.sent_requests (cause_id) where cause_id is not null;
  create index sent_requests_finished_at on clew_net.sent_requests (finished_at);
  grant select on clew_net.sent_requests to postgres;

  -- A pg_net that was created before has no such column.
  if exists (
    select from pg_class
    where oid = to_regclass('net.http_request_queue') and pg_get_userbyid(relowner) = current_user
  ) then
    alter table net.http_request_queue add column if not exists cause_id text;
    alter table net.http_request_queue
      alter column cause_id set default nullif(pg_catalog.current_setting('clew.cause', true), '');
  end if;
end
$migration$;
