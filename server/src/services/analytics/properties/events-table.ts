import { type ClickHouse, type RewriteWork, settled } from '../../../engines/clickhouse/index.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, identifier, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { columnOf, columnPrefix, propertyOf, rawProperty } from './render.ts'

type Engine = Pick<ClickHouse, 'query' | 'command'>

/**
 * Adds the column of a property to `events`, whose values ClickHouse makes of all properties, and anew when it writes these anew; one
 * that is there stays. It can be read at once: of events that were stored before, its values are made as they are read.
 */
export const addColumn = ({ command }: Engine, property: string): Promise<void> =>
  command(
    compileClickHouse(sql`
      alter table events
      add column if not exists ${identifier(columnOf(property))} String materialized ${rawProperty(property)} codec(ZSTD(1))`),
  )

/** Writes the values of events that were stored before, without the rest of the parts. @throws as `rewriteTable` */
export async function fillColumn({ query, command }: Engine, property: string, work: RewriteWork): Promise<void> {
  // One at a time: what ClickHouse finds waiting it writes in one pass, whose memory is that of all.
  await settled(query, 'events', work)
  await command(changeStatement(property, sql`materialize column`))
  await settled(query, 'events', work)
}

/** Drops a column; what is not written anew yet is not read any more. */
export const dropColumn = ({ command }: Engine, property: string): Promise<void> =>
  command(changeStatement(property, sql`drop column if exists`))

/** In the background. */
const changeStatement = (property: string, change: SqlFragment): ClickHouseStatement =>
  compileClickHouse(sql`
    alter table events ${change} ${identifier(columnOf(property))}
    ${constant('settings mutations_sync = 0, alter_sync = 0')}`)

/** The properties whose column there is. */
export async function findColumns({ query }: Pick<Engine, 'query'>): Promise<ReadonlySet<string>> {
  const rows = await query<{ name: string }>(
    compileClickHouse(sql`
      select name
      from system.columns
      where database = currentDatabase() and table = 'events' and startsWith(name, ${columnPrefix})
        and default_kind = 'MATERIALIZED'`),
  )
  return new Set(rows.map(({ name }) => propertyOf(name)))
}

/** What columns of properties take on the disk; of those whose parts are small ClickHouse does not know it, and says 0. */
export async function findColumnBytes({ query }: Pick<Engine, 'query'>): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ column: string; bytes: string }>(
    compileClickHouse(sql`
      select column, sum(column_bytes_on_disk) as bytes
      from system.parts_columns
      where database = currentDatabase() and table = 'events' and active and startsWith(column, ${columnPrefix})
      group by column`),
  )
  return new Map(rows.map(({ column, bytes }) => [propertyOf(column), Number(bytes)]))
}
