-- What the change stream reads: the publication `clew` of the tables whose rows have a history. A table is published
-- alone, and only while PostgreSQL can name the rows that change in it, as its updates would be refused otherwise.

do $$
declare
  -- With `replica identity full`, stored generated columns must be published as well (PostgreSQL 18 and later).
  generated text := case
    when current_setting('server_version_num')::int >= 180000 then 'with (publish_generated_columns = stored)'
    else ''
  end;
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'clew') then
    execute 'create publication clew ' || generated;
  end if;
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    execute 'create publication supabase_realtime ' || generated;
    if current_user <> 'postgres' then
      alter publication supabase_realtime owner to postgres;
    end if;
  end if;
end
$$;

-- Schemas whose tables have a history; written at each start.
create table clew.history_schemas (
  name text primary key
);

-- Makes one table as it should be: a new one of these schemas sends whole old rows; one that cannot be identified is
-- not published. Full identity is impossible beside virtual generated columns and beside column lists of other
-- publications, and whoever switched it off is not overruled: `anew` is true for tables just made or not yet seen.
create function clew.follow_table(relation oid, anew boolean) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  found_table record;
  identity "char";
  identified boolean;
  published boolean;
begin
  select
    c.oid::regclass::text as name,
    c.relreplident,
    c.relkind = 'r' and c.relpersistence = 'p'
      and n.nspname in (select s.name from clew.history_schemas s)
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      as wanted,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attgenerated = 'v' and not a.attisdropped)
      or exists (select from pg_publication_rel r where r.prrelid = c.oid and r.prattrs is not null)
      as not_full,
    exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and i.indimmediate and i.indisvalid)
      as has_key,
    exists (select from pg_index i where i.indrelid = c.oid and i.indisreplident and i.indisvalid) as has_index,
    exists (
      select from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
      where r.prrelid = c.oid and p.pubname = 'clew'
    ) as published
  into found_table
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  if not found or not (found_table.wanted or found_table.published) then
    return;
  end if;

  identity := found_table.relreplident;
  if found_table.wanted then
    if identity = 'd' and anew and not found_table.not_full then
      execute format('alter table %s replica identity full', found_table.name);
      identity := 'f';
    elsif identity = 'f' and found_table.not_full then
      execute format('alter table %s replica identity default', found_table.name);
      identity := 'd';
    end if;
  end if;

  identified := found_table.wanted
    and (identity = 'f' or (identity = 'd' and found_table.has_key) or (identity = 'i' and found_table.has_index));
  -- Asked again: the statement above may have come here by itself, through the event trigger.
  published := exists (
    select from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
    where r.prrelid = relation and p.pubname = 'clew'
  );
  if identified and not published then
    execute format('alter publication clew add table only %s', found_table.name);
  elsif published and not identified then
    execute format('alter publication clew drop table only %s', found_table.name);
  end if;
end
$$;

-- The tables that are there already; waits for nobody's lock for long.
create function clew.follow_tables(schemas text[]) returns void
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
    select
      c.oid,
      c.oid::regclass as name,
      not exists (
        select from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
        where r.prrelid = c.oid and p.pubname = 'clew'
      ) as anew
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (n.nspname = any (schemas) or c.oid in (select prrelid from pg_publication_rel))
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

revoke all on schema clew from public;
revoke all on all functions in schema clew from public;
