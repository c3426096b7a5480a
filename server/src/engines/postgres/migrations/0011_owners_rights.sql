-- What the application's owner may read and change: what is the application's, and of `auth` and its like what existing
-- projects change there. Operators, mails, persons and the roles' secrets are none of it.

do $$
declare
  version int := current_setting('server_version_num')::int;
begin
  if current_user = 'postgres' then
    return;
  end if;
  if pg_catalog.pg_has_role('postgres', 'pg_read_all_data', 'member') then
    revoke pg_read_all_data from postgres;
  end if;
  -- Triggers are dropped, and policies made, by who owns the table. It need not become the role for that.
  execute 'grant supabase_auth_admin to postgres' || case when version >= 160000 then ' with inherit true, set false' else '' end;
end
$$;

-- Schemas whose objects are kept as they are, and by whom. Only what that role owns is kept.
create table clew.guarded_schemas (
  name text primary key,
  owner text not null
);

insert into clew.guarded_schemas (name, owner)
values
  ('auth', 'supabase_auth_admin'),
  ('storage', 'supabase_storage_admin'),
  ('realtime', 'supabase_realtime_admin');

-- As the migrations left them.
create table clew.guarded_objects (
  class oid not null,
  object oid not null,
  identity text not null,
  digest text not null,
  primary key (class, object)
);

-- What must stay of each: everything but triggers, policies, further indexes, grants and comments.
create function clew.describe_guarded() returns table (class oid, object oid, identity text, digest text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with guarded as (
    select n.oid as schema, n.nspname as name, r.oid as owner
    from clew.guarded_schemas g
    join pg_namespace n on n.nspname = g.name
    join pg_roles r on r.rolname = g.owner
  )
  select 'pg_class'::regclass::oid, c.oid, format('%I.%I', g.name, c.relname), md5(concat_ws(
    '|', c.relowner, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.relhasrules,
    (
      select string_agg(concat_ws(
        ',', a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid)
      ), ';' order by a.attnum)
      from pg_attribute a
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ),
    (
      select string_agg(concat_ws(' ', k.conname, pg_get_constraintdef(k.oid)), ';' order by k.conname)
      from pg_constraint k
      where k.conrelid = c.oid
    ),
    case when c.relkind = 'i' then pg_get_indexdef(c.oid) end
  ))
  from guarded g
  join pg_class c on c.relnamespace = g.schema and c.relowner = g.owner and c.relkind in ('r', 'p', 'v', 'm', 'S', 'i')
  union all
  select 'pg_proc'::regclass::oid, p.oid, p.oid::regprocedure::text,
    md5(concat_ws('|', p.proowner, p.prolang, p.prosecdef, p.proconfig, p.prorettype, p.prosrc))
  from guarded g
  join pg_proc p on p.pronamespace = g.schema and p.proowner = g.owner
  union all
  select 'pg_type'::regclass::oid, t.oid, t.oid::regtype::text, md5(concat_ws('|', t.typowner, (
    select string_agg(e.enumlabel, ',' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid
  )))
  from guarded g
  join pg_type t on t.typnamespace = g.schema and t.typowner = g.owner and t.typtype = 'e'
$$;

-- Keeps them as they are now; asked after each migration of Clew's own.
create function clew.guard() returns void
language sql
set search_path = pg_catalog, pg_temp
as $$
  -- Several processes may start on one database at once; readers need not wait.
  lock table clew.guarded_objects in exclusive mode;
  delete from clew.guarded_objects;
  insert into clew.guarded_objects select * from clew.describe_guarded();
$$;

create function clew.refuse_harm() returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  harmed text;
begin
  select k.identity into harmed
  from clew.guarded_objects k
  left join clew.describe_guarded() d on d.class = k.class and d.object = k.object
  where d.digest is distinct from k.digest or d.identity is distinct from k.identity
  order by k.identity
  limit 1;
  if found then
    raise exception 'permission denied to change %, which belongs to Clew', harmed
      using errcode = 'insufficient_privilege',
        hint = 'Triggers, policies and indexes may be made there, and dropped again; all else stays as it is.';
  end if;
end
$$;

revoke all on all tables in schema clew from public;
revoke all on all functions in schema clew from public;
