-- Rows of a partitioned table have their history under the table that the application knows, wherever they lie: its
-- publication names it in place of its partitions. PostgreSQL refuses an update where a partition's row cannot be named,
-- so the whole is published only while all of its partitions can be; else they are, each for itself.

alter publication clew set (publish_via_partition_root = true);

-- Whether PostgreSQL can name the rows that change in a table.
create function clew.is_identified(relation oid) returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case c.relreplident
    when 'f' then true
    when 'd' then exists (
      select from pg_index i where i.indrelid = c.oid and i.indisprimary and i.indimmediate and i.indisvalid
    )
    when 'i' then exists (select from pg_index i where i.indrelid = c.oid and i.indisreplident and i.indisvalid)
    else false
  end
  from pg_class c
  where c.oid = relation
$$;

create function clew.is_published(relation oid) returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
    where r.prrelid = relation and p.pubname = 'clew'
  )
$$;

-- One table, or the whole of a partitioned one. A partition is wanted where its whole is, too.
create function clew.follow_one(relation oid, anew boolean) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  found_table record;
  identified boolean;
begin
  select
    c.oid::regclass::text as name,
    c.relreplident as identity,
    c.relpersistence = 'p' and (c.relkind = 'r' or (c.relkind = 'p' and not c.relispartition))
      and exists (
        select from clew.history_schemas s
        join pg_namespace n on n.nspname = s.name
        where n.oid in (c.relnamespace, whole.relnamespace)
      )
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      as wanted,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attgenerated = 'v' and not a.attisdropped)
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
      execute format('alter table only %s replica identity full', found_table.name);
    elsif found_table.identity = 'f' and found_table.not_full then
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

create or replace function clew.follow_table(relation oid, anew boolean) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  whole oid := pg_partition_root(relation);
  partition oid;
begin
  if whole is null then
    perform clew.follow_one(relation, anew);
    return;
  end if;
  -- Partitions first, for the whole depends on them: the one that is meant, and those that came without being told.
  for partition in
    select t.relid from pg_partition_tree(whole) t
    where t.isleaf and (t.relid = relation or not clew.is_published(t.relid))
  loop
    perform clew.follow_one(partition, anew or partition <> relation);
  end loop;
  perform clew.follow_one(whole, (anew and whole = relation) or not clew.is_published(whole));
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
  for candidate in
    select c.oid, c.oid::regclass as name, not clew.is_published(c.oid) as anew
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where (c.relkind = 'r' or (c.relkind = 'p' and not c.relispartition))
      and (n.nspname = any (schemas) or clew.is_published(c.oid))
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
