-- What a hosted project has once its queues are exposed to the API: six functions, which run with the rights of their
-- caller. A role reads and writes a queue that it has privileges on; service_role has them on every queue.

grant usage on schema pgmq_public, pgmq to anon, authenticated, service_role;
grant all on all tables in schema pgmq to service_role;
grant select on all sequences in schema pgmq to service_role;
alter default privileges in schema pgmq grant all on tables to service_role;
alter default privileges in schema pgmq grant select on sequences to service_role;

create function pgmq_public.send(queue_name text, message jsonb, sleep_seconds integer default 0) returns setof bigint
language sql
set search_path = ''
as $$
  select * from pgmq.send(queue_name, message, sleep_seconds)
$$;

create function pgmq_public.send_batch(queue_name text, messages jsonb[], sleep_seconds integer default 0)
returns setof bigint
language sql
set search_path = ''
as $$
  select * from pgmq.send_batch(queue_name, messages, sleep_seconds)
$$;

create function pgmq_public.read(queue_name text, sleep_seconds integer, n integer) returns setof pgmq.message_record
language sql
set search_path = ''
as $$
  select * from pgmq.read(queue_name, sleep_seconds, n)
$$;

create function pgmq_public.pop(queue_name text) returns setof pgmq.message_record
language sql
set search_path = ''
as $$
  select * from pgmq.pop(queue_name)
$$;

create function pgmq_public.archive(queue_name text, message_id bigint) returns boolean
language sql
set search_path = ''
as $$
  select pgmq.archive(queue_name, message_id)
$$;

create function pgmq_public.delete(queue_name text, message_id bigint) returns boolean
language sql
set search_path = ''
as $$
  select pgmq.delete(queue_name, message_id)
$$;
