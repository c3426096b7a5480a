-- The roles that an existing Supabase project expects. Roles belong to the cluster: another database of it may have
-- made them already, and an external server may bring its own, which are left as they are.

do $$
declare
  wanted record;
begin
  for wanted in
    select *
    from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'login noinherit'),
      ('postgres', 'login createdb createrole replication bypassrls'),
      ('supabase_admin', 'nologin createrole bypassrls'),
      ('supabase_auth_admin', 'nologin noinherit createrole'),
      ('supabase_storage_admin', 'nologin noinherit createrole'),
      ('supabase_realtime_admin', 'nologin noinherit'),
      ('dashboard_user', 'nologin createdb createrole replication')
    ) as roles (name, attributes)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      execute format('create role %I %s', wanted.name, wanted.attributes);
    end if;
  end loop;
end
$$;

grant anon, authenticated, service_role to authenticator;

-- The application's migrations act for these: policies on the tables of storage and realtime are their owners' to
-- make, and settings of the authenticator (`alter role authenticator set pgrst...`) its administrator's.
do $$
declare
  helpful text;
begin
  if current_user <> 'postgres' then
    grant anon, authenticated, service_role to postgres with admin option;
    grant authenticator to postgres with admin option;
    grant supabase_storage_admin, supabase_realtime_admin to postgres;
    -- An administrator who is no superuser acts for the roles that it made.
    if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
      execute format('grant postgres, anon, authenticated, service_role to %I', current_user);
      execute format('grant supabase_storage_admin, supabase_realtime_admin, supabase_auth_admin to %I', current_user);
    end if;
    for helpful in
      select rolname
      from pg_catalog.pg_roles
      where rolname in ('pg_monitor', 'pg_signal_backend', 'pg_read_all_data', 'pg_create_subscription')
    loop
      begin
        execute format('grant %I to postgres', helpful);
      exception
        when insufficient_privilege then
          raise notice 'The role % is not granted to postgres.', helpful;
      end;
    end loop;
  end if;
end
$$;

alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role postgres set search_path = "$user", public, extensions;
alter role supabase_admin set search_path = "$user", public, auth, extensions;
