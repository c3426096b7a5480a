-- Event triggers, publications of all tables and settings of the application's, which only a superuser may make, for the application's owner.
--
-- PostgreSQL runs an event trigger's function as whoever changes the schema, and that is a superuser within the scripts of
-- extensions and in functions of Clew. So the trigger that is made here runs a function of Clew's, which does nothing for a
-- superuser, and calls a copy of the owner's for everybody else.

create schema clew_owner;
-- Copies are called by whoever changes a schema.
grant usage on schema clew_owner to public;

create table clew.owner_event_triggers (
  name text primary key,
  function oid not null
);

create table clew.owner_publications (
  name text primary key
);

create function clew.copy_event_function(trigger_name text, original oid) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  source pg_proc%rowtype;
  body text := 'body_' || md5(trigger_name);
  made oid;
begin
  select * into source from pg_proc where oid = original;
  if not found or source.prorettype <> 'event_trigger'::regtype then
    raise exception 'the function must return event_trigger' using errcode = 'invalid_object_definition';
  end if;
  if source.prolang <> (select oid from pg_language where lanname = 'plpgsql') then
    raise exception 'the function of an event trigger must be written in plpgsql here' using errcode = 'feature_not_supported';
  end if;
  if not pg_has_role('postgres', source.proowner, 'usage')
    or (select rolsuper from pg_roles where oid = source.proowner) then
    raise exception 'must be owner of function %', original::regprocedure using errcode = 'insufficient_privilege';
  end if;
  execute format(
    'create or replace function clew_owner.%I(tg_event text, tg_tag text) returns void language plpgsql as %L',
    body, source.prosrc
  );
  made := to_regprocedure(format('clew_owner.%I(text, text)', body));
  execute format('alter function clew_owner.%I(text, text) owner to %s', body, source.proowner::regrole);
  -- Not by ALTER FUNCTION: a setting is kept as text, and must not be read as SQL here.
  update pg_proc set prosecdef = source.prosecdef, proconfig = source.proconfig where oid = made;
end
$$;

create function clew_owner.create_event_trigger(name text, event text, tags text[], function regprocedure) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  runner text := 'run_' || md5(name);
begin
  if event is null or event not in ('ddl_command_start', 'ddl_command_end', 'sql_drop', 'table_rewrite') then
    raise exception 'event triggers on % cannot be made here', event using errcode = 'feature_not_supported';
  end if;
  if name like 'clew%' then
    raise exception 'names of event triggers that begin with "clew" are Clew''s own' using errcode = 'reserved_name';
  end if;
  perform clew.copy_event_function(name, function);
  -- Nothing in it is looked for in a search path.
  execute format(
    $run$
    create or replace function clew_owner.%I() returns event_trigger language plpgsql as $body$
    begin
      if (select r.rolsuper from pg_catalog.pg_roles r where r.rolname operator(pg_catalog.=) current_user) then
        return;
      end if;
      perform clew_owner.%I(tg_event, tg_tag);
    end
    $body$
    $run$,
    runner, 'body_' || md5(name)
  );
  execute format(
    'create event trigger %I on %s %s execute function clew_owner.%I()',
    name,
    event,
    (select 'when tag in (' || string_agg(quote_literal(tag), ', ') || ')' from unnest(tags) tag),
    runner
  );
  insert into clew.owner_event_triggers values (name, function);
end
$$;

create function clew.owners_event_trigger(trigger_name text) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from clew.owner_event_triggers o where o.name = trigger_name) then
    return true;
  end if;
  if exists (select from pg_event_trigger e where e.evtname = trigger_name) then
    raise exception 'must be owner of event trigger %', trigger_name using errcode = 'insufficient_privilege';
  end if;
  return false;
end
$$;

create function clew_owner.drop_event_trigger(trigger_name text, missing_ok boolean) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not clew.owners_event_trigger(trigger_name) then
    if missing_ok then
      raise notice 'event trigger "%" does not exist, skipping', trigger_name;
      return;
    end if;
    raise exception 'event trigger "%" does not exist', trigger_name using errcode = 'undefined_object';
  end if;
  execute format('drop event trigger %I', trigger_name);
  execute format('drop function clew_owner.%I()', 'run_' || md5(trigger_name));
  execute format('drop function clew_owner.%I(text, text)', 'body_' || md5(trigger_name));
  delete from clew.owner_event_triggers o where o.name = trigger_name;
end
$$;

create function clew_owner.alter_event_trigger(trigger_name text, state text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not clew.owners_event_trigger(trigger_name) then
    raise exception 'event trigger "%" does not exist', trigger_name using errcode = 'undefined_object';
  end if;
  if state not in ('enable', 'enable replica', 'enable always', 'disable') then
    raise exception 'an event trigger cannot be altered so here' using errcode = 'feature_not_supported';
  end if;
  execute format('alter event trigger %I %s', trigger_name, state);
end
$$;

-- A function that is replaced is copied anew.
create function clew.after_event_function() returns event_trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  copied record;
begin
  for copied in
    select o.name, o.function
    from pg_event_trigger_ddl_commands() c
    join clew.owner_event_triggers o on o.function = c.objid
    where c.classid = 'pg_proc'::regclass
  loop
    perform clew.copy_event_function(copied.name, copied.function);
  end loop;
end
$$;

create event trigger clew_after_event_function on ddl_command_end
when tag in ('CREATE FUNCTION', 'ALTER FUNCTION')
execute function clew.after_event_function();
alter event trigger clew_after_event_function enable always;

create function clew_owner.create_publication(name text, publish text, via_root boolean) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if name like 'clew%' then
    raise exception 'names of publications that begin with "clew" are Clew''s own' using errcode = 'reserved_name';
  end if;
  execute format(
    'create publication %I for all tables with (publish = %L, publish_via_partition_root = %s)',
    name, coalesce(publish, 'insert, update, delete, truncate'), case when via_root then 'true' else 'false' end
  );
  insert into clew.owner_publications values (name);
end
$$;

create function clew_owner.drop_all_tables_publication(publication text) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from clew.owner_publications p where p.name = publication;
  if not found then
    return false;
  end if;
  execute format('drop publication if exists %I', publication);
  return true;
end
$$;

-- Others are dropped as whoever asks.
create function clew_owner.drop_publication(publication text, missing_ok boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if not clew_owner.drop_all_tables_publication(publication) then
    execute format('drop publication %s %I', case when missing_ok then 'if exists' else '' end, publication);
  end if;
end
$$;

-- No extension takes names that begin so.
create function clew_owner.set_in_database(database text, parameter text, value text) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if database <> current_database() or parameter !~ '^app(\.[A-Za-z_][A-Za-z0-9_$]*)+$' then
    raise exception 'only settings of this database that begin with "app." are set so' using errcode = 'feature_not_supported';
  end if;
  execute format('alter database %I set %s = %L', database, parameter, value);
end
$$;

revoke all on all tables in schema clew from public;
revoke all on all functions in schema clew from public;
revoke all on all functions in schema clew_owner from public;
grant execute on all functions in schema clew_owner to postgres;
