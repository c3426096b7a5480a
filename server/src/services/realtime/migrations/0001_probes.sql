-- Reading a private channel is decided by policies on rows of `realtime.messages` that are not there: the rows to ask about
-- are written by the table's owner, read by the caller, and rolled back (realtime §7).

create schema clew_realtime;
grant usage on schema clew_realtime to public;

create function clew_realtime.insert_probes(channel text) returns void
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into realtime.messages (topic, extension, private, inserted_at)
  values (channel, 'broadcast', true, localtimestamp), (channel, 'presence', true, localtimestamp)
$$;

do $$
declare
  keeper regrole := (select c.relowner::regrole from pg_class c where c.oid = 'realtime.messages'::regclass);
begin
  execute format('grant usage, create on schema clew_realtime to %s', keeper);
  execute format('alter function clew_realtime.insert_probes owner to %s', keeper);
end
$$;
