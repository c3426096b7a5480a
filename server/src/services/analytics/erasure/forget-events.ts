import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { RowTimes } from '../../../ground/privacy/consent.ts'
import { type Forget, isWithdrawn } from '../../../ground/privacy/withdrawal.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** Removes the events of ids from before, and counts their days anew; where there are none, nothing is written. */
export const createForgetEvents =
  ({ query, command }: Pick<ClickHouse, 'query' | 'command'>): Forget =>
  async (distinctIds, before) => {
    const theirs = sql`distinct_id in ${typed(distinctIds, 'Array(String)')}`
    const isForgotten = isWithdrawn(distinctIds, before, {
      received: sql`toUnixTimestamp64Milli(received_at)`,
      happened: sql`toUnixTimestamp64Milli(timestamp)`,
    })
    const [found] = await query(selectFoundStatement(theirs, isForgotten, before))
    if (found === undefined) return
    // The days first: where this ends in between, there are still events that say that it is to be done. An event that is
    // stored meanwhile is counted once, though it be inserted twice.
    for (const table of ['visitor_days', 'group_visits'] as const) await command(deleteStatement(table, theirs))
    const isCounted = sql`${theirs} and not (${isForgotten})`
    await command(insertDaysStatement(isCounted))
    await command(insertVisitsStatement(isCounted))
    for (const table of [...madeOfEvents, 'events'] as const) await command(deleteStatement(table, isForgotten))
  }

/** Tables that have rows of single events. */
const madeOfEvents = ['page_uses', 'web_vitals'] as const

const selectFoundStatement = (theirs: SqlFragment, isForgotten: SqlFragment, before: RowTimes): ClickHouseStatement =>
  compileClickHouse(sql`
    select 1
    from (
      select 1 from events where ${isForgotten} limit 1
      union all
      select 1
      from visitor_days
      where ${theirs} and toUnixTimestamp64Milli(first_at) < ${typed(before.receivedMs, 'Int64')}
      limit 1
    )`)

/** Counts days as the view that feeds them does. */
const insertDaysStatement = (isCounted: SqlFragment): ClickHouseStatement =>
  compileClickHouse(sql`
    insert into visitor_days
    select distinct_id, toDate(timestamp) as day, uniqState(uuid) as events,
      uniqState(nullIf(session_id, '')) as sessions, min(timestamp) as first_at, max(timestamp) as last_at
    from events
    where ${isCounted}
    group by distinct_id, day`)

/** As `insertDaysStatement`, of visits of groups. */
const insertVisitsStatement = (isCounted: SqlFragment): ClickHouseStatement =>
  compileClickHouse(sql`
    insert into group_visits
    select g.1 as type, g.2 as key, toDate(timestamp) as day, distinct_id, session_id, uniqState(uuid) as events,
      uniqState(if(event = '$exception', toNullable(uuid), null)) as exceptions, min(timestamp) as first_at,
      max(timestamp) as last_at
    from events
    array join arraySlice(arrayZip(mapKeys(groups), mapValues(groups)), 1, 10) as g
    where ${isCounted}
    group by type, key, day, distinct_id, session_id`)

const deleteStatement = (
  table: 'events' | 'visitor_days' | 'group_visits' | (typeof madeOfEvents)[number],
  isDeleted: SqlFragment,
): ClickHouseStatement =>
  compileClickHouse(sql`alter table ${constant(table)} delete where ${isDeleted} settings mutations_sync = 2`)
