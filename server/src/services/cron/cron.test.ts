import { expect } from 'vitest'
import { test as base, openOn, type TestDatabase } from '../../../test/harness.ts'
import type { Postgres } from '../../engines/postgres/index.ts'
import { type Cron, createCron } from './index.ts'

const test = base.extend('cron', async ({ db }): Promise<TestDatabase> => {
  await db.load('create extension pg_cron; create table public.ran (at timestamptz default clock_timestamp())')
  return db
})

const open = ({ commands, listen }: Postgres): Promise<Cron> =>
  createCron({
    commands,
    listen,
    settings: { timeZone: 'GMT', maxRunningJobs: 4, runDetailsDays: 30 },
    now: () => new Date(),
    log: { warn: (details, message) => console.warn(message, details) },
  })

const countOf = async (db: TestDatabase, text: string): Promise<number> =>
  (await db.owner.query({ text, values: [] })).rows.length

test('a job of every second runs soon after it is scheduled, by one of two processes', async ({ cron }) => {
  const otherPostgres = await openOn(cron)
  const [first, second] = [await open(cron), await open(otherPostgres)]
  try {
    expect([first.health().detail, second.health().detail]).toEqual([
      '0 jobs are scheduled, 0 run',
      'another process runs the jobs of this database',
    ])
    await cron.load(`select cron.schedule('one', '1 second', 'insert into ran default values')`)
    await expect.poll(() => countOf(cron, 'select from ran')).toBeGreaterThan(1)
    expect([first.gauges().jobs, second.gauges().jobs]).toEqual([1, 0])
    // By the scheduler's clock: on a busy machine a run may be late, and the next one not.
    const gaps = `
      select from (select start_time - lag(start_time) over (order by start_time) as gap from cron.job_run_details) g
      where gap < '0.9 s'`
    expect(await countOf(cron, gaps)).toBe(0)
  } finally {
    await first.close()
    await second.close()
    await otherPostgres.close()
  }
})

test('a process that stops ends its runs, and the next one takes over', async ({ cron }) => {
  await cron.load(`select cron.schedule('one', '@reboot', 'select pg_sleep(60)')`)
  const first = await open(cron)
  await expect
    .poll(() => countOf(cron, `select from pg_stat_activity where query like '%pg_sleep(60)' and state = 'active'`))
    .toBe(1)
  await first.close()
  expect(
    await countOf(cron, `select from cron.job_run_details where status = 'failed' and return_message = 'job canceled'`),
  ).toBe(1)
  const second = await open(cron)
  await expect.poll(() => second.gauges().running).toBe(1)
  await second.close()
})

test('a lost connection gives the jobs up and takes them again', async ({ cron }) => {
  const scheduled = await open(cron)
  try {
    await cron.admin.query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'clew lock' and datname = current_database()`,
      values: [],
    })
    await expect.poll(() => scheduled.health().detail).toBe('another process runs the jobs of this database')
    await expect.poll(() => scheduled.health().detail).toBe('0 jobs are scheduled, 0 run')
  } finally {
    await scheduled.close()
  }
})
