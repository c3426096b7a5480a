import { type Static, Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { isOwners, ofExtension, shownSchemas } from './scope.ts'

const texts = Type.Array(Type.String())
const named = { schema: Type.String(), name: Type.String() }

/** A function or procedure, without its source. */
export const SchemaFunction = Type.Object(
  {
    ...named,
    id: Type.String(),
    arguments: Type.String(),
    returns: Nullable(Type.String(), { description: 'Null for a procedure' }),
    language: Type.String(),
    volatility: Type.Enum(['immutable', 'stable', 'volatile']),
    securityDefiner: Type.Boolean({ description: 'Whether it runs with its owner’s rights' }),
    changeable: Type.Boolean(),
    comment: Nullable(Type.String()),
  },
  { $id: 'SchemaFunction' },
)
export type SchemaFunction = Static<typeof SchemaFunction>

/** A function with its definition. */
export const FunctionSource = Type.Object(
  { ...SchemaFunction.properties, definition: Type.String(), body: Type.String() },
  { $id: 'SchemaFunctionSource' },
)
export type FunctionSource = Static<typeof FunctionSource>

/** More functions are left out. */
const mostFunctions = 5_000

const functionFacts = (ownerRole: string) => sql`
  p.oid::text as id, n.nspname as schema, p.proname as name,
  pg_catalog.pg_get_function_identity_arguments(p.oid) as arguments,
  pg_catalog.pg_get_function_result(p.oid) as returns,
  l.lanname as language,
  case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as volatility,
  p.prosecdef as "securityDefiner",
  ${isOwners(sql`p.proowner`, ownerRole)} as changeable,
  pg_catalog.obj_description(p.oid, 'pg_proc') as comment`

/** Functions and procedures of all schemas, without those of extensions. */
export const selectFunctions = (ownerRole: string): Statement =>
  compile(sql`
    select ${functionFacts(ownerRole)}
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_language l on l.oid = p.prolang
    where p.prokind in ('f', 'p') and ${shownSchemas} and not ${ofExtension(sql`'pg_catalog.pg_proc'`, sql`p.oid`)}
    order by n.nspname <> 'public', n.nspname, p.proname, arguments
    limit ${mostFunctions}`)

/** One function with its source. */
export const selectFunction = (ownerRole: string, id: string): Statement =>
  compile(sql`
    select ${functionFacts(ownerRole)}, pg_catalog.pg_get_functiondef(p.oid) as definition, p.prosrc as body
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_language l on l.oid = p.prolang
    where p.oid = ${typed(id, 'bigint')} and p.prokind in ('f', 'p') and ${shownSchemas}`)

export const SchemaEnum = Type.Object(
  {
    ...named,
    labels: texts,
    changeable: Type.Boolean(),
    columns: Type.Array(Type.String(), { description: 'That have it, with schema and table' }),
  },
  { $id: 'SchemaEnum' },
)
export type SchemaEnum = Static<typeof SchemaEnum>

/** Enums with the columns of their type, or of arrays of it; columns are looked through once for all enums. */
export const selectEnums = (ownerRole: string): Statement =>
  compile(sql`
    with spellings as (
      select t.oid as type, t.oid as enum from pg_catalog.pg_type t where t.typtype = 'e'
      union all
      select t.typarray, t.oid from pg_catalog.pg_type t where t.typtype = 'e'
    ),
    used as (
      select g.enum, json_agg(s.nspname || '.' || c.relname || '.' || a.attname order by s.nspname, c.relname) as columns
      from spellings g
      join pg_catalog.pg_attribute a on a.atttypid = g.type and not a.attisdropped
      join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
      join pg_catalog.pg_namespace s on s.oid = c.relnamespace
      group by g.enum
    )
    select n.nspname as schema, t.typname as name, ${isOwners(sql`t.typowner`, ownerRole)} as changeable,
      (select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid) as labels,
      coalesce(u.columns, '[]') as columns
    from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    left join used u on u.enum = t.oid
    where t.typtype = 'e' and ${shownSchemas} and not ${ofExtension(sql`'pg_catalog.pg_type'`, sql`t.oid`)}
    order by n.nspname <> 'public', n.nspname, t.typname`)

export const SchemaExtension = Type.Object(
  {
    name: Type.String(),
    version: Type.String({ description: 'The newest that the server has' }),
    installed: Nullable(Type.String(), { description: 'The version that is created; null where none is' }),
    schema: Nullable(Type.String()),
    comment: Nullable(Type.String()),
  },
  { $id: 'SchemaExtension' },
)
export type SchemaExtension = Static<typeof SchemaExtension>

/** Extensions that are created, and those that could be. */
export const selectExtensions = (): Statement =>
  compile(sql`
    select a.name, coalesce(a.default_version, a.installed_version, '') as version, a.installed_version as installed,
      (select n.nspname from pg_catalog.pg_extension e
        join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = a.name) as schema,
      a.comment
    from pg_catalog.pg_available_extensions a
    order by a.installed_version is null, a.name`)

export const SchemaRole = Type.Object(
  {
    name: Type.String(),
    canLogin: Type.Boolean(),
    superuser: Type.Boolean(),
    bypassesRowSecurity: Type.Boolean(),
    createsRoles: Type.Boolean(),
    createsDatabases: Type.Boolean(),
    replicates: Type.Boolean(),
    memberOf: texts,
    readableTables: Type.Integer({ description: 'Of the tables of `public`, before row security' }),
    writableTables: Type.Integer(),
  },
  { $id: 'SchemaRole' },
)
export type SchemaRole = Static<typeof SchemaRole>

/** The roles that are not PostgreSQL's own, and the tables of `public` that each may read and write. */
export const selectRoles = (): Statement =>
  compile(sql`
    with tables as (
      select c.oid from pg_catalog.pg_class c
      where c.relkind in ('r', 'p') and c.relnamespace = pg_catalog.to_regnamespace('public') and not c.relispartition
      limit 1000
    )
    select r.rolname as name, r.rolcanlogin as "canLogin", r.rolsuper as superuser,
      r.rolbypassrls as "bypassesRowSecurity", r.rolcreaterole as "createsRoles", r.rolcreatedb as "createsDatabases",
      r.rolreplication as replicates,
      (select coalesce(json_agg(g.rolname order by g.rolname), '[]') from (
        select distinct o.rolname from pg_catalog.pg_auth_members m
        join pg_catalog.pg_roles o on o.oid = m.roleid where m.member = r.oid) g) as "memberOf",
      (select count(*)::int from tables t where pg_catalog.has_table_privilege(r.oid, t.oid, 'select')) as "readableTables",
      (select count(*)::int from tables t
        where pg_catalog.has_table_privilege(r.oid, t.oid, 'insert, update, delete')) as "writableTables"
    from pg_catalog.pg_roles r
    where r.rolname operator(pg_catalog.!~) '^(pg_|clew)'
    order by r.rolname not in ('anon', 'authenticated', 'service_role'), r.rolname`)

export const SchemaPublication = Type.Object(
  {
    name: Type.String(),
    owner: Type.String(),
    changeable: Type.Boolean(),
    allTables: Type.Boolean(),
    commands: texts,
    tables: Type.Array(Type.Object(named)),
  },
  { $id: 'SchemaPublication' },
)
export type SchemaPublication = Static<typeof SchemaPublication>

/** Publications with their tables; Clew's own, by which rows have a history, is not among them. */
export const selectPublications = (ownerRole: string): Statement =>
  compile(sql`
    select p.pubname as name, pg_catalog.pg_get_userbyid(p.pubowner) as owner,
      ${isOwners(sql`p.pubowner`, ownerRole)} as changeable, p.puballtables as "allTables",
      array_to_json(array_remove(array[
        case when p.pubinsert then 'insert' end, case when p.pubupdate then 'update' end,
        case when p.pubdelete then 'delete' end, case when p.pubtruncate then 'truncate' end
      ], null)) as commands,
      (select coalesce(json_agg(json_build_object('schema', n.nspname, 'name', c.relname) order by n.nspname, c.relname), '[]')
        from pg_catalog.pg_publication_rel r
        join pg_catalog.pg_class c on c.oid = r.prrelid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where r.prpubid = p.oid) as tables
    from pg_catalog.pg_publication p
    where p.pubname <> 'clew'
    order by p.pubname`)
