import { type Static, Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { isOwners, shownSchemas } from './scope.ts'

export const RelationKind = Type.Enum(['table', 'partitioned table', 'view', 'materialized view', 'foreign table'])

/** A table or view, as the list has it. */
export const SchemaRelation = Type.Object(
  {
    schema: Type.String(),
    name: Type.String(),
    kind: RelationKind,
    owner: Type.String(),
    changeable: Type.Boolean({ description: 'Whether it is the application’s own, and no service’s' }),
    comment: Nullable(Type.String()),
    key: Type.Array(Type.String(), { description: 'The columns of its primary key' }),
    columns: Type.Integer(),
    foreignKeys: Type.Integer(),
    indexes: Type.Integer(),
    triggers: Type.Integer(),
    policies: Type.Integer(),
    rowSecurity: Type.Boolean(),
    rows: Type.Number({ description: 'By PostgreSQL’s statistics' }),
    sizeBytes: Type.Number({ description: 'With its indexes and long values' }),
  },
  { $id: 'SchemaRelation' },
)
export type SchemaRelation = Static<typeof SchemaRelation>

/** A relation's kind in words; `c` is its row in `pg_class`. */
export const kindOfRelation: SqlFragment = sql`
  case c.relkind
    when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
    when 'm' then 'materialized view' else 'foreign table' end`

/** Its rows: counted at the last analyze, or else by the statistics of what was written. */
export const rowsOfRelation: SqlFragment = sql`
  case when c.reltuples >= 0 then c.reltuples else pg_catalog.pg_stat_get_live_tuples(c.oid) end`

const count = (from: string): SqlFragment => sql`(select count(*)::int from ${constant(from)})`

/** Tables and views of all schemas, partitions under their tables. */
export const selectRelations = (ownerRole: string): Statement =>
  compile(sql`
    select n.nspname as schema, c.relname as name, ${kindOfRelation} as kind,
      pg_catalog.pg_get_userbyid(c.relowner) as owner, ${isOwners(sql`c.relowner`, ownerRole)} as changeable,
      pg_catalog.obj_description(c.oid, 'pg_class') as comment,
      (select coalesce(json_agg(a.attname order by p.place), '[]')
        from pg_catalog.pg_constraint k,
          unnest(k.conkey) with ordinality p (number, place)
        join pg_catalog.pg_attribute a on a.attnum = p.number
        where k.conrelid = c.oid and k.contype = 'p' and a.attrelid = c.oid) as key,
      ${count('pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped')} as columns,
      ${count("pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype = 'f'")} as "foreignKeys",
      ${count('pg_catalog.pg_index i where i.indrelid = c.oid')} as indexes,
      ${count('pg_catalog.pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal')} as triggers,
      ${count('pg_catalog.pg_policy p where p.polrelid = c.oid')} as policies,
      c.relrowsecurity as "rowSecurity",
      ${rowsOfRelation}::float8 as rows,
      case when c.relkind in ('r', 'm') then pg_catalog.pg_total_relation_size(c.oid) else 0 end::float8 as "sizeBytes"
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and ${shownSchemas}
    order by n.nspname <> 'public', n.nspname, c.relname`)

/** The schemas in which something can be made. */
export const selectSchemas = (): Statement =>
  compile(sql`
    select n.nspname as name
    from pg_catalog.pg_namespace n
    where ${shownSchemas}
    order by n.nspname <> 'public', n.nspname`)
