import { expect } from 'vitest'
import { analyticsTables } from '../src/services/analytics/index.ts'
import { replayTables } from '../src/services/replay/index.ts'
import { threadTables } from '../src/services/thread/index.ts'
import { test } from './harness.ts'
import { tablesWith } from './tables-with.ts'

/**
 * Rows of tables that have a lifetime: one that is past a week, and one that is not, in parts of two weeks. Where a merge drops
 * some rows of a part by their lifetime, a projection of `snapshots` and of `changes` keeps theirs, as merges of these tables
 * ignore projections: until the last row of its part is past it.
 */
const rows = [
  {
    table: 'requests',
    insert: `insert into requests (id, time, session_id)
             values ('gone', now64(3) - interval 8 day, 'gone'), ('kept', now64(3), 'kept')`,
    lifetime: 'toDateTime(time) + toIntervalDay(7)',
  },
  {
    table: 'snapshots',
    insert: `insert into snapshots (session_id, uuid, first_ts, received_at)
             select id, generateUUIDv4(), at, at
             from (select arrayJoin([('gone', 691200), ('kept', 0)]) as row, row.1 as id,
                     toUnixTimestamp64Milli(now64(3)) - row.2 * 1000 as at)`,
    lifetime: `toDateTime(intDiv(received_at, 1000), 'UTC') + toIntervalDay(7)`,
  },
] as const

test('what is past its lifetime is in no projection either', async ({ db, clickhouse }) => {
  for (const tables of [analyticsTables, replayTables, threadTables])
    await clickhouse.migrate(tables.name, tables.clickhouse)
  const command = (text: string) => clickhouse.command({ text, parameters: {} })
  // Parts know from when on their rows are past it by the lifetime that the table had when they were written.
  for (const { table, lifetime } of rows) await command(`alter table ${table} modify ttl ${lifetime}`)
  for (const { table, insert } of rows) {
    await command(`system stop ttl merges ${table}`)
    await command(insert)
  }
  const before = await tablesWith(db, clickhouse, 'gone')
  expect(before).toEqual(['requests', 'snapshots'])
  for (const { table } of rows) {
    await command(`system start ttl merges ${table}`)
    await command(`optimize table ${table} final`)
  }
  expect(await tablesWith(db, clickhouse, 'gone')).toEqual([])
  expect(await tablesWith(db, clickhouse, 'kept')).toEqual(before)
})
