import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

const inSlice = (slice: number, slices: number) =>
  sql`cityHash64(uuid) % ${typed(slices, 'UInt32')} = ${typed(slice, 'UInt32')}`

/** How many events there are, each counted once, in all or in one of `slices` parts of about one size. */
export const countEventsStatement = (slice = 0, slices = 1): ClickHouseStatement =>
  compileClickHouse(sql`select toString(count()) as count from events final where ${inSlice(slice, slices)}`)

/** The events of one part as Parquet. */
export const selectEventsStatement = (slice: number, slices: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select *
    from events final
    where ${inSlice(slice, slices)}
    order by timestamp, uuid
    format Parquet`)
