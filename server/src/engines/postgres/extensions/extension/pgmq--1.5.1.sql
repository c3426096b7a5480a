-- Message queues. A queue is the table `q_<name>`, its archive `a_<name>`. Everything belongs to the role that creates the
-- extension, and each function runs with the rights, and the search path, of its caller: triggers on a queue find what they
-- find after an insert of the caller's own.

create table pgmq.meta (
  queue_name varchar unique not null,
  is_partitioned boolean not null,
  is_unlogged boolean not null,
  created_at timestamptz not null default now()
);

create type pgmq.message_record as (
  msg_id bigint,
  read_ct integer,
  enqueued_at timestamptz,
  vt timestamptz,
  message jsonb,
  headers jsonb
);

create type pgmq.queue_record as (
  queue_name varchar,
  is_partitioned boolean,
  is_unlogged boolean,
  created_at timestamptz
);

create type pgmq.metrics_result as (
  queue_name text,
  queue_length bigint,
  newest_msg_age_sec integer,
  oldest_msg_age_sec integer,
  total_messages bigint,
  scrape_time timestamptz,
  queue_visible_length bigint
);

grant usage on schema pgmq to pg_monitor;
grant select on all tables in schema pgmq to pg_monitor;
alter default privileges in schema pgmq grant select on tables to pg_monitor;
alter default privileges in schema pgmq grant select on sequences to pg_monitor;

-- Queues

create function pgmq.format_table_name(queue_name text, prefix text) returns text
language plpgsql
as $$
begin
  if queue_name ~ '\$|;|--|''' then
    raise exception 'queue name contains invalid characters: $, ;, --, or ''' using errcode = 'invalid_name';
  end if;
  return lower(prefix || '_' || queue_name);
end
$$;

-- The longest name of a queue's objects, its sequence's, has 63 bytes at most.
create function pgmq.validate_queue_name(queue_name text) returns void
language plpgsql
as $$
begin
  if octet_length(queue_name) > 47 then
    raise exception 'queue name is too long, maximum length is 47 characters' using errcode = 'name_too_long';
  end if;
end
$$;

-- Held until the transaction ends: a queue is created, and dropped, by one at a time.
create function pgmq.acquire_queue_lock(queue_name text) returns void
language sql
as $$
  select pg_advisory_xact_lock(hashtextextended('pgmq.' || lower(queue_name), 0))
$$;

create function pgmq._belongs_to_pgmq(table_name text) returns boolean
language sql
stable
as $$
  select exists (
    select from pg_depend d
    join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass
    where e.extname = 'pgmq' and d.classid = 'pg_class'::regclass and d.objid = to_regclass(format('pgmq.%I', table_name))
  )
$$;

-- Tables that belong to the extension are dropped with it.
create function pgmq._add_to_extension(table_name text) returns void
language plpgsql
as $$
begin
  if not pgmq._belongs_to_pgmq(table_name) then
    execute format('alter extension pgmq add table pgmq.%I', table_name);
  end if;
end
$$;

create function pgmq._remove_from_extension(table_name text) returns void
language plpgsql
as $$
begin
  if pgmq._belongs_to_pgmq(table_name) then
    execute format('alter extension pgmq drop table pgmq.%I', table_name);
  end if;
end
$$;

create function pgmq._create(queue_name text, is_unlogged boolean) returns void
language plpgsql
as $$
declare
  queue text := pgmq.format_table_name(queue_name, 'q');
  archive text := pgmq.format_table_name(queue_name, 'a');
begin
  perform pgmq.validate_queue_name(queue_name);
  perform pgmq.acquire_queue_lock(queue_name);
  execute format(
    $ddl$
    create %s table if not exists pgmq.%I (
      msg_id bigint primary key generated always as identity,
      read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    )
    $ddl$,
    case when is_unlogged then 'unlogged' else '' end, queue
  );
  execute format(
    $ddl$
    create table if not exists pgmq.%I (
      msg_id bigint primary key,
      read_ct integer not null default 0,
      enqueued_at timestamptz not null default now(),
      archived_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    )
    $ddl$,
    archive
  );
  execute format('create index if not exists %I on pgmq.%I (vt)', queue || '_vt_idx', queue);
  execute format('create index if not exists %I on pgmq.%I (archived_at)', 'archived_at_idx_' || queue_name, archive);
  perform pgmq._add_to_extension(queue);
  perform pgmq._add_to_extension(archive);
  insert into pgmq.meta values (queue_name, false, is_unlogged) on conflict do nothing;
end
$$;

create function pgmq.create_non_partitioned(queue_name text) returns void
language sql
as $$
  select pgmq._create(queue_name, false)
$$;

