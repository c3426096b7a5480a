import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { test as base, type TestDatabase } from '../../../test/harness.ts'
import { recordedActions } from '../../../test/operator-actions.ts'
import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import { nothingKeptLonger } from '../../ground/model/kept-longer.ts'
import type { KeptTable } from '../../ground/model/service-tables.ts'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../ground/sql/sql.ts'
import { diskRoutes } from './console/routes.ts'
import { createDisk, type Disk, type DiskDeps } from './disk.ts'
import { diskTables } from './index.ts'
import type { Limits } from './kinds.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const unwatched = { database: null, files: null, backups: null }
const none = { budgetBytes: null, days: null }
const unlimited: Limits = { recordings: none, events: none, requests: none, history: none, errors: none }
const table = { time: 'time', expires: true, ties: {} } as const
const tables: readonly KeptTable[] = [
  { ...table, kind: 'requests', name: 'calls', partition: 'day' },
  { ...table, kind: 'events', name: 'clicks', partition: null, expires: false },
]

const test = base.extend('engines', async ({ db, clickhouse }) => {
  await db.migrate(diskTables.name, diskTables.postgres)
  for (const [name, partition] of [
    ['calls', 'partition by toYYYYMMDD(time)'],
    ['clicks', ''],
  ] as const)
    await clickhouse.command(
      compileClickHouse(
        sql`create table ${constant(name)} (time DateTime64(3, 'UTC'), text String codec(NONE))
          engine = MergeTree ${constant(partition)} order by time`,
      ),
    )
  return { sql: db.admin, clickhouse }
})

/** A row of 1,000 letters for each of the last days, so many a day, all of them whole days ago. */
async function fill(clickhouse: ClickHouse, name: 'calls' | 'clicks', days: number, rows: number): Promise<void> {
  await clickhouse.command(
    compileClickHouse(sql`
      insert into ${constant(name)}
      select now64(3, 'UTC') - toIntervalDay(intDiv(number, ${typed(rows, 'UInt32')})), repeat('x', 1000)
      from numbers(${typed(days * rows, 'UInt32')})`),
  )
}

const daysOf = async (clickhouse: ClickHouse, name: 'calls' | 'clicks'): Promise<number> => {
  const [row] = await clickhouse.query<{ days: string }>(
    compileClickHouse(sql`select uniqExact(toDate(time)) as days from ${constant(name)}`),
  )
  return Number(row?.days)
}

function open(engines: { sql: TestDatabase['admin']; clickhouse: ClickHouse }, given: Partial<DiskDeps> = {}): Disk {
  return createDisk({
    ...engines,
    ...{ watched: unwatched, filesLimitBytes: null },
    ...{ tables, keptLonger: nothingKeptLonger, limits: unlimited, isExternal: false, reserveBytes: 256 },
    others: { files: { isHere: true, bytes: async () => 4321 } },
    space: { freeBytes: () => 10_000, totalBytes: () => 20_000, isShort: () => false },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    changed: () => undefined,
    now: () => new Date(),
    ...given,
  })
}

/** Waits until the clean-up has ended, or has failed. */
async function cleaned(disk: Disk) {
  await expect
    .poll(async () => {
      const { run } = await disk.state()
      return run !== null && (run.endedAt !== null || run.error !== null)
    })
    .toBe(true)
  return (await disk.state()).run
}

test('each kind is told with what it takes, and one that cannot be measured without', async ({ engines }) => {
  await fill(engines.clickhouse, 'calls', 2, 50)
  const disk = open(engines, {
    others: {
      files: { isHere: true, bytes: async () => 4321 },
      backups: { isHere: false, bytes: () => Promise.reject(new Error('away')) },
    },
  })
  const { kinds, ...state } = await disk.state()
  expect(state).toMatchObject({ freeBytes: 10_000, totalBytes: 20_000, isShort: false, fullAt: null, run: null })
  const of = new Map(kinds.map(({ kind, ...rest }) => [kind, rest]))
  expect(of.get('requests')?.bytes).toBeGreaterThan(100_000)
  expect(of.get('events')?.bytes).toBe(0)
  expect(of.get('database')?.bytes).toBeGreaterThan(1_000_000)
  expect(of.get('files')).toMatchObject({ bytes: 4321, isHere: true })
  expect(of.get('backups')).toMatchObject({ bytes: null, isHere: false })
  expect(of.has('logs')).toBe(false)
})

