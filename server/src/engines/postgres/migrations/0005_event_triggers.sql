-- After each DDL statement: tables that it made or changed are followed, and whoever keeps the schema in mind is told.
-- A failure here must not refuse the application's own statement.

create function clew.after_ddl() returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  command record;
  listed oid;
  tell boolean := false;
begin
  for command in select * from pg_event_trigger_ddl_commands() loop
    if command.schema_name is distinct from 'pg_temp' and command.schema_name is distinct from 'clew' then
      tell := true;
    end if;
    begin
      if command.classid = 'pg_class'::regclass and command.object_type = 'table'
        and command.schema_name is distinct from 'pg_temp' then
        perform clew.follow_table(command.objid, command.command_tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO'));
      elsif command.command_tag in ('CREATE PUBLICATION', 'ALTER PUBLICATION') then
        for listed in
          select c.oid
          from pg_publication_rel r
          join pg_class c on c.oid = r.prrelid
          where r.prattrs is not null and c.relreplident = 'f'
        loop
          perform clew.follow_table(listed, false);
        end loop;
      end if;
    exception
      when others then
        raise warning 'Changes of % are not followed: %', command.object_identity, sqlerrm;
    end;
  end loop;
  if tell then
    perform pg_notify('pgrst', 'reload schema');
  end if;
end
$$;

create function clew.after_drop() returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (
    select from pg_event_trigger_dropped_objects() d
    where not d.is_temporary and d.schema_name is distinct from 'clew'
  ) then
    perform pg_notify('pgrst', 'reload schema');
  end if;
end
$$;

create event trigger clew_after_ddl on ddl_command_end execute function clew.after_ddl();
create event trigger clew_after_drop on sql_drop execute function clew.after_drop();
-- A restore that runs with `session_replication_role = replica` makes tables, too.
alter event trigger clew_after_ddl enable always;
alter event trigger clew_after_drop enable always;

revoke all on all functions in schema clew from public;