create function pgmq.create(queue_name text) returns void
language sql
as $$
  select pgmq._create(queue_name, false)
$$;

create function pgmq.create_unlogged(queue_name text) returns void
language sql
as $$
  select pgmq._create(queue_name, true)
$$;

create function pgmq.create_partitioned(
  queue_name text,
  partition_interval text default '10000',
  retention_interval text default '100000'
) returns void
language plpgsql
as $$
begin
  raise exception 'pg_partman is required for partitioned queues'
    using errcode = 'feature_not_supported', hint = 'This server does not have it: use pgmq.create(queue_name).';
end
$$;

create function pgmq.drop_queue(queue_name text) returns boolean
language plpgsql
as $$
declare
  queue text := pgmq.format_table_name(queue_name, 'q');
  archive text := pgmq.format_table_name(queue_name, 'a');
begin
  perform pgmq.acquire_queue_lock(queue_name);
  if to_regclass(format('pgmq.%I', queue)) is null then
    raise notice 'pgmq queue "%" does not exist', queue_name;
    return false;
  end if;
  perform pgmq._remove_from_extension(queue);
  execute format('drop table pgmq.%I', queue);
  -- A detached archive is kept.
  if pgmq._belongs_to_pgmq(archive) then
    perform pgmq._remove_from_extension(archive);
    execute format('drop table pgmq.%I', archive);
  end if;
  delete from pgmq.meta m where lower(m.queue_name) = lower(drop_queue.queue_name);
  return true;
end
$$;

create function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean
language sql
as $$
  select pgmq.drop_queue(queue_name)
$$;

create function pgmq.detach_archive(queue_name text) returns void
language sql
as $$
  select pgmq._remove_from_extension(pgmq.format_table_name(queue_name, 'a'))
$$;

create function pgmq.purge_queue(queue_name text) returns bigint
language plpgsql
as $$
declare
  queue text := pgmq.format_table_name(queue_name, 'q');
  removed bigint;
begin
  execute format('lock table pgmq.%I in access exclusive mode', queue);
  execute format('select count(*) from pgmq.%I', queue) into removed;
  execute format('truncate pgmq.%I', queue);
  return removed;
end
$$;

create function pgmq.list_queues() returns setof pgmq.queue_record
language sql
stable
as $$
  select m.queue_name, m.is_partitioned, m.is_unlogged, m.created_at from pgmq.meta m
$$;

create function pgmq.metrics(queue_name text) returns pgmq.metrics_result
language plpgsql
as $$
declare
  queue text := pgmq.format_table_name(queue_name, 'q');
  result pgmq.metrics_result;
begin
  execute format(
    $query$
    select
      $1,
      count(*),
      extract(epoch from now() - max(q.enqueued_at))::integer,
      extract(epoch from now() - min(q.enqueued_at))::integer,
      (select case when s.is_called then s.last_value else 0 end from pgmq.%I s),
      now(),
      count(*) filter (where q.vt <= now())
    from pgmq.%I q
    $query$,
    queue || '_msg_id_seq', queue
  ) into result using queue_name;
  return result;
end
$$;

create function pgmq.metrics_all() returns setof pgmq.metrics_result
language sql
as $$
  select r.* from pgmq.meta m cross join lateral pgmq.metrics(m.queue_name) r
$$;

-- Messages in

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz) returns setof bigint
language plpgsql
as $$
begin
  return query execute format(
    $query$
    insert into pgmq.%I (vt, message, headers)
    select $3, m.message, m.headers
    from unnest($1, $2) with ordinality as m (message, headers, place)
    where m.place <= cardinality($1)
    order by m.place
    returning msg_id
    $query$,
    pgmq.format_table_name(queue_name, 'q')
  ) using msgs, headers, delay;
end
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch(queue_name, msgs, null, clock_timestamp())
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp())
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch(queue_name, msgs, null, clock_timestamp() + make_interval(secs => delay))
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch(queue_name, msgs, null, delay)
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay))
$$;

-- What is called most stands in one function: another one around it would cost as much again.
create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint
language plpgsql
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message, headers) values ($3, $1, $2) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, headers, delay;
end
$$;

