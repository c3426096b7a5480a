import { expect } from 'vitest'
import { expireRows } from '../src/engines/clickhouse/index.ts'
import { nothingKeptLonger } from '../src/ground/model/kept-longer.ts'
import { analyticsTables } from '../src/services/analytics/index.ts'
import { recordingLifetime, replayTables } from '../src/services/replay/index.ts'
import { changeLifetime, requestLifetimes, threadTables } from '../src/services/thread/index.ts'
import { test as base } from './harness.ts'
import { tablesWith } from './tables-with.ts'

const test = base.extend('tables', async ({ clickhouse }) => {
  for (const tables of [analyticsTables, replayTables, threadTables])
    await clickhouse.migrate(tables.name, tables.clickhouse)
})

/** Tables whose merges ignore projections: a row that is past a week, and one that is not, in one part. */
const inserts = [
  `insert into changes (commit_time, lsn, request_id, schema_name, table_name, key)
   values ('2026-01-01 23:59:59', 1, 'gone', 'public', 'orders', 'gone'), ('2026-01-02 00:00:00', 2, 'kept', 'public', 'orders', 'kept')`,
  `insert into snapshots (session_id, uuid, first_ts, received_at)
   select id, generateUUIDv4(), at, at
   from (select arrayJoin([('gone', '2026-01-01 23:59:59'), ('kept', '2026-01-02 00:00:00')]) as row, row.1 as id,
           toUnixTimestamp64Milli(toDateTime64(row.2, 3, 'UTC')) as at)`,
]

const insertRequests = `insert into requests (id, time) values ('gone', '2026-01-01 23:59:59'), ('kept', '2026-01-02 00:00:00')`

test('rows of a day that is past their lifetime go, from projections as well, and a merge before takes none of them', async ({
  db,
  clickhouse,
  tables,
}) => {
  expect(tables).toBeUndefined()
  const command = (text: string) => clickhouse.command({ text, parameters: {} })
  for (const insert of [...inserts, insertRequests]) await command(insert)
  for (const table of ['changes', 'requests', 'snapshots']) await command(`optimize table ${table} final`)
  const days = { requestRetentionDays: 7, changeRetentionDays: 7, exchangeRetentionDays: 7, retentionDays: 7 }
  const lifetimes = [...requestLifetimes(days), changeLifetime(days), recordingLifetime(days)]
  const expireAt = (now: string) =>
    expireRows(
      { clickhouse, lifetimes, keptLonger: nothingKeptLonger, now: () => new Date(now) },
      new AbortController().signal,
    )
  await expireAt('2026-01-08T23:59:59Z')
  expect(await tablesWith(db, clickhouse, 'gone')).toEqual(['changes', 'requests', 'snapshots'])
  await expireAt('2026-01-09T00:00:00Z')
  expect(await tablesWith(db, clickhouse, 'gone')).toEqual([])
  expect(await tablesWith(db, clickhouse, 'kept')).toEqual(['changes', 'requests', 'snapshots'])
})

test('what merges of an earlier version left in projections goes with the upgrade', async ({
  db,
  clickhouse,
  tables,
}) => {
  expect(tables).toBeUndefined()
  const command = (text: string) => clickhouse.command({ text, parameters: {} })
  for (const [table, id] of [
    ['changes', 'key'],
    ['snapshots', 'session_id'],
  ] as const) {
    await command(
      `alter table ${table} modify ttl toDateTime(if(${id} = 'gone', '2026-01-08 00:00:00', '2100-01-01 00:00:00'))`,
    )
    await command(`system stop ttl merges ${table}`)
  }
  for (const insert of inserts) await command(insert)
  for (const table of ['changes', 'snapshots']) {
    await command(`system start ttl merges ${table}`)
    await command(`optimize table ${table} final`)
  }
  expect(await tablesWith(db, clickhouse, 'gone')).toEqual(['changes', 'snapshots'])
  await command(`alter table migrations delete where name like '%_lifetimes.sql' settings mutations_sync = 1`)
  for (const each of [replayTables, threadTables]) await clickhouse.migrate(each.name, each.clickhouse)
  await expect.poll(() => tablesWith(db, clickhouse, 'gone'), { timeout: 60_000 }).toEqual([])
  expect(await tablesWith(db, clickhouse, 'kept')).toEqual(['changes', 'snapshots'])
  const statement = `select countIf(create_table_query like '% TTL %') as cut from system.tables where name in ('changes', 'snapshots')`
  expect(await clickhouse.query({ text: statement, parameters: {} })).toEqual([{ cut: '0' }])
})
