-- Databases that have `vector` already: functions that trust their arguments are for the extension alone, whatever default
-- privileges its schema has; its input functions are called by no name; its types have no subscripts.
do $$
declare
  members regprocedure[] := array(
    select d.objid::regprocedure
    from pg_extension e
    join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid
    where e.extname = 'vector' and d.classid = 'pg_proc'::regclass and d.deptype = 'e'
  );
  each record;
begin
  for each in
    select p.oid::regprocedure as function, coalesce(quote_ident(r.rolname), 'public') as grantee
    from pg_proc p
    cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    left join pg_roles r on r.oid = a.grantee
    where p.oid = any (members::oid[]) and a.grantee <> p.proowner
      and p.prosrc in ('byteasend', 'bytea_substr_no_len') and p.prorettype <> 'bytea'::regtype
  loop
    execute format('revoke all on function %s from %s', each.function, each.grantee);
  end loop;
  for each in
    select p.oid::regprocedure as function
    from pg_proc p
    where p.oid = any (members::oid[]) and p.prosrc = 'domain_in'
  loop
    create schema if not exists clew_vector_input;
    execute format('alter function %s set schema clew_vector_input', each.function);
  end loop;
  for each in
    select t.oid::regtype as type
    from pg_type t
    join pg_proc p on p.oid = t.typinput
    where p.oid = any (members::oid[]) and t.typsubscript <> 0
  loop
    execute format('alter type %s set (subscript = none)', each.type);
  end loop;
end
$$;
