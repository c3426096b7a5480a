-- What realtime needs of the change stream (realtime §4, realtime §6): messages that SQL sends, tables of the publication
-- `supabase_realtime` in schemas without a history, and which tables have full identity because Clew gave it to them: their
-- subscribers see old rows as the application's own setting says.

create table clew.full_identities (
  relation oid primary key
);
comment on table clew.full_identities is 'Tables that have full replica identity for their history, and not by their owner''s will';

-- Those of before: nothing tells which of them their owner wanted so.
insert into clew.full_identities
select c.oid from pg_catalog.pg_class c where c.relreplident = 'f' and clew.is_published(c.oid);

-- Whether changes of a table go to subscribers.
create function clew.is_live(relation oid) returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_publication_tables t on t.schemaname = n.nspname and t.tablename = c.relname
    where c.oid = relation and t.pubname = 'supabase_realtime'
      and n.nspname not in ('auth', 'storage', 'realtime', 'vault', 'cron', 'net', 'supabase_functions', 'pgmq')
      and n.nspname !~ '^(pg_|clew)'
  )
$$;

create or replace function clew.follow_one(relation oid, anew boolean) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  found_table record;
  messages constant oid := to_regclass('realtime.messages');
  identified boolean;
begin
  select
    c.oid::regclass::text as name,
    c.relreplident as identity,
    c.relpersistence = 'p' and (c.relkind = 'r' or (c.relkind = 'p' and not c.relispartition))
      and (
        exists (
          select from clew.history_schemas s
          join pg_namespace n on n.nspname = s.name
          where n.oid in (c.relnamespace, whole.relnamespace)
        )
        or clew.is_live(c.oid) or clew.is_live(whole.oid) or whole.oid = messages
      )
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      as wanted,
    -- A message is inserted, and never changed.
    whole.oid is not distinct from messages
      or exists (select from pg_attribute a where a.attrelid = c.oid and a.attgenerated = 'v' and not a.attisdropped)
      or exists (select from pg_publication_rel r where r.prrelid = c.oid and r.prattrs is not null)
      as not_full
  into found_table
  from pg_class c
  join pg_class whole on whole.oid = coalesce(pg_partition_root(c.oid), c.oid)
  where c.oid = relation;
  if not found or not (found_table.wanted or clew.is_published(relation)) then
    return;
  end if;

  if found_table.wanted then
    if found_table.identity = 'd' and anew and not found_table.not_full then
      insert into clew.full_identities values (relation) on conflict do nothing;
      execute format('alter table only %s replica identity full', found_table.name);
    elsif found_table.identity = 'f' and found_table.not_full then
      delete from clew.full_identities f where f.relation = follow_one.relation;
      execute format('alter table only %s replica identity default', found_table.name);
    end if;
  end if;

  identified := found_table.wanted and clew.is_identified(relation) and not exists (
    select
    from pg_partition_tree(relation) t
    join pg_class leaf on leaf.oid = t.relid
    where t.isleaf and t.relid <> relation and leaf.relkind = 'r' and leaf.relpersistence = 'p'
      and not clew.is_identified(leaf.oid)
  );
  -- Asked after the statements above, which may have come here by themselves, through the event trigger.
  if identified and not clew.is_published(relation) then
    execute format('alter publication clew add table only %s', found_table.name);
  elsif clew.is_published(relation) and not identified then
    execute format('alter publication clew drop table only %s', found_table.name);
  end if;
end
$$;

create or replace function clew.follow_tables(schemas text[]) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '4s'
as $$
declare
  candidate record;
begin
  delete from clew.history_schemas where name <> all (schemas);
  insert into clew.history_schemas select unnest(schemas) on conflict do nothing;
  delete from clew.full_identities f
  where not exists (select from pg_class c where c.oid = f.relation and c.relreplident = 'f');
  for candidate in
    select c.oid, c.oid::regclass as name, not clew.is_published(c.oid) as anew
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where (c.relkind = 'r' or (c.relkind = 'p' and not c.relispartition))
      and (
        n.nspname = any (schemas) or clew.is_published(c.oid) or c.oid = to_regclass('realtime.messages')
        or clew.is_live(c.oid)
      )
    -- A partitioned table's turn is its partitions' as well.
    order by c.relkind = 'p'
  loop
    begin
      perform clew.follow_table(candidate.oid, candidate.anew);
    exception
      when others then
        raise warning 'Changes of % are not followed: %', candidate.name, sqlerrm;
    end;
  end loop;
end
$$;

revoke all on all functions in schema clew from public;
