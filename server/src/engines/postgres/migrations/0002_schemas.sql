-- Schemas and default privileges as an existing Supabase project expects them.

create schema if not exists extensions;
create schema if not exists auth;
create schema if not exists storage;
create schema if not exists realtime;
create schema if not exists graphql_public;
create schema if not exists vault;

grant usage, create on schema extensions to postgres with grant option;
grant usage on schema extensions to anon, authenticated, service_role;

grant usage on schema auth to anon, authenticated, service_role, postgres;
grant all on schema auth to supabase_auth_admin, dashboard_user;
grant usage on schema storage to anon, authenticated, service_role, postgres;
grant all on schema storage to supabase_storage_admin, dashboard_user;
grant usage on schema realtime to anon, authenticated, service_role, postgres;
grant all on schema realtime to supabase_realtime_admin, dashboard_user;
grant usage on schema graphql_public to anon, authenticated, service_role, postgres;

do $$
begin
  execute format('grant create, connect, temporary on database %I to postgres with grant option', current_database());
  if current_user <> 'postgres' then
    alter schema public owner to postgres;
  end if;
end
$$;

grant usage on schema public to anon, authenticated, service_role;
revoke create on schema public from public;

do $$
declare
  maker text;
begin
  foreach maker in array array['postgres', current_user::text] loop
    execute format('alter default privileges for role %I in schema public grant all on tables to postgres, anon, authenticated, service_role', maker);
    execute format('alter default privileges for role %I in schema public grant all on functions to postgres, anon, authenticated, service_role', maker);
    execute format('alter default privileges for role %I in schema public grant all on sequences to postgres, anon, authenticated, service_role', maker);
    execute format('alter default privileges for role %I in schema graphql_public grant all on functions to postgres, anon, authenticated, service_role', maker);
  end loop;
end
$$;
