-- Databases that have `vector` from before its inner functions stood in schemas of their own: they move there, and what names
-- them is written anew, as a new database has it. Values, columns and indexes stay as they are.
do $$
declare
  extension record;
  moved constant text := '(?:vector|halfvec|sparsevec)_(?:of|out|same_dims|typmod_in|typmod_out)'
    '|vector_(?:array_bytes|array_of|bytes|cosine|diagnose|doubles|elements|euclidean|index_key|index_notice|ip|l1|l2'
    '|point_byte|point_bytes|point_dims|point_from|point_head|point_in|point_norm|point_of|point_out|point_size|points|product'
    '|reals|same_dims|single|singles|size|tail|taxicab|valid)'
    '|halfvec_elements|sparsevec_(?:from|parts|reals|sums|valid)|bit_same_length';
  each record;
begin
  select e.oid, e.extnamespace as schema, n.nspname as name into extension
  from pg_catalog.pg_extension e
  join pg_catalog.pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'vector' and exists (
    select
    from pg_catalog.pg_depend d
    join pg_catalog.pg_proc p on p.oid = d.objid
    where d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = e.oid and d.deptype = 'e'
      and d.classid = 'pg_catalog.pg_proc'::regclass and p.proname = 'vector_valid' and p.pronamespace = e.extnamespace
  );
  if not found then
    return;
  end if;

  create schema if not exists clew_vector;
  create schema if not exists clew_vector_input;
  grant usage on schema clew_vector to public;
  -- Dropped with the extension, so that it can be created again.
  for each in
    select n.nspname as name
    from pg_catalog.pg_namespace n
    where n.nspname in ('clew_vector', 'clew_vector_input') and not exists (
      select
      from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_namespace'::regclass and d.objid = n.oid and d.refobjid = extension.oid
    )
  loop
    execute format('alter extension vector add schema %I', each.name);
  end loop;

  for each in
    select case t.typtype when 'd' then 'domain' else 'type' end as kind, t.oid::regtype as name
    from pg_catalog.pg_depend d
    join pg_catalog.pg_type t on t.oid = d.objid
    where d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = extension.oid and d.deptype = 'e'
      and d.classid = 'pg_catalog.pg_type'::regclass and t.typnamespace = extension.schema
      and t.typname in ('vector_point', 'vector_text', 'halfvec_text', 'sparsevec_text')
  loop
    execute format('alter %s %s set schema clew_vector', each.kind, each.name);
  end loop;

  for each in
    select p.oid::regprocedure as function
    from pg_catalog.pg_depend d
    join pg_catalog.pg_proc p on p.oid = d.objid
    where d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = extension.oid and d.deptype = 'e'
      and d.classid = 'pg_catalog.pg_proc'::regclass and p.pronamespace = extension.schema
      and p.proname ~ format('^(?:%s)$', moved)
  loop
    execute format('alter function %s set schema clew_vector', each.function);
  end loop;
  revoke all on function clew_vector.vector_point_in(cstring) from public;

  -- Bodies that are kept as text name the schema; the others follow by themselves.
  for each in
    select regexp_replace(
      pg_catalog.pg_get_functiondef(p.oid),
      format(
        '(?<![\w".])(?:%s|%s)\.(%s|vector_point|(?:vector|halfvec|sparsevec)_text)\M',
        regexp_replace(extension.name, '([.^$*+?()\[\]{}|\\])', '\\\1', 'g'),
        regexp_replace(quote_ident(extension.name), '([.^$*+?()\[\]{}|\\])', '\\\1', 'g'),
        moved
      ),
      'clew_vector.\1', 'g'
    ) as statement
    from pg_catalog.pg_depend d
    join pg_catalog.pg_proc p on p.oid = d.objid
    join pg_catalog.pg_language l on l.oid = p.prolang
    where d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = extension.oid and d.deptype = 'e'
      and d.classid = 'pg_catalog.pg_proc'::regclass and p.prokind = 'f' and l.lanname in ('sql', 'plpgsql')
      and p.prosqlbody is null
  loop
    execute each.statement;
  end loop;

  -- Texts of numbers are whole whatever the session has set.
  for each in
    select p.oid::regprocedure as function
    from pg_catalog.pg_depend d
    join pg_catalog.pg_proc p on p.oid = d.objid
    where d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = extension.oid and d.deptype = 'e'
      and d.classid = 'pg_catalog.pg_proc'::regclass and p.proname in ('array_to_vector', 'array_to_halfvec', 'sparsevec_from')
      and p.prosqlbody is null
  loop
    execute format('alter function %s set extra_float_digits = 1', each.function);
  end loop;
end
$$;
