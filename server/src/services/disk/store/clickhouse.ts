import { mayGo } from '../../../ground/model/kept-longer.ts'
import type { KeptTable } from '../../../ground/model/service-tables.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, identifier, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** What a partition of a table takes on the disk. */
export interface PartitionRow {
  readonly table: string
  readonly id: string
  /** A 64-bit number as a text. */
  readonly bytes: string
}

/** The partitions of all tables, projections with them. */
export const partitionsStatement = (): ClickHouseStatement =>
  compileClickHouse(sql`
    select table, partition_id as id, sum(bytes_on_disk) as bytes
    from system.parts
    where database = currentDatabase() and active
    group by table, id`)

/** @throws TypeError for an id that is no day: statements of definition take no parameters */
export function dropPartitionStatement(table: string, id: string): ClickHouseStatement {
  if (!/^\d{8}$/.test(id)) throw new TypeError(`${id} is no day of a partition.`)
  return compileClickHouse(sql`alter table ${identifier(table)} drop partition id ${constant(`'${id}'`)}`)
}

/** What of a partition something keeps longer. */
export interface KeptRowsRow {
  readonly id: string
  /** 64-bit numbers as texts. */
  readonly kept: string
  readonly rows: string
}

/** How many rows of each partition are kept longer. */
export const keptRowsStatement = (table: string, kept: SqlFragment): ClickHouseStatement =>
  compileClickHouse(sql`
    select _partition_id as id, countIf(${kept}) as kept, count() as rows
    from ${identifier(table)}
    group by id`)

/** Writes a partition anew with what is kept longer alone. */
export const deleteInPartitionStatement = (table: string, id: string, kept: SqlFragment): ClickHouseStatement =>
  compileClickHouse(sql`
    alter table ${identifier(table)}
    delete where _partition_id = ${id} and ${mayGo(kept)}
    settings mutations_sync = 2`)

const isBefore = ({ time }: KeptTable, before: Date): SqlFragment =>
  sql`${constant(time)} < fromUnixTimestamp64Milli(${typed(before.getTime(), 'Int64')})`

/** A row where a table has some from before an instant that may go. */
export const anyBeforeStatement = (table: KeptTable, before: Date, kept: SqlFragment | null): ClickHouseStatement =>
  compileClickHouse(sql`
    select 1
    from ${identifier(table.name)}
    where ${isBefore(table, before)} and ${mayGo(kept)}
    limit 1`)

/** Writes the parts anew without the rows from before an instant that may go. */
export const deleteBeforeStatement = (table: KeptTable, before: Date, kept: SqlFragment | null): ClickHouseStatement =>
  compileClickHouse(sql`
    alter table ${identifier(table.name)}
    delete where ${isBefore(table, before)} and ${mayGo(kept)}
    settings mutations_sync = 2`)

/** The instant before which about that share of the rows of a table lies that may go, in milliseconds. */
export const quantileStatement = (
  { name, time }: KeptTable,
  share: number,
  kept: SqlFragment | null,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select toInt64(quantile(${constant(share.toFixed(6))})(toUnixTimestamp64Milli(${constant(time)}))) as ms, count() as rows
    from ${identifier(name)}
    where ${mayGo(kept)}`)
