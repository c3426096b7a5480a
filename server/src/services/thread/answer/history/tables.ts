import type { Sql } from '../../../../engines/postgres/index.ts'
import { compile } from '../../../../ground/sql/postgres.ts'
import { sql } from '../../../../ground/sql/sql.ts'

/** A table as PostgreSQL knows it now. */
export interface CurrentTable {
  /** Its number first, of a partition its whole's; then those of its partitions, which may have been tables of their own. */
  readonly relations: readonly number[]
  readonly partitions: readonly { readonly schema: string; readonly table: string }[]
  readonly keyColumns: readonly string[]
  readonly keyNumbers: readonly number[]
}

interface TableRow {
  readonly relation: string
  readonly schema: string
  readonly table: string
  readonly key_columns: readonly string[]
  readonly key_numbers: readonly number[]
}

/** Finds tables by name; null for one that is not there (any more). */
export function createFindTable(database: Pick<Sql, 'query'>) {
  return async (schema: string, table: string): Promise<CurrentTable | null> => {
    const { rows } = await database.query<TableRow>(
      compile(sql`
        with named as (
          select coalesce(pg_catalog.pg_partition_root(c.oid)::oid, c.oid) as oid
          from pg_catalog.pg_class c
          join pg_catalog.pg_namespace n on n.oid = c.relnamespace
          where n.nspname = ${schema} and c.relname = ${table} and c.relkind in ('r', 'p')
        ),
        members as (
          select oid, 0 as level from named
          union all
          select t.relid, t.level from named, pg_catalog.pg_partition_tree(named.oid) t where t.level > 0
        )
        select
          c.oid::bigint as relation,
          n.nspname::text as schema,
          c.relname::text as table,
          array(
            select a.attname::text
            from pg_catalog.pg_index i
            cross join lateral unnest(i.indkey) with ordinality as k (attnum, place)
            join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
            where i.indrelid = c.oid and i.indisprimary
            order by k.place
          ) as key_columns,
          array(
            select k.attnum::int
            from pg_catalog.pg_index i
            cross join lateral unnest(i.indkey) with ordinality as k (attnum, place)
            where i.indrelid = c.oid and i.indisprimary
            order by k.place
          ) as key_numbers
        from members m
        join pg_catalog.pg_class c on c.oid = m.oid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        order by m.level, c.oid`),
    )
    const [own, ...partitions] = rows
    if (own === undefined) return null
    return {
      relations: rows.map(({ relation }) => Number(relation)),
      partitions,
      keyColumns: own.key_columns,
      keyNumbers: own.key_numbers,
    }
  }
}
