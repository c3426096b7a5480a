import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** The part of the catalogues that is read. */
export interface CatalogueScope {
  readonly schemas: readonly string[]
  readonly extraSearchPath: readonly string[]
  readonly hoistedSettings: readonly string[]
  /** The role that requests log in as; null for the current one. */
  readonly loginRole: string | null
  /** Versions of views whose parse trees are known. */
  readonly knownViews: readonly string[]
}

const schemaIsIn = (column: string, schemas: readonly string[]): SqlFragment =>
  sql`${constant(column)} in (select n.oid from pg_catalog.pg_namespace n where n.nspname = any (${typed(schemas, 'text[]')}))`

// A relation's row type, of any schema.
const rowTypes = sql`select reltype from pg_catalog.pg_class where relkind in ('r', 'p', 'v', 'm', 'f')`

const columnsOfRelation = sql`
  select coalesce(json_agg(json_build_object(
    'name', a.attname,
    'literal', pg_catalog.quote_literal(a.attname),
    'position', a.attnum,
    'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
    'recordType', case
      when t.typnamespace = 'pg_catalog'::regnamespace then pg_catalog.format_type(a.atttypid, a.atttypmod)
      else pg_catalog.format_type(a.atttypid, null) end,
    'baseType', case
      when b.base_schema = 'pg_catalog'::regnamespace then pg_catalog.format_type(b.base, null)
      else pg_catalog.format_type(a.atttypid, a.atttypmod) end,
    'default', case
      when t.typbasetype <> 0 and d.adbin is null then pg_catalog.pg_get_expr(t.typdefaultbin, 0)
      when a.attidentity <> '' then pg_catalog.format('nextval(%L)', s.objid::regclass)
      when a.attgenerated <> '' then null
      else pg_catalog.pg_get_expr(d.adbin, d.adrelid) end,
    'nullable', not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
    'generated', a.attgenerated <> '',
    'maxLength', case
      when b.base in ('bpchar'::regtype, 'varchar'::regtype) and coalesce(nullif(a.atttypmod, -1), t.typtypmod) > 4
      then coalesce(nullif(a.atttypmod, -1), t.typtypmod) - 4 end,
    'labels', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = b.base),
    'comment', pg_catalog.col_description(c.oid, a.attnum)
  ) order by a.attnum), '[]')
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_type t on t.oid = a.atttypid
  join base_types b on b.oid = a.atttypid
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join pg_catalog.pg_depend s
    on s.refclassid = 'pg_class'::regclass and s.classid = 'pg_class'::regclass
    and s.refobjid = a.attrelid and s.refobjsubid = a.attnum and s.deptype = 'i'
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

// The bits are 1 << CMD_UPDATE (4), CMD_INSERT (8), CMD_DELETE (16).
const allows = (bit: number): SqlFragment => sql`
  (c.relkind in ('r', 'p') or (c.relkind in ('v', 'f') and pg_catalog.pg_relation_is_updatable(c.oid, true) & ${constant(String(bit))} > 0))`

const relations = (schemas: readonly string[]): SqlFragment => sql`
  select coalesce(json_agg(json_build_object(
    'oid', c.oid::int8,
    'schema', n.nspname,
    'name', c.relname,
    'kind', case c.relkind
      when 'r' then 'table' when 'p' then 'partitioned_table' when 'v' then 'view'
      when 'm' then 'materialized_view' else 'foreign_table' end,
    'insertable', ${allows(8)},
    'updatable', ${allows(4)},
    'deletable', ${allows(16)},
    'estimatedRows', greatest(c.reltuples, 0),
    'history', exists (
      select from pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid
      where p.pubname = 'clew' and r.prrelid in (c.oid, pg_catalog.pg_partition_root(c.oid))
    ),
    'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
    'columns', (${columnsOfRelation})
  ) order by n.nspname, c.relname), '[]')
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not c.relispartition
    and ${schemaIsIn('c.relnamespace', schemas)}`

const keyEnd = (relation: string, columns: string): SqlFragment => sql`
  (select json_build_object('oid', c.oid::int8, 'schema', n.nspname, 'name', c.relname, 'columns', (
      select json_agg(json_build_object('number', a.attnum, 'name', a.attname) order by k.place)
      from unnest(${constant(columns)}) with ordinality k (number, place)
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.number))
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.oid = ${constant(relation)})`

// Keys of partitions repeat those of their parent.
const keys = sql`
  select coalesce(json_agg(json_build_object(
    'kind', case k.contype when 'p' then 'primary' else 'foreign' end,
    'name', k.conname,
    'relation', ${keyEnd('k.conrelid', 'k.conkey')},
    'foreign', case when k.contype = 'f' then ${keyEnd('k.confrelid', 'k.confkey')} end,
    'unique', exists (
      select from pg_catalog.pg_constraint u
      where u.conrelid = k.conrelid and u.contype in ('p', 'u')
        and u.conkey operator(pg_catalog.@>) k.conkey and u.conkey operator(pg_catalog.<@) k.conkey)
  ) order by k.conrelid, k.conname), '[]')
  from pg_catalog.pg_constraint k
  where (k.contype = 'p' or (k.contype = 'f' and k.conparentid = 0))
    and k.connamespace <> 'pg_catalog'::regnamespace`

const ruleVersion = sql`pg_catalog.concat_ws('.', r.oid, r.xmin, r.ctid)`

const views = (schemas: readonly string[], known: readonly string[]): SqlFragment => sql`
  select coalesce(json_agg(json_build_object(
    'oid', c.oid::int8,
    'schema', n.nspname,
    'name', c.relname,
    'version', ${ruleVersion},
    'tree', case when ${ruleVersion} = any (${typed(known, 'text[]')}) then null else r.ev_action::text end,
    'columns', (select json_object_agg(a.attnum, a.attname)
      from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
  )), '[]')
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
  where c.relkind in ('v', 'm') and ${schemaIsIn('c.relnamespace', schemas)}`

// Types that ignore a length: the argument would be cut to one character otherwise.
const parameterType = sql`case p.type
  when 'bit'::regtype then 'bit varying'
  when 'bit[]'::regtype then 'bit varying[]'
  when 'bpchar'::regtype then 'character varying'
  when 'bpchar[]'::regtype then 'character varying[]'
  else pg_catalog.format_type(p.type, null) end`

const parametersOf = sql`
  lateral (
    select
      coalesce(json_agg(json_build_object(
        'name', coalesce(p.name, ''),
        'type', ${parameterType},
        'required', p.place <= f.pronargs - f.pronargdefaults,
        'variadic', coalesce(p.mode = 'v', false)) order by p.place), '[]') as list,
      count(*) filter (where coalesce(p.name, '') = '') as unnamed,
      count(*) as total,
      bool_and(coalesce(p.name, '') <> ''
        or p.type in ('bytea'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text'::regtype, 'xml'::regtype)) as callable
    from (
      select x.name, x.type, x.mode, pg_catalog.row_number() over (order by x.place) as place
      from unnest(
        coalesce(f.proargnames, '{}'),
        coalesce(f.proallargtypes, f.proargtypes::oid[]),
        coalesce(f.proargmodes, '{}')) with ordinality x (name, type, mode, place)
      where x.type is not null and coalesce(x.mode, 'i') in ('i', 'b', 'v')
    ) p
  ) parameters`

const functions = (scope: CatalogueScope): SqlFragment => sql`
  select coalesce(json_agg(json_build_object(
    'schema', n.nspname,
    'name', f.proname,
    'comment', pg_catalog.obj_description(f.oid, 'pg_proc'),
    'parameters', parameters.list,
    'returns', json_build_object(
      'schema', rn.nspname,
      'name', coalesce(rc.relname, rt.typname),
      'set', f.proretset,
      'composite', rt.typtype = 'c' or coalesce(f.proargmodes::text[] && '{t,b,o}', false)),
    'volatility', f.provolatile,
    'settings', (
      select coalesce(json_agg(json_build_array(
        pg_catalog.split_part(s, '=', 1), pg_catalog.substr(s, pg_catalog.strpos(s, '=') + 1))), '[]')
      from unnest(f.proconfig) s
      where pg_catalog.split_part(s, '=', 1) = any (${typed(scope.hoistedSettings, 'text[]')})),
    'isolation', (
      select pg_catalog.split_part(s, '=', 2)
      from unnest(f.proconfig) s
      where pg_catalog.split_part(s, '=', 1) = 'default_transaction_isolation')
  ) order by n.nspname, f.proname, parameters.total), '[]')
  from pg_catalog.pg_proc f
  join pg_catalog.pg_namespace n on n.oid = f.pronamespace
  join base_types b on b.oid = f.prorettype
  join pg_catalog.pg_type rt on rt.oid = b.base
  join pg_catalog.pg_namespace rn on rn.oid = rt.typnamespace
  left join pg_catalog.pg_class rc on rc.oid = rt.typrelid
  cross join ${parametersOf}
  where f.prokind = 'f'
    and rt.oid not in ('trigger'::regtype, 'event_trigger'::regtype)
    and (parameters.unnamed = 0 or (parameters.total = 1 and parameters.callable))
    and ${schemaIsIn('f.pronamespace', scope.schemas)}`

const computed = sql`
  select coalesce(json_agg(json_build_object(
    'function', json_build_object('schema', n.nspname, 'name', f.proname),
    'relation', json_build_object('schema', an.nspname, 'name', t.typname),
    'foreign', json_build_object('schema', rn.nspname, 'name', rt.typname),
    'toOne', not f.proretset or f.prorows = 1)), '[]')
  from pg_catalog.pg_proc f
  join pg_catalog.pg_namespace n on n.oid = f.pronamespace
  join pg_catalog.pg_type t on t.oid = f.proargtypes[0]
  join pg_catalog.pg_namespace an on an.oid = t.typnamespace
  join pg_catalog.pg_type rt on rt.oid = f.prorettype
  join pg_catalog.pg_namespace rn on rn.oid = rt.typnamespace
  where f.pronargs = 1 and t.oid in (${rowTypes}) and rt.oid in (${rowTypes})`

const representations = sql`
  select coalesce(json_agg(json_build_object(
    'from', pg_catalog.format_type(c.castsource, null),
    'to', pg_catalog.format_type(c.casttarget, null),
    'function', json_build_object('schema', n.nspname, 'name', f.proname))), '[]')
  from pg_catalog.pg_cast c
  join pg_catalog.pg_type s on s.oid = c.castsource
  join pg_catalog.pg_type t on t.oid = c.casttarget
  join pg_catalog.pg_proc f on f.oid = c.castfunc
  join pg_catalog.pg_namespace n on n.oid = f.pronamespace
  where c.castcontext = 'i' and c.castmethod = 'f'
    and pg_catalog.has_function_privilege(c.castfunc, 'execute')
    and ((s.typtype = 'd' and t.oid in ('json'::regtype, 'text'::regtype))
      or (t.typtype = 'd' and s.oid in ('json'::regtype, 'text'::regtype)))`

const handlers = (schemas: readonly string[]): SqlFragment => sql`
  select coalesce(json_agg(json_build_object(
    'function', case f.prokind
      when 'a' then json_build_object('schema', n.nspname, 'name', f.proname)
      else json_build_object('schema', tn.nspname, 'name', t.typname) end,
    'target', case
      when f.prokind = 'f' then json_build_object('schema', n.nspname, 'name', f.proname)
      when f.proargtypes[0] <> 'anyelement'::regtype then json_build_object('schema', an.nspname, 'name', at.typname) end,
    'mediaType', pg_catalog.lower(t.typname),
    'binary', b.base = 'bytea'::regtype) order by f.prokind, f.proname), '[]')
  from pg_catalog.pg_type t
  join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
  join base_types b on b.oid = t.oid
  join pg_catalog.pg_proc f on f.prorettype = t.oid
  join pg_catalog.pg_namespace n on n.oid = f.pronamespace
  left join pg_catalog.pg_type at on at.oid = f.proargtypes[0]
  left join pg_catalog.pg_namespace an on an.oid = at.typnamespace
  where t.typtype = 'd'
    and (t.typname = '*/*' or t.typname operator(pg_catalog.~*) '^[a-z0-9.-]+/[a-z0-9.+-]+$')
    and ${schemaIsIn('f.pronamespace', schemas)}
    and ((f.prokind = 'f' and not f.proretset)
      or (f.prokind = 'a' and f.pronargs = 1
        and (at.oid = 'anyelement'::regtype or at.oid in (${rowTypes}))))`

// What a role sets for itself at sign-in is not in force after SET ROLE, so it is set a request: as far as who logs in
// may set it.
const roleSettings = ({ loginRole }: CatalogueScope): SqlFragment => sql`
  select coalesce(json_agg(json_build_object('role', s.role, 'name', s.name, 'value', s.value)), '[]')
  from (
    select r.rolname as role, l.rolname as login,
      pg_catalog.split_part(entry, '=', 1) as name, pg_catalog.substr(entry, pg_catalog.strpos(entry, '=') + 1) as value
    from pg_catalog.pg_roles l
    join pg_catalog.pg_auth_members m on m.member = l.oid
    join pg_catalog.pg_roles r on r.oid = m.roleid
    cross join unnest(r.rolconfig) entry
    where l.rolname = coalesce(${typed(loginRole, 'text')}, current_user)
  ) s
  join pg_catalog.pg_settings g on g.name = s.name
  where g.context = 'user' or pg_catalog.has_parameter_privilege(s.login, s.name, 'set')`

/**
 * Reads the schema in one round trip: one row with the JSON of a `Catalogue`.
 *
 * Type names are wanted fully qualified, which PostgreSQL writes only where they are not in the search path: the search
 * path is emptied first, and the rest made to depend on it.
 */
export function catalogueStatement(scope: CatalogueScope): Statement {
  const withViews = [...new Set([...scope.schemas, ...scope.extraSearchPath])]
  return compile(sql`
    with recursive
    path as materialized (select pg_catalog.set_config('search_path', '', true) as emptied),
    domains as (
      select oid, oid as base, typnamespace as base_schema, typbasetype as next from pg_catalog.pg_type
      union all
      select d.oid, t.oid, t.typnamespace, t.typbasetype from domains d join pg_catalog.pg_type t on t.oid = d.next
    ),
    base_types as (select oid, base, base_schema from domains where next = 0)
    select (
      select json_build_object(
        'relations', (${relations(scope.schemas)}),
        'keys', (${keys}),
        'views', (${views(withViews, scope.knownViews)}),
        'functions', (${functions(scope)}),
        'computed', (${computed}),
        'representations', (${representations}),
        'handlers', (${handlers(scope.schemas)}),
        'roleSettings', (${roleSettings(scope)}))
      where path.emptied is not null
    )::text as document
    from path`)
}
