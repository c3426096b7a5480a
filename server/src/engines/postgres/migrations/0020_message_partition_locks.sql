-- Partitions of messages are made while the application changes its schema: neither waits for the other in a circle, and the
-- application's statement waits at most for one step. Where a lock is not to be had soon, it is tried at the next occasion.

-- DDL of the application locks the publication and then reads its tables; what locks its tables takes it first as well.
create function clew.lock_publication() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  comment on publication clew is 'Tables whose changes Clew reads';
$$;

create or replace function clew.keep_message_partitions(today date, days int) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
set lock_timeout = '500ms'
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
    perform clew.lock_publication();
    delete from clew.guarded_objects k
    where k.object = old.oid or k.object in (select x.indexrelid from pg_index x where x.indrelid = old.oid);
    execute format('drop table realtime.%I', old.relname);
  end loop;
  delete from only realtime.messages_default m where m.inserted_at < today - days;
  for step in -1 .. 3 loop
    day := today + step;
    part := 'messages_' || to_char(day, 'YYYY_MM_DD');
    continue when to_regclass(format('realtime.%I', part)) is not null;
    perform clew.lock_publication();
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

revoke all on all functions in schema clew from public;
