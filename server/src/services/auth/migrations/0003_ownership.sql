-- Who may do what. The service works as supabase_auth_admin, which owns everything here, so that a trigger that user
-- SQL puts on auth.users runs with that role's rights and not with the administrator's. The application's owner,
-- postgres, may read, seed, refer to and put triggers on the tables. The API roles may call the functions, no more.
do $$
begin
  -- On a server of somebody else's the administrator may be less than a superuser.
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant supabase_auth_admin to %I', current_user);
  end if;
end $$;

do $$
declare
  object record;
begin
  for object in
    select c.oid::regclass as name, c.relkind
    from pg_class c
    where c.relnamespace = 'auth'::regnamespace and c.relkind = 'r'
  loop
    execute format('alter table %s owner to supabase_auth_admin', object.name);
    execute format('alter table %s enable row level security', object.name);
  end loop;
  for object in
    select p.oid::regprocedure as name
    from pg_proc p
    where p.pronamespace = 'auth'::regnamespace and p.proname in ('uid', 'role', 'email', 'jwt')
  loop
    execute format('alter function %s owner to supabase_auth_admin', object.name);
    execute format('grant execute on function %s to public', object.name);
  end loop;
  for object in
    select format('auth.%I', t.typname) as name
    from pg_type t
    where t.typnamespace = 'auth'::regnamespace and t.typtype = 'e'
  loop
    execute format('alter type %s owner to supabase_auth_admin', object.name);
  end loop;
end $$;

grant usage, create on schema auth to supabase_auth_admin;
grant usage on schema auth to anon, authenticated, service_role, postgres;
grant all on all tables in schema auth to postgres;
grant all on all sequences in schema auth to postgres;
revoke all on all tables in schema auth from anon, authenticated, service_role;
