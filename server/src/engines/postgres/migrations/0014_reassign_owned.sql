-- REASSIGN OWNED fires no event trigger, so that the guard of `auth` never sees it. PostgreSQL refuses it as a whole when one
-- object's new owner may not create in that object's schema, and no role but a superuser's may create in `clew`.
create function clew.blocks_reassign_owned() returns void
language sql
as '';

alter function clew.blocks_reassign_owned() owner to supabase_auth_admin;
revoke all on function clew.blocks_reassign_owned() from public;