create function pgmq.send(queue_name text, msg jsonb) returns setof bigint
language plpgsql
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message) values (clock_timestamp(), $1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg;
end
$$;

create function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint
language sql
as $$
  select * from pgmq.send(queue_name, msg, headers, clock_timestamp())
$$;

create function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint
language plpgsql
as $$
begin
  return query execute format(
    'insert into pgmq.%I (vt, message) values (clock_timestamp() + make_interval(secs => $2), $1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, delay;
end
$$;

create function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint
language sql
as $$
  select * from pgmq.send(queue_name, msg, null, delay)
$$;

create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) returns setof bigint
language sql
as $$
  select * from pgmq.send(queue_name, msg, headers, clock_timestamp() + make_interval(secs => delay))
$$;

-- Messages out

-- A locked row is another reader's: it is passed over, and after its commit its `vt` is looked at again.
-- The moment is a parameter, not a call: the planner then knows how many messages are visible, and takes the index of `vt`
-- where most are hidden, that of `msg_id` where most can be read.
create function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb) returns setof pgmq.message_record
language plpgsql
as $$
begin
  return query execute format(
    $query$
    with visible as (
      select q.msg_id
      from pgmq.%1$I q
      where q.vt <= $4 and ($3 = '{}' or q.message @> $3)
      order by q.msg_id
      limit $1
      for update skip locked
    ),
    taken as (
      update pgmq.%1$I q
      set vt = clock_timestamp() + make_interval(secs => $2), read_ct = q.read_ct + 1
      from visible v
      where q.msg_id = v.msg_id
      returning q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers
    )
    select t.* from taken t order by t.msg_id
    $query$,
    pgmq.format_table_name(queue_name, 'q')
  ) using qty, vt, coalesce(conditional, '{}'), clock_timestamp();
end
$$;

create function pgmq.read(queue_name text, vt integer, qty integer) returns setof pgmq.message_record
language plpgsql
as $$
begin
  return query execute format(
    $query$
    with visible as (
      select q.msg_id
      from pgmq.%1$I q
      where q.vt <= $3
      order by q.msg_id
      limit $1
      for update skip locked
    ),
    taken as (
      update pgmq.%1$I q
      set vt = clock_timestamp() + make_interval(secs => $2), read_ct = q.read_ct + 1
      from visible v
      where q.msg_id = v.msg_id
      returning q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers
    )
    select t.* from taken t order by t.msg_id
    $query$,
    pgmq.format_table_name(queue_name, 'q')
  ) using qty, vt, clock_timestamp();
end
$$;

create function pgmq.read_with_poll(
  queue_name text,
  vt integer,
  qty integer,
  max_poll_seconds integer default 5,
  poll_interval_ms integer default 100,
  conditional jsonb default '{}'
) returns setof pgmq.message_record
language plpgsql
as $$
declare
  stop_at timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
  loop
    return query select * from pgmq.read(queue_name, vt, qty, conditional);
    exit when found or clock_timestamp() >= stop_at;
    perform pg_sleep(poll_interval_ms / 1000.0);
  end loop;
end
$$;

create function pgmq.pop(queue_name text) returns setof pgmq.message_record
language plpgsql
as $$
begin
  return query execute format(
    $query$
    delete from pgmq.%1$I q
    where q.msg_id = (
      select v.msg_id
      from pgmq.%1$I v
      where v.vt <= $1
      order by v.msg_id
      limit 1
      for update skip locked
    )
    returning q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers
    $query$,
    pgmq.format_table_name(queue_name, 'q')
  ) using clock_timestamp();
end
$$;

create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record
language plpgsql
as $$
begin
  return query execute format(
    $query$
    update pgmq.%I q
    set vt = clock_timestamp() + make_interval(secs => $2)
    where q.msg_id = $1
    returning q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers
    $query$,
    pgmq.format_table_name(queue_name, 'q')
  ) using msg_id, vt;
end
$$;

create function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql
as $$
begin
  return query execute format(
    'delete from pgmq.%I q where q.msg_id = any ($1) returning q.msg_id', pgmq.format_table_name(queue_name, 'q')
  ) using msg_ids;
end
$$;

create function pgmq.delete(queue_name text, msg_id bigint) returns boolean
language plpgsql
as $$
declare
  removed bigint;
begin
  execute format('delete from pgmq.%I q where q.msg_id = $1', pgmq.format_table_name(queue_name, 'q')) using msg_id;
  get diagnostics removed = row_count;
  return removed > 0;
end
$$;

create function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql
as $$
begin
  return query execute format(
    $query$
    with removed as (
      delete from pgmq.%I q
      where q.msg_id = any ($1)
      returning q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers
    )
    insert into pgmq.%I (msg_id, read_ct, enqueued_at, vt, message, headers)
    select r.msg_id, r.read_ct, r.enqueued_at, r.vt, r.message, r.headers from removed r
    returning msg_id
    $query$,
    pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a')
  ) using msg_ids;
end
$$;

create function pgmq.archive(queue_name text, msg_id bigint) returns boolean
language sql
as $$
  select count(*) > 0 from pgmq.archive(queue_name, array[msg_id])
$$;
