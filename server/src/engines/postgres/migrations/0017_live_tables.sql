-- After each DDL statement: a table that its owner gives full replica identity keeps it as the owner's will, and a table that
-- comes into the publication `supabase_realtime` is followed. A failure here must not refuse the application's own statement.

create function clew.after_live_ddl() returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  command record;
  listed oid;
begin
  for command in select * from pg_event_trigger_ddl_commands() loop
    begin
      -- The owner's own words: a statement that follows a table by itself is none that the client sent.
      if command.command_tag = 'ALTER TABLE' and command.classid = 'pg_class'::regclass and current_query() ~* (
        select 'alter\s+table\s[^;]*\m' || regexp_replace(c.relname, '(\W)', '\\\1', 'g')
          || '"?\s+replica\s+identity\s+full'
        from pg_class c
        where c.oid = command.objid
      ) then
        delete from clew.full_identities f where f.relation = command.objid;
      elsif command.command_tag in ('CREATE PUBLICATION', 'ALTER PUBLICATION') then
        for listed in
          select c.oid
          from pg_publication_tables t
          join pg_namespace n on n.nspname = t.schemaname
          join pg_class c on c.relnamespace = n.oid and c.relname = t.tablename
          where t.pubname = 'supabase_realtime' and not clew.is_published(c.oid) and clew.is_live(c.oid)
        loop
          perform clew.follow_table(listed, true);
        end loop;
      end if;
    exception
      when others then
        raise warning 'Changes of % are not sent: %', command.object_identity, sqlerrm;
    end;
  end loop;
end
$$;

create event trigger clew_live_after_ddl on ddl_command_end execute function clew.after_live_ddl();
alter event trigger clew_live_after_ddl enable always;

revoke all on all functions in schema clew from public;
