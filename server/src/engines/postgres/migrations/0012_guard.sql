-- The owner has the rights of the role that owns `auth`; what must not be changed by them is refused here. A superuser's
-- own session is Clew's, or an administrator's who knows.

create function clew.guard_ddl() returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if (select rolsuper from pg_roles where rolname = session_user) then
    return;
  end if;
  if exists (
    select from pg_event_trigger_ddl_commands() c
    where c.object_type in ('schema', 'rule')
      or c.schema_name in (select g.name from clew.guarded_schemas g)
      -- It may have left its schema.
      or c.objid in (select k.object from clew.guarded_objects k)
  ) then
    perform clew.refuse_harm();
  end if;
end
$$;

create function clew.guard_drop() returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if (select rolsuper from pg_roles where rolname = session_user) then
    return;
  end if;
  if exists (
    select from pg_event_trigger_dropped_objects() d
    where d.object_type = 'schema' or d.schema_name in (select g.name from clew.guarded_schemas g)
  ) then
    perform clew.refuse_harm();
  end if;
end
$$;

create event trigger clew_guard_ddl on ddl_command_end execute function clew.guard_ddl();
create event trigger clew_guard_drop on sql_drop execute function clew.guard_drop();
-- The owner may set `session_replication_role`, which switches others off.
alter event trigger clew_guard_ddl enable always;
alter event trigger clew_guard_drop enable always;

revoke all on all functions in schema clew from public;