test('the growth of two weeks says when the disk is full', async ({ engines, db }) => {
  const now = new Date('2026-03-15T12:30:00Z')
  const sampled = async (daysAgo: number, bytes: number) => {
    const at = new Date(now.getTime() - daysAgo * dayMs)
    await db.admin.query(
      compile(
        sql`insert into clew_disk.samples values (${typed(at, 'timestamptz')}, 'files', ${typed(bytes, 'bigint')})`,
      ),
    )
  }
  // Longer ago than two weeks says nothing.
  for (const [daysAgo, bytes] of [
    [30, 9_000_000],
    [4, 1000],
    [3, 2000],
    [2, 3000],
    [1, 4000],
  ] as const)
    await sampled(daysAgo, bytes)
  const { kinds, fullAt } = await open(engines, { now: () => now }).state()
  const files = kinds.find(({ kind }) => kind === 'files')
  expect(files?.growthBytesPerDay).toBeCloseTo(1000, 5)
  expect(kinds.find(({ kind }) => kind === 'events')?.growthBytesPerDay).toBeNull()
  expect(fullAt?.toISOString()).toBe('2026-03-25T12:30:00.000Z')
})

test('a budget that is only watched is told with its share, and holds nothing back in the forecast', async ({
  engines,
  db,
}) => {
  const now = new Date('2026-03-15T12:30:00Z')
  for (const [daysAgo, bytes] of [
    [2, 3000],
    [1, 4000],
  ] as const) {
    const at = new Date(now.getTime() - daysAgo * dayMs)
    await db.admin.query(
      compile(
        sql`insert into clew_disk.samples values (${typed(at, 'timestamptz')}, 'files', ${typed(bytes, 'bigint')})`,
      ),
    )
  }
  const watched = { database: null, files: 8642, backups: 1000 }
  const disk = open(engines, { watched, now: () => now })
  expect(await disk.watched()).toEqual([
    { kind: 'files', percent: 50, detail: 'Files take 0 MiB of 0 (files_mib of [disk]).' },
  ])
  const { kinds, fullAt } = await disk.state()
  expect(kinds.find(({ kind }) => kind === 'files')).toMatchObject({ budgetBytes: 8642, days: null })
  expect(fullAt?.toISOString()).toBe('2026-03-25T12:30:00.000Z')
  expect(await open(engines).watched()).toEqual([])
})

test('files are full at their limit, and no more below it; what cannot be counted changes nothing', async ({
  engines,
}) => {
  let [bytes, counts] = [5000, 0]
  const others: DiskDeps['others'] = {
    files: {
      isHere: true,
      async bytes() {
        counts += 1
        if (bytes < 0) throw new Error('away')
        return bytes
      },
    },
  }
  const disk = open(engines, { others, filesLimitBytes: 5000, watched: { ...unwatched, files: 5000 } })
  expect([disk.areFilesFull(), disk.budgetsHealth?.().state]).toEqual([false, 'up'])
  const look = async () => {
    const before = counts
    disk.lookAtBudgets()
    await expect.poll(() => counts).toBeGreaterThan(before)
  }
  disk.start()
  await expect.poll(disk.areFilesFull).toBe(true)
  await expect
    .poll(() => disk.budgetsHealth?.())
    .toMatchObject({
      ...{ name: 'budgets', state: 'degraded' },
      detail:
        'Files take 0 MiB of 0 (files_limit_mib of [disk]). Storage takes no more files, and answers 507 until some are removed.',
    })
  bytes = -1
  await look()
  expect(disk.areFilesFull()).toBe(true)
  bytes = 4999
  await look()
  await expect.poll(disk.areFilesFull).toBe(false)
  await expect.poll(() => disk.budgetsHealth?.().state).toBe('up')
  await disk.close()
})

