import { type Static, Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import { isOwners, ofExtension, shownSchemas } from './scope.ts'

/** A domain: a type with conditions of its own. */
export const SchemaDomain = Type.Object(
  {
    schema: Type.String(),
    name: Type.String(),
    type: Type.String({ description: 'That its values are of' }),
    nullable: Type.Boolean(),
    default: Nullable(Type.String()),
    checks: Type.Array(Type.Object({ name: Type.String(), definition: Type.String() })),
    changeable: Type.Boolean(),
    columns: Type.Array(Type.String(), { description: 'That have it, with schema and table' }),
  },
  { $id: 'SchemaDomain' },
)
export type SchemaDomain = Static<typeof SchemaDomain>

/** Domains with their conditions and the columns of their type. */
export const selectDomains = (ownerRole: string): Statement =>
  compile(sql`
    select n.nspname as schema, t.typname as name, pg_catalog.format_type(t.typbasetype, t.typtypmod) as type,
      not t.typnotnull as nullable, t.typdefault as default,
      (select coalesce(json_agg(json_build_object(
          'name', k.conname, 'definition', pg_catalog.pg_get_constraintdef(k.oid, true)) order by k.conname), '[]')
        from pg_catalog.pg_constraint k
        where k.contypid = t.oid and k.contype = 'c') as checks,
      ${isOwners(sql`t.typowner`, ownerRole)} as changeable,
      (select coalesce(json_agg(s.nspname || '.' || c.relname || '.' || a.attname order by s.nspname, c.relname), '[]')
        from pg_catalog.pg_attribute a
        join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
        join pg_catalog.pg_namespace s on s.oid = c.relnamespace
        where a.atttypid = t.oid and not a.attisdropped) as columns
    from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    where t.typtype = 'd' and ${shownSchemas} and not ${ofExtension(sql`'pg_catalog.pg_type'`, sql`t.oid`)}
    order by n.nspname <> 'public', n.nspname, t.typname`)
