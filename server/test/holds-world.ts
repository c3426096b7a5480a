import { type ClickHouse, expireRows } from '../src/engines/clickhouse/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { keptTables } from '../src/plan/tables/service-tables.ts'
import { analyticsTables, findKnownPerson } from '../src/services/analytics/index.ts'
import { authTables } from '../src/services/auth/index.ts'
import { exceptionLifetime, issuesTables } from '../src/services/issues/index.ts'
import { otlpLifetimes, otlpTables } from '../src/services/otlp/index.ts'
import { recordingLifetime, replayTables } from '../src/services/replay/index.ts'
import {
  createRetention,
  type Retention,
  type RetentionSettings,
  retentionSettings,
  retentionTables,
} from '../src/services/retention/index.ts'
import { changeLifetime, requestLifetimes, threadTables } from '../src/services/thread/index.ts'
import { test as base, type TestDatabase } from './harness.ts'

const dayMs = 24 * 60 * 60_000
/** Rows of this day are past the lifetimes of `expire`. */
export const oldDay = '2026-01-01T12:00:00.000Z'
export const now = new Date('2026-03-01T12:00:00.000Z')

/** Whose rows they are, of which tab of whom. */
export interface Visit {
  readonly session: string
  readonly distinctId: string
  readonly userId?: string
  readonly at?: string
  readonly status?: number
}

/** Retention on both engines, with the tables of every room whose rows are deleted by their age. */
export const test = base.extend('world', async ({ db, clickhouse }) => {
  await db.migrate(authTables.name, authTables.postgres)
  for (const { name, ...tables } of [
    ...[analyticsTables, replayTables, threadTables, otlpTables, issuesTables, retentionTables],
  ]) {
    if ('postgres' in tables) await db.migrate(name, tables.postgres)
    await clickhouse.migrate(name, tables.clickhouse)
  }
  return openHolds(db, clickhouse)
})

function openHolds(db: TestDatabase, clickhouse: ClickHouse) {
  let at = now
  const open = (given: Partial<RetentionSettings> = {}): Retention =>
    createRetention({
      ...{ sql: db.admin, clickhouse, tables: keptTables, newId: uuidv7, now: () => at },
      findPerson: (key) => findKnownPerson(db.admin, key),
      settings: { ...readSettings(retentionSettings, []).values, ...given },
    })
  const days = { requestRetentionDays: 7, changeRetentionDays: 7, exchangeRetentionDays: 7, retentionDays: 7 }
  const lifetimes = [
    ...[...requestLifetimes(days), changeLifetime(days), recordingLifetime(days), exceptionLifetime(days)],
    ...otlpLifetimes(days),
  ]
  return {
    ...{ db, clickhouse, open },
    /** Deletes what is past a week of lifetime. */
    expire: ({ keptLonger }: Retention) =>
      expireRows({ clickhouse, lifetimes, keptLonger, now: () => at }, new AbortController().signal),
    later: (passedMs: number): void => {
      at = new Date(at.getTime() + passedMs)
    },
    visit: (visit: Visit) => leave(clickhouse, visit),
    left: () => readLeft(clickhouse),
  }
}

export type HoldsWorld = ReturnType<typeof openHolds>

/** Tables in which a visit leaves a row, by the column that names it. */
const named = {
  requests: 'id',
  statements: 'request_id',
  function_logs: 'request_id',
  exchanges: 'request_id',
  frames: 'id',
  spans: 'trace_id',
  server_logs: 'id',
  changes: 'request_id',
  snapshots: 'session_id',
  exceptions: 'id',
} as const
export const everyTable = Object.keys(named).toSorted()

/** A row of a session in every table: each is named by the session. */
async function leave(
  clickhouse: ClickHouse,
  { session, distinctId, userId = '', at = oldDay, status = 200 }: Visit,
): Promise<void> {
  const time = at.replace('T', ' ').replace('Z', '')
  const ms = Date.parse(at)
  const sender = { session_id: session, distinct_id: distinctId, user_id: userId }
  await clickhouse.insert('requests', [{ ...sender, id: session, time, status, writes: true }])
  await clickhouse.insert('statements', [{ request_id: session, ordinal: 0, time, text: 'select 1' }])
  await clickhouse.insert('function_logs', [{ id: session, time, name: 'f', request_id: session }])
  await clickhouse.insert('exchanges', [{ request_id: session, time }])
  await clickhouse.insert('frames', [{ ...sender, id: session, time }])
  // The one is tied by the request, whose id is its trace's, the other by the session that it names.
  await clickhouse.insert('spans', [{ trace_id: session, span_id: 'b1', time }])
  await clickhouse.insert('server_logs', [{ id: session, session_id: session, time }])
  await clickhouse.insert('changes', [
    { commit_time: time, lsn: ms, request_id: session, schema_name: 'public', table_name: 'orders', key: session },
  ])
  await clickhouse.insert('snapshots', [
    { session_id: session, distinct_id: distinctId, uuid: uuidv7(), first_ts: ms, received_at: ms },
  ])
  if (status >= 500)
    await clickhouse.insert('exceptions', [
      { ...sender, id: session, client_time: time, time, received_at: time, fingerprint: session },
    ])
  await clickhouse.insert('events', [
    {
      ...{ uuid: uuidv7(), event: 'seen', distinct_id: distinctId, session_id: session },
      ...{ timestamp: time, client_time: time, received_at: time },
    },
  ])
}

/** The sessions of which each table has a row. */
async function readLeft(clickhouse: ClickHouse): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, string[]> = {}
  for (const [table, column] of Object.entries(named)) {
    const text = `select distinct ${column} as name from ${table} order by name`
    for (const { name } of await clickhouse.query<{ name: string }>({ text, parameters: {} })) {
      found[name] ??= []
      found[name]?.push(table)
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, tables]) => [name, tables.toSorted()]))
}

export const daysLater = (days: number): number => days * dayMs
