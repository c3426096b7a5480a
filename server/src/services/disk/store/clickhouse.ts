import type { KeptTable } from '../../../ground/model/service-tables.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, identifier, sql, typed } from '../../../ground/sql/sql.ts'

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

/** A row where a table has some from before an instant. */
export const anyBeforeStatement = ({ name, time }: KeptTable, before: Date): ClickHouseStatement =>
  compileClickHouse(sql`
    select 1
    from ${identifier(name)}
    where ${constant(time)} < fromUnixTimestamp64Milli(${typed(before.getTime(), 'Int64')})
    limit 1`)

/** Writes the parts anew without the rows from before an instant. */
export const deleteBeforeStatement = ({ name, time }: KeptTable, before: Date): ClickHouseStatement =>
  compileClickHouse(sql`
    alter table ${identifier(name)}
    delete where ${constant(time)} < fromUnixTimestamp64Milli(${typed(before.getTime(), 'Int64')})
    settings mutations_sync = 2`)

/** The instant before which about that share of a table's rows lies, in milliseconds. */
export const quantileStatement = ({ name, time }: KeptTable, share: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select toInt64(quantile(${constant(share.toFixed(6))})(toUnixTimestamp64Milli(${constant(time)}))) as ms, count() as rows
    from ${identifier(name)}`)
