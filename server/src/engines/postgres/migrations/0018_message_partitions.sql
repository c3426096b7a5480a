-- Messages of a day have a partition of their own (realtime §8): old ones go with it, which costs nothing. It is made days
-- ahead; where nobody makes any, because realtime is off, messages are in the default one, from which each insert deletes some.

create function clew.keep_message_partitions(today date, days int) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set lock_timeout = '2s'
as $function$
declare
  keeper name;
  day date;
  part text;
  old record;
begin
  -- A server that had the table already has a service of its own that looks after it.
  if to_regclass('realtime.messages_default') is null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('clew message partitions', 0));
  select c.relowner::regrole::name into keeper from pg_class c where c.oid = 'realtime.messages'::regclass;
  for old in
    select c.oid, c.relname
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'realtime.messages'::regclass and c.relname ~ '^messages_\d{4}_\d\d_\d\d$'
      and to_date(substr(c.relname, 10), 'YYYY_MM_DD') < today - days
  loop
    delete from clew.guarded_objects k
    where k.object = old.oid or k.object in (select x.indexrelid from pg_index x where x.indrelid = old.oid);
    execute format('drop table realtime.%I', old.relname);
  end loop;
  delete from only realtime.messages_default m where m.inserted_at < today - days;
  for step in -1 .. 3 loop
    day := today + step;
    part := 'messages_' || to_char(day, 'YYYY_MM_DD');
    continue when to_regclass(format('realtime.%I', part)) is not null;
    execute format('create table realtime.%I (like realtime.messages including all)', part);
    execute format('alter table realtime.%I owner to %I', part, keeper);
    execute format('alter table realtime.%I enable row level security', part);
    -- Moved before the partition is one: the change stream sees no message a second time.
    lock table realtime.messages_default in share row exclusive mode;
    execute format(
      'with moved as (
         delete from only realtime.messages_default m where m.inserted_at >= %1$L and m.inserted_at < %2$L returning m.*
       ) insert into realtime.%3$I select * from moved',
      day, day + 1, part
    );
    execute format(
      'alter table realtime.messages attach partition realtime.%I for values from (%L) to (%L)', part, day, day + 1
    );
  end loop;
end
$function$;

do $migration$
begin
  if to_regclass('realtime.messages_default') is null then
    return;
  end if;
  perform set_config('role', 'supabase_realtime_admin', true);
  alter table realtime.messages_default enable row level security;

  create or replace function realtime.delete_old_messages() returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $function$
  begin
    delete from only realtime.messages_default m
    where (m.id, m.inserted_at) in (
      select o.id, o.inserted_at
      from only realtime.messages_default o
      where o.inserted_at < localtimestamp - interval '3 days'
      order by o.inserted_at
      limit 100
      for update skip locked
    );
    return null;
  end
  $function$;
  reset role;
end
$migration$;

revoke all on all functions in schema clew from public;
