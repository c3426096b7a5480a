import type { Sql } from '../engines/postgres/index.ts'
import type { Statement } from '../ground/sql/postgres.ts'

/**
 * What a project made in a database is dropped, and the tables of the services in it are emptied: users, stored objects,
 * scheduled commands, secrets, the history of migrations. Code of the application may hang on every step, so that what
 * runs by itself goes first: event triggers, then triggers on the services' tables.
 */
const clearObjectsStatement: Statement = {
  text: `
do $clear$
declare
  target record;
  found_everywhere constant text[] := array[
    'plpgsql', 'uuid-ossp', 'pgcrypto', 'pg_stat_statements', 'supabase_vault', 'pg_graphql', 'pgsodium'
  ];
begin
  if pg_catalog.to_regclass('clew.owner_event_triggers') is not null then
    for target in execute 'select o.name from clew.owner_event_triggers o' loop
      execute pg_catalog.format('select clew_owner.drop_event_trigger(%L, false)', target.name);
    end loop;
  end if;

  for target in
    select t.evtname as name
    from pg_catalog.pg_event_trigger t
    join pg_catalog.pg_proc p on p.oid = t.evtfoid
    where not pg_temp.clew_is_service(p.pronamespace)
  loop
    execute pg_catalog.format('drop event trigger %I', target.name);
  end loop;

  for target in
    select t.tgname as name, t.tgrelid::regclass as relation
    from pg_catalog.pg_trigger t
    join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and t.tgparentid = 0
      and pg_temp.clew_is_service(c.relnamespace) and not pg_temp.clew_is_service(p.pronamespace)
  loop
    execute pg_catalog.format('drop trigger %I on %s', target.name, target.relation);
  end loop;

  for target in
    select p.pubname as name
    from pg_catalog.pg_publication p
    where p.pubname not in ('clew', 'supabase_realtime', 'supabase_realtime_messages_publication')
  loop
    execute pg_catalog.format('drop publication %I', target.name);
  end loop;

  for target in
    select n.nspname as name
    from pg_catalog.pg_namespace n
    where n.nspname <> 'public' and not pg_temp.clew_is_service(n.oid)
      and not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e'
      )
  loop
    execute pg_catalog.format('drop schema %I cascade', target.name);
  end loop;

  for target in
    select e.extname as name
    from pg_catalog.pg_extension e
    join pg_catalog.pg_roles o on o.oid = e.extowner
    where e.extname <> all (found_everywhere) and o.rolname <> 'supabase_admin'
  loop
    execute pg_catalog.format('drop extension if exists %I cascade', target.name);
  end loop;

  for target in
    select pg_catalog.format(
      'drop %s if exists %s cascade',
      case c.relkind
        when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table'
        when 'c' then 'type' else 'table'
      end,
      pg_catalog.format('%I.%I', n.nspname, c.relname)
    ) as statement
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c') and not c.relispartition
      and not pg_temp.clew_is_member('pg_catalog.pg_class', c.oid)
  loop
    execute target.statement;
  end loop;

  for target in
    select pg_catalog.format('drop routine if exists %s cascade', p.oid::regprocedure) as statement
    from pg_catalog.pg_proc p
    where p.pronamespace = 'public'::regnamespace and not pg_temp.clew_is_member('pg_catalog.pg_proc', p.oid)
  loop
    execute target.statement;
  end loop;

  for target in
    select pg_catalog.format('drop type if exists %s cascade', t.oid::regtype) as statement
    from pg_catalog.pg_type t
    where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd', 'r') and t.typelem = 0
      and not pg_temp.clew_is_member('pg_catalog.pg_type', t.oid)
  loop
    execute target.statement;
  end loop;

  for target in
    select p.polname as name, p.polrelid::regclass as relation
    from pg_catalog.pg_policy p
    join pg_catalog.pg_class c on c.oid = p.polrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('auth', 'storage', 'realtime')
  loop
    execute pg_catalog.format('drop policy %I on %s', target.name, target.relation);
  end loop;

  -- Row by row: a trigger has the files removed.
  if pg_catalog.to_regclass('clew_storage.removals') is not null then
    perform pg_catalog.set_config('storage.allow_delete_query', 'true', true);
    delete from storage.objects;
  end if;

  for target in
    select c.oid::regclass as relation
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('auth', 'storage', 'realtime', 'vault', 'cron', 'net', 'supabase_functions')
      and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('schema_migrations', 'migrations')
  loop
    begin
      execute pg_catalog.format('truncate %s cascade', target.relation);
    exception
      when insufficient_privilege then
        raise warning 'the rows of % are kept: %', target.relation, sqlerrm;
    end;
  end loop;

  for target in
    select pg_catalog.format('alter role %I reset %I', r.rolname, pg_catalog.split_part(setting.text, '=', 1)) as statement
    from pg_catalog.pg_db_role_setting s
    join pg_catalog.pg_roles r on r.oid = s.setrole
    cross join pg_catalog.unnest(s.setconfig) setting(text)
    where s.setdatabase = 0 and r.rolname = 'authenticator' and setting.text like 'pgrst.%'
  loop
    execute target.statement;
  end loop;
end
$clear$`,
  values: [],
}

