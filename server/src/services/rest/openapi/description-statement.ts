import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** A function as its description shows it: types as they are named in the search path of the request. */
export interface DescribedFunction {
  readonly name: string
  readonly comment: string | null
  readonly volatility: 'i' | 's' | 'v'
  readonly parameters: readonly DescribedParameter[]
}

export interface DescribedParameter {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly variadic: boolean
}

/** What of a schema a role may know of. */
export interface Described {
  /** The schema's comment. */
  readonly comment: string | null
  /** Names of relations. */
  readonly relations: readonly string[]
  readonly functions: readonly DescribedFunction[]
}

const nothing = constant('true')

const relations = (follows: boolean): SqlFragment => sql`
  select coalesce(json_agg(c.relname order by c.relname), '[]')
  from pg_catalog.pg_class c
  where c.relnamespace = n.oid and c.relkind in ('v', 'r', 'm', 'f', 'p') and not c.relispartition
    and ${
      follows
        ? sql`(pg_catalog.pg_has_role(c.relowner, 'usage')
          or pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
          or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update, references'))`
        : nothing
    }`

const functions = (follows: boolean): SqlFragment => sql`
  select coalesce(json_agg(json_build_object(
    'name', f.proname,
    'comment', pg_catalog.obj_description(f.oid, 'pg_proc'),
    'volatility', f.provolatile,
    'parameters', a.list) order by f.proname, f.pronargs), '[]')
  from pg_catalog.pg_proc f
  cross join lateral (
    select
      coalesce(json_agg(json_build_object(
        'name', coalesce(p.name, ''),
        'type', pg_catalog.format_type(p.type, null),
        'required', p.place <= f.pronargs - f.pronargdefaults,
        'variadic', coalesce(p.mode = 'v', false)) order by p.place), '[]') as list,
      count(*) filter (where coalesce(p.name, '') = '') as unnamed,
      count(*) as total,
      bool_and(coalesce(p.name, '') <> '' or p.type = any ('{bytea,json,jsonb,text,xml}'::regtype[])) as callable
    from (
      select x.name, x.type, x.mode, pg_catalog.row_number() over (order by x.place) as place
      from unnest(
        coalesce(f.proargnames, '{}'),
        coalesce(f.proallargtypes, f.proargtypes::oid[]),
        coalesce(f.proargmodes, '{}')) with ordinality x (name, type, mode, place)
      where x.type is not null and coalesce(x.mode, 'i') in ('i', 'b', 'v')
    ) p
  ) a
  where f.pronamespace = n.oid and f.prokind = 'f'
    and f.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and (a.unnamed = 0 or (a.total = 1 and a.callable))
    and ${follows ? sql`pg_catalog.has_function_privilege(f.oid, 'execute')` : nothing}`

/**
 * The question for what a description shows: one row with JSON, {@link Described}.
 *
 * @param follows whether it leaves out what the role has no privilege on
 */
export function descriptionStatement(schema: string, follows: boolean): Statement {
  return compile(sql`
    select json_build_object(
      'comment', pg_catalog.obj_description(n.oid, 'pg_namespace'),
      'relations', (${relations(follows)}),
      'functions', (${functions(follows)}))::text as document
    from pg_catalog.pg_namespace n
    where n.nspname = ${typed(schema, 'text')}`)
}
