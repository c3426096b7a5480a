-- What user SQL knows of `realtime` (project-folder §5): the table of messages with its policies, and the functions that write to
-- it. A server that has them already has a realtime service of its own: nothing is made there.
--
-- Messages that nobody delivers must not pile up: each insert deletes some that are three days old.

do $migration$
begin
  if to_regclass('realtime.messages') is not null then
    return;
  end if;

  grant create, usage on schema realtime to supabase_realtime_admin;
  perform set_config('role', 'supabase_realtime_admin', true);

  create table realtime.messages (
    topic text not null,
    extension text not null,
    payload jsonb,
    event text,
    private boolean default false,
    updated_at timestamp not null default now(),
    inserted_at timestamp not null default now(),
    id uuid not null default gen_random_uuid(),
    binary_payload bytea,
    constraint messages_pkey primary key (id, inserted_at),
    constraint messages_payload_exclusive check (payload is null or binary_payload is null)
  ) partition by range (inserted_at);
  create table realtime.messages_default partition of realtime.messages default;
  create index messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
    where extension = 'broadcast' and private is true;
  create index messages_inserted_at on realtime.messages (inserted_at);
  alter table realtime.messages enable row level security;
  grant all on realtime.messages to postgres, dashboard_user;
  grant select, insert, update on realtime.messages to anon, authenticated, service_role;

  create function realtime.delete_old_messages() returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $function$
  begin
    delete from realtime.messages m
    where (m.id, m.inserted_at) in (
      select o.id, o.inserted_at
      from realtime.messages o
      where o.inserted_at < localtimestamp - interval '3 days'
      order by o.inserted_at
      limit 100
      for update skip locked
    );
    return null;
  end
  $function$;
  revoke all on function realtime.delete_old_messages from public;
  create trigger delete_old_messages after insert on realtime.messages
  for each statement execute function realtime.delete_old_messages();

  create function realtime.topic() returns text
  language sql
  stable
  set search_path = pg_catalog, pg_temp
  as $function$
    select nullif(current_setting('realtime.topic', true), '')
  $function$;

  -- A message that cannot be written ends nothing of its caller's.
  create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $function$
  declare
    message_id uuid := gen_random_uuid();
  begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (id, payload, event, topic, private, extension)
    values (
      message_id,
      case when jsonb_typeof(payload) = 'object' and not payload ? 'id'
        then payload || jsonb_build_object('id', message_id)
        else payload
      end,
      event, topic, private, 'broadcast'
    );
  exception
    when others then
      raise warning 'the message is not sent: %', sqlerrm;
  end
  $function$;

  create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $function$
  begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
  exception
    when others then
      raise warning 'the message is not sent: %', sqlerrm;
  end
  $function$;

  create function realtime.broadcast_changes(
    topic_name text,
    event_name text,
    operation text,
    table_name text,
    table_schema text,
    new record,
    old record,
    level text default 'ROW'
  ) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $function$
  begin
    if level = 'STATEMENT' then
      raise exception 'realtime.broadcast_changes is for triggers of each row, not of each statement';
    end if;
    perform realtime.send(
      jsonb_build_object(
        'schema', table_schema, 'table', table_name, 'operation', operation, 'record', new, 'old_record', old
      ),
      event_name, topic_name
    );
  end
  $function$;

  reset role;
end
$migration$;
