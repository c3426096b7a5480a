import { type Static, Type } from 'typebox'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { shownSchemas } from './scope.ts'

/** A table as the diagram draws it. */
export const DiagramTable = Type.Object(
  {
    schema: Type.String(),
    name: Type.String(),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        nullable: Type.Boolean(),
        isKey: Type.Boolean({ description: 'Whether it is in the primary key' }),
      }),
    ),
    references: Type.Array(
      Type.Object({
        name: Type.String(),
        columns: Type.Array(Type.String()),
        schema: Type.String(),
        table: Type.String(),
        foreignColumns: Type.Array(Type.String()),
      }),
    ),
  },
  { $id: 'DiagramTable' },
)
export type DiagramTable = Static<typeof DiagramTable>

/** More tables would be no picture any more. */
const mostTables = 500

/** The tables of a schema with their columns and foreign keys, by name. */
export const selectDiagram = (schema: string): Statement =>
  compile(sql`
    select n.nspname as schema, c.relname as name,
      (select coalesce(json_agg(json_build_object(
          'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod), 'nullable', not a.attnotnull,
          'isKey', exists (select from pg_catalog.pg_constraint k
            where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any (k.conkey))
        ) order by a.attnum), '[]')
        from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(json_agg(json_build_object(
          'name', k.conname,
          'columns', (select json_agg(a.attname order by p.place)
            from unnest(k.conkey) with ordinality p (number, place)
            join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.number),
          'schema', s.nspname, 'table', f.relname,
          'foreignColumns', (select json_agg(a.attname order by p.place)
            from unnest(k.confkey) with ordinality p (number, place)
            join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = p.number)
        ) order by k.conname), '[]')
        from pg_catalog.pg_constraint k
        join pg_catalog.pg_class f on f.oid = k.confrelid
        join pg_catalog.pg_namespace s on s.oid = f.relnamespace
        where k.conrelid = c.oid and k.contype = 'f' and k.conparentid = 0) as "references"
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = ${typed(schema, 'text')} and ${shownSchemas}
    order by c.relname
    limit ${mostTables}`)