test('budgets that are reached are told together; without any there is nothing to tell', async ({ engines }) => {
  const mib = 1024 ** 2
  const others: DiskDeps['others'] = {
    files: { isHere: true, bytes: async () => 3 * mib },
    backups: { isHere: true, bytes: async () => 5.5 * mib },
  }
  const disk = open(engines, { others, watched: { database: 1e12, files: 3 * mib, backups: 4 * mib } })
  disk.start()
  await expect
    .poll(() => disk.budgetsHealth?.().detail)
    .toBe('Files take 3 MiB of 3 (files_mib of [disk]). Backups take 5 MiB of 4 (backups_mib of [disk]).')
  await disk.close()
  expect(open(engines).budgetsHealth).toBeNull()
})

test('restore points are a kind that grows for as long as they are kept', async ({ engines, db }) => {
  const now = new Date('2026-03-15T12:30:00Z')
  for (const [daysAgo, bytes] of [
    [2, 3000],
    [1, 4000],
  ] as const) {
    const at = new Date(now.getTime() - daysAgo * dayMs)
    await db.admin.query(
      compile(
        sql`insert into clew_disk.samples values (${typed(at, 'timestamptz')}, 'restore points', ${typed(bytes, 'bigint')})`,
      ),
    )
  }
  const stateFor = (days: number) =>
    open(engines, {
      others: { 'restore points': { isHere: true, days, bytes: async () => 5000 } },
      now: () => now,
    }).state()
  const { kinds, fullAt } = await stateFor(14)
  expect(kinds.find(({ kind }) => kind === 'restore points')).toMatchObject({
    ...{ bytes: 5000, days: 14, budgetBytes: null, isHere: true },
    growthBytesPerDay: expect.closeTo(1000, 3),
  })
  expect(fullAt?.toISOString()).toBe('2026-03-25T12:30:00.000Z')
  expect((await stateFor(9)).fullAt).toBeNull()
})

test('what kinds take is kept once an hour', async ({ engines, db }) => {
  let now = new Date('2026-03-15T12:59:00Z')
  const disk = open(engines, { now: () => now })
  const hours = async () =>
    (
      await db.admin.query<{ hour: string }>(
        compile(
          sql`select distinct to_char(hour at time zone 'utc', 'HH24:MI') as hour from clew_disk.samples order by 1`,
        ),
      )
    ).rows.map(({ hour }) => hour)
  await disk.sample()
  await disk.sample()
  expect(await hours()).toEqual(['12:00'])
  now = new Date(now.getTime() + hourMs)
  await disk.sample()
  expect(await hours()).toEqual(['12:00', '13:00'])
})

test('a clean-up drops the oldest days of a table until its budget holds, and says what it freed', async ({
  engines,
}) => {
  await fill(engines.clickhouse, 'calls', 5, 100)
  const disk = open(engines, { limits: { ...unlimited, requests: { budgetBytes: 250_000, days: null } } })
  disk.start()
  const run = await cleaned(disk)
  expect(run).toMatchObject({ error: null, doing: null })
  expect(run?.freed).toHaveLength(3)
  expect(run?.freed[0]).toMatchObject({ kind: 'requests', what: expect.stringMatching(/^calls of \d{4}-\d\d-\d\d$/) })
  expect(run?.freed.every(({ bytes }) => bytes > 90_000)).toBe(true)
  expect(await daysOf(engines.clickhouse, 'calls')).toBe(2)
  await disk.close()
})

test('a table without partitions loses its oldest rows: past its days, and above its budget', async ({ engines }) => {
  await fill(engines.clickhouse, 'clicks', 10, 100)
  const days = open(engines, { limits: { ...unlimited, events: { budgetBytes: null, days: 5 } } })
  days.start()
  const run = await cleaned(days)
  expect(run?.freed).toMatchObject([{ kind: 'events', what: expect.stringMatching(/^clicks before /) }])
  expect(run?.freed[0]?.bytes).toBeGreaterThan(300_000)
  await days.close()
  const left = await daysOf(engines.clickhouse, 'clicks')
  expect(left).toBeGreaterThanOrEqual(5)
  expect(left).toBeLessThanOrEqual(6)
  const budget = open(engines, { limits: { ...unlimited, events: { budgetBytes: 330_000, days: null } } })
  budget.start()
  await budget.runNow()
  await expect
    .poll(async () => (await budget.state()).kinds.find(({ kind }) => kind === 'events')?.bytes)
    .toBeLessThan(330_000)
  await budget.close()
})

