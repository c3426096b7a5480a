-- An administrator's statements find the system's names only: what the application makes in `public` must never be run
-- by them. Connections of Clew say so themselves; this is for others that log in as this role.
alter role supabase_admin set search_path = pg_catalog, pg_temp;

-- A sample's rows of `auth` are restored by the role that owns the tables, with triggers off. An external server has no
-- samples, and its administrator may not be allowed to grant this.
do $$
begin
  grant set on parameter session_replication_role to supabase_auth_admin;
exception
  when insufficient_privilege then
    raise notice 'supabase_auth_admin may not switch triggers off.';
end
$$;