/** What is left of roles that a project made goes with them. */
const dropRolesStatement: Statement = {
  text: `
do $clear$
declare
  target record;
begin
  for target in
    select r.rolname as name
    from pg_catalog.pg_roles r
    where not r.rolsuper and r.rolname !~ '^(pg_|clew_|supabase_|pgsodium_)'
      and r.rolname not in (
        'postgres', 'anon', 'authenticated', 'authenticator', 'service_role', 'dashboard_user', 'pgbouncer', 'pgtle_admin'
      )
  loop
    begin
      execute pg_catalog.format('drop owned by %I cascade', target.name);
      execute pg_catalog.format('drop role %I', target.name);
    exception
      when dependent_objects_still_exist or insufficient_privilege then
        raise warning 'the role % is kept: %', target.name, sqlerrm;
    end;
  end loop;
end
$clear$`,
  values: [],
}

/** How far a database is emptied. */
export interface ClearOptions {
  /** Whether roles that a project made are dropped, too: the cluster is no other application's. */
  readonly dropsRoles: boolean
}

/** Helpers of the statements above, gone with the session. */
const helperStatements: readonly Statement[] = [
  `create or replace function pg_temp.clew_is_service(schema oid) returns boolean language sql stable
   set search_path = pg_catalog as $$
     select n.nspname = any (array[
       'auth', 'storage', 'realtime', 'vault', 'cron', 'net', 'supabase_functions', 'graphql', 'graphql_public',
       'extensions', 'pgbouncer', 'pgmq', 'pgsodium', 'pgsodium_masks', 'pgtle', 'information_schema', '_analytics',
       '_realtime', '_supavisor'
     ]) or n.nspname ~ '^(pg_|clew)'
     from pg_catalog.pg_namespace n
     where n.oid = schema
   $$`,
  `create or replace function pg_temp.clew_is_member(catalog regclass, object oid) returns boolean language sql stable
   set search_path = pg_catalog as $$
     select exists (
       select from pg_catalog.pg_depend d
       where d.classid = catalog and d.objid = object and d.deptype = 'e'
     )
   $$`,
].map((text) => ({ text, values: [] }))

/** Empties a database of what a project made in it, in one transaction. Roles, schemas and tables of the services stay. */
export async function clearDatabase(admin: Sql, { dropsRoles }: ClearOptions): Promise<void> {
  await admin.transaction(async (tx) => {
    for (const statement of helperStatements) await tx.query(statement)
    await tx.query(clearObjectsStatement)
    if (dropsRoles) await tx.query(dropRolesStatement)
    await tx.query({ text: 'drop function pg_temp.clew_is_service, pg_temp.clew_is_member', values: [] })
  })
}
