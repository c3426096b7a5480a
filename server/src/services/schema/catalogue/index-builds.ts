import { type Static, Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** An index that is being built. */
export const IndexBuild = Type.Object(
  {
    name: Nullable(Type.String(), { description: 'Null before it has one' }),
    phase: Type.String({ description: 'In PostgreSQL’s words: `building index: scanning table`' }),
    part: Nullable(Type.Number(), { description: 'Of the phase, from 0 to 1; null where that is not known' }),
  },
  { $id: 'IndexBuild' },
)
export type IndexBuild = Static<typeof IndexBuild>

/**
 * The indexes that are being built on a table, to be asked as the role that builds them.
 *
 * @see https://www.postgresql.org/docs/current/progress-reporting.html#CREATE-INDEX-PROGRESS-REPORTING
 */
export const selectIndexBuilds = (schema: string, table: string): Statement =>
  compile(sql`
    select x.relname as name, p.phase,
      case
        when p.blocks_total > 0 then p.blocks_done::float8 / p.blocks_total
        when p.tuples_total > 0 then p.tuples_done::float8 / p.tuples_total
        when p.lockers_total > 0 then p.lockers_done::float8 / p.lockers_total
      end as part
    from pg_catalog.pg_stat_progress_create_index p
    left join pg_catalog.pg_class x on x.oid = p.index_relid
    where p.datname = pg_catalog.current_database()
      and p.relid = pg_catalog.to_regclass(
        pg_catalog.format('%I.%I', ${typed(schema, 'text')}, ${typed(table, 'text')}))
    order by x.relname`)