const heldIn = async (clickhouse: ClickHouse, name: 'calls' | 'clicks'): Promise<number> => {
  const [row] = await clickhouse.query<{ rows: string }>(
    compileClickHouse(sql`select count() as rows from ${constant(name)} where text = 'held'`),
  )
  return Number(row?.rows)
}

test('of a day that is past its days or above its budget what is held stays, on top of the budget', async ({
  engines,
}) => {
  const { clickhouse } = engines
  for (const name of ['calls', 'clicks'] as const) {
    await fill(clickhouse, name, 5, 100)
    await clickhouse.command(
      compileClickHouse(sql`
        insert into ${constant(name)}
        select now64(3, 'UTC') - toIntervalDay(4), 'held'
        from numbers(20)`),
    )
  }
  const keptLonger = { condition: async () => sql`(text = 'held')`, sessions: async () => [] }
  const limits: Limits = {
    ...{ ...unlimited, requests: { budgetBytes: 250_000, days: null } },
    events: { budgetBytes: null, days: 2 },
  }
  const disk = open(engines, { keptLonger, limits })
  disk.start()
  expect(await cleaned(disk)).toMatchObject({ error: null })
  await disk.close()
  expect(await heldIn(clickhouse, 'calls')).toBe(20)
  expect(await heldIn(clickhouse, 'clicks')).toBe(20)
  // The days that may go are gone: the held rows alone are left of the fifth.
  expect(await daysOf(clickhouse, 'calls')).toBe(3)
  const next = open(engines, { keptLonger, limits })
  await next.runNow()
  next.start()
  expect((await cleaned(next))?.freed).toEqual([])
  await next.close()
  expect(await daysOf(clickhouse, 'calls')).toBe(3)
})

test('of two processes one cleans up; what a killed one left is done when its lease has ended', async ({
  engines,
  db,
}) => {
  await fill(engines.clickhouse, 'calls', 3, 10)
  const limits = { ...unlimited, requests: { budgetBytes: 1, days: null } }
  const lease = (left: string) =>
    db.admin.query(
      compile(sql`
        insert into clew_disk.runs (day, leased_until)
        values ((now() at time zone 'utc')::date, now() + ${typed(left, 'interval')})
        on conflict (day) do update set leased_until = excluded.leased_until`),
    )
  await lease('1 hour')
  const disk = open(engines, { limits })
  await disk.runNow()
  disk.start()
  await disk.close()
  expect(await daysOf(engines.clickhouse, 'calls')).toBe(3)
  await lease('-1 second')
  const next = open(engines, { limits })
  next.start()
  expect(await cleaned(next)).toMatchObject({ error: null, freed: { length: 2 } })
  expect(await daysOf(engines.clickhouse, 'calls')).toBe(1)
  await next.close()
})

test('a clean-up that fails says why, and is tried again', async ({ engines }) => {
  await fill(engines.clickhouse, 'calls', 3, 10)
  const broken = {
    ...engines.clickhouse,
    command: () => Promise.reject(new Error('no space left')),
  }
  const disk = open(engines, {
    ...{ clickhouse: broken, limits: { ...unlimited, requests: { budgetBytes: 1, days: null } } },
  })
  disk.start()
  expect(await cleaned(disk)).toMatchObject({ endedAt: null, error: 'no space left', freed: [] })
  await disk.close()
})

test('analysts see the disk, and owners and developers begin a clean-up, which is in the audit log', async ({
  engines,
}) => {
  const disk = open(engines)
  const ask = (role: 'developer' | 'analyst' | 'viewer') => {
    const { actions, log } = recordedActions(role)
    return consoleApp(diskRoutes(disk, actions)).then((call) => ({ call, log }))
  }
  const analyst = await ask('analyst')
  const { status, body } = await analyst.call('GET', '/disk')
  expect([status, body.freeBytes, body.reserveBytes]).toEqual([200, 10_000, 256])
  expect((await analyst.call('POST', '/disk/clean-up')).status).toBe(403)
  expect((await (await ask('viewer')).call('GET', '/disk')).status).toBe(403)
  const developer = await ask('developer')
  expect((await developer.call('POST', '/disk/clean-up')).status).toBe(202)
  expect(developer.log).toEqual([{ name: 'disk.clean up', target: 'the instance' }])
})
