import pg from 'pg'
import { describe, expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../test/harness.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import type { CronSettings } from './settings.ts'

const test = base.extend('cron', async ({ db }): Promise<TestDatabase> => {
  await db.load(
    'create extension pg_cron; create table public.ran (job text, at timestamptz default clock_timestamp())',
  )
  return db
})

const defaults: CronSettings = { timeZone: 'GMT', maxRunningJobs: 32, runDetailsDays: 30 }

interface Clocked extends Scheduler {
  /** Moves the clock on, ticks, and waits for what was started to end unless told otherwise. */
  pass(seconds: number, waits?: 'for the runs' | 'for nothing'): Promise<void>
}

function schedulerOn(db: Pick<TestDatabase, 'commands'>, settings: Partial<CronSettings> = {}): Clocked {
  let nowMs = Date.parse('2026-03-01T10:00:00Z')
  const { commands } = db
  if (commands === null) throw new Error('The server is external.')
  const scheduler: Scheduler = createScheduler({
    commands,
    settings: { ...defaults, ...settings },
    now: () => new Date(nowMs),
    log: { warn: (details, message) => console.warn(message, details) },
    onRunEnded: () => void scheduler.tick(),
  })
  return {
    ...scheduler,
    async pass(seconds, waits = 'for the runs') {
      nowMs += seconds * 1000
      await scheduler.tick()
      if (waits === 'for the runs') await scheduler.settled()
    },
  }
}

const rowsOf = async (db: TestDatabase, text: string): Promise<readonly Record<string, unknown>[]> =>
  (await db.owner.query({ text, values: [] })).rows

const runs = (db: TestDatabase): Promise<readonly Record<string, unknown>[]> =>
  rowsOf(db, 'select jobid, status, return_message, command from cron.job_run_details order by runid')

/** Waits until a query has a row. */
const untilRow = (db: TestDatabase, text: string): Promise<void> =>
  expect.poll(async () => (await rowsOf(db, text)).length).toBeGreaterThan(0)

describe('a run', () => {
  test('happens when its minute comes, as the owner, and its row says how it went', async ({ cron }) => {
    await cron.load(`select cron.schedule('one', '* * * * *', 'insert into ran values (current_user)')`)
    const scheduler = schedulerOn(cron)
    await scheduler.pass(59)
    expect(await runs(cron)).toEqual([])
    await scheduler.pass(1)
    await scheduler.pass(1)
    expect(await rowsOf(cron, 'select job from ran')).toEqual([{ job: 'postgres' }])
    expect(await rowsOf(cron, 'select * from cron.job_run_details')).toEqual([
      {
        jobid: '1',
        runid: '1',
        job_pid: expect.any(Number),
        database: cron.database,
        username: 'postgres',
        command: 'insert into ran values (current_user)',
        status: 'succeeded',
        return_message: 'INSERT 0 1',
        start_time: new Date('2026-03-01T10:01:00Z'),
        end_time: new Date('2026-03-01T10:01:00Z'),
      },
    ])
  })

  test.for([
    ['select 1', 'succeeded', '1 row'],
    ['select generate_series(1, 100000)', 'succeeded', '100000 rows'],
    ['insert into ran values (1), (2) returning job', 'succeeded', '2 rows'],
    ['select 1; update ran set job = 1', 'succeeded', 'UPDATE 0'],
    ['create table other ()', 'succeeded', 'CREATE TABLE'],
    ['', 'succeeded', '0 rows'],
    ['copy ran from stdin', 'failed', 'COPY not supported'],
    ['copy ran to stdout', 'failed', 'COPY not supported'],
    ['insert into ran values (1); select 1/0', 'failed', 'ERROR:  division by zero\n'],
    [
      `do $$ begin raise 'no' using hint = 'yes'; end $$`,
      'failed',
      /^ERROR: {2}no\nHINT: {2}yes\nCONTEXT: {2}PL\/pgSQL/,
    ],
    ['select pg_terminate_backend(pg_backend_pid())', 'failed', /^FATAL: {2}terminating connection/],
    ['begin', 'succeeded', 'BEGIN'],
  ] as const)('of %j has %s with %j', async ([command, status, message], { cron }) => {
    await cron.owner.query({ text: `select cron.schedule('* * * * *', $1)`, values: [command] })
    await schedulerOn(cron).pass(60)
    const answer = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(await runs(cron)).toEqual([{ jobid: '1', status, return_message: answer, command }])
    expect(await rowsOf(cron, 'select * from ran')).toHaveLength(
      status === 'failed' ? 0 : command.match(/^insert/) ? 2 : 0,
    )
  })

  test('may ask for an HTTP request', async ({ cron }) => {
    await cron.load(`
      create extension if not exists pg_net;
      select cron.schedule('* * * * *', $$select net.http_post('http://127.0.0.1:9/jobs', '{"a": 1}')$$)`)
    await schedulerOn(cron).pass(60)
    expect(await runs(cron)).toMatchObject([{ status: 'succeeded', return_message: '1 row' }])
    expect(await rowsOf(cron, 'select method, url from net.http_request_queue')).toEqual([
      { method: 'POST', url: 'http://127.0.0.1:9/jobs' },
    ])
  })

  test.for([
    ['supabase_admin', 'role "supabase_admin" can not run commands here'],
    ['supabase_auth_admin', 'role "supabase_auth_admin" can not run commands here'],
    ['nowhere', 'role "nowhere" can not run commands here'],
    ['service_role', 'role "service_role" is not permitted to log in'],
  ] as const)('of the role %s fails with what is wrong', async ([role, reason], { cron }) => {
    await cron.load(`select cron.schedule('one', '* * * * *', 'select 1')`)
    // As a superuser could: the extension's own checks are passed over.
    await cron.admin.query({ text: 'alter table cron.job disable trigger user', values: [] })
    await cron.admin.query({ text: `update cron.job set username = '${role}'`, values: [] })
    const scheduler = schedulerOn(cron)
    await scheduler.pass(60)
    expect(await runs(cron)).toMatchObject([{ status: 'failed', return_message: `connection failed: ${reason}` }])
    expect(scheduler.gauges()).toMatchObject({ jobs: 1, running: 0, failed: 1 })
  })

  test('of a role of the project that may log in runs as that role', async ({ cron }) => {
    // Roles are of the whole server, which goes with the run of the tests.
    const role = `reporter_${cron.database}`
    await cron.load(`
      create role ${role} login;
      grant ${role} to postgres with set true, inherit false;
      grant usage on schema cron to ${role};
      grant all on all tables in schema cron to ${role};
      grant usage on all sequences in schema cron to ${role};
      grant insert on ran to ${role}`)
    await cron.load(`
      set local role ${role};
      select cron.schedule('report', '* * * * *', 'insert into public.ran values (current_user || session_user)')`)
    const scheduler = schedulerOn(cron)
    await scheduler.pass(60)
    expect(await runs(cron)).toMatchObject([{ status: 'succeeded', return_message: 'INSERT 0 1' }])
    expect(await rowsOf(cron, 'select job from ran')).toEqual([{ job: `${role}${role}` }])
  })
})

describe('the scheduler', () => {
  test('follows the table: new, altered, inactive and removed jobs', async ({ cron }) => {
    const scheduler = schedulerOn(cron)
    await scheduler.pass(60)
    await cron.load(`select cron.schedule('one', '* * * * *', 'select 1')`)
    scheduler.changed()
    await scheduler.pass(60)
    await cron.load(`select cron.alter_job(1, command => 'select 2')`)
    scheduler.changed()
    await scheduler.pass(60)
    await cron.load('select cron.alter_job(1, active => false)')
    scheduler.changed()
    await scheduler.pass(60)
    await cron.load('select cron.alter_job(1, active => true)')
    scheduler.changed()
    await scheduler.pass(60)
    await cron.load(`select cron.unschedule('one')`)
    scheduler.changed()
    await scheduler.pass(60)
    expect((await runs(cron)).map(({ command }) => command)).toEqual(['select 1', 'select 2', 'select 2'])
  })

  test('rests while the extension is not there, and when it is dropped', async ({ cron }) => {
    await cron.load(`select cron.schedule('* * * * *', 'insert into ran values (1)'); drop extension pg_cron`)
    const scheduler = schedulerOn(cron)
    await scheduler.pass(60)
    await cron.load(`create extension pg_cron; select cron.schedule('* * * * *', 'insert into ran values (2)')`)
    scheduler.changed()
    await scheduler.pass(60)
    await cron.load('drop extension pg_cron')
    await scheduler.pass(60)
    scheduler.changed()
    await scheduler.pass(60)
    expect(scheduler.gauges().jobs).toBe(0)
    expect(await rowsOf(cron, 'select job from ran')).toEqual([{ job: '2' }])
  })

  test('runs a job once at a time: what is due meanwhile follows', async ({ cron }) => {
    await cron.load(`select cron.schedule('one', '* * * * *', 'select pg_advisory_lock_shared(7)')`)
    const lock = await cron.admin.transaction(async (sql) => {
      await sql.query({ text: 'select pg_advisory_xact_lock(7)', values: [] })
      const scheduler = schedulerOn(cron)
      await scheduler.pass(60, 'for nothing')
      await untilRow(cron, `select from cron.job_run_details where status = 'running'`)
      await scheduler.pass(60, 'for nothing')
      await scheduler.pass(60, 'for nothing')
      expect(scheduler.gauges()).toMatchObject({ running: 1, waiting: 2 })
      expect(await runs(cron)).toHaveLength(1)
      return scheduler
    })
    await lock.settled()
    await expect.poll(() => lock.gauges()).toMatchObject({ running: 0, waiting: 0 })
    await lock.settled()
    expect(await runs(cron)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }, { status: 'succeeded' }])
  })

  test('cancels the run of a job that is removed', async ({ cron }) => {
    await cron.load(`select cron.schedule('one', '* * * * *', 'select pg_sleep(60)')`)
    const scheduler = schedulerOn(cron)
    await scheduler.pass(60, 'for nothing')
    await untilRow(cron, `select from pg_stat_activity where query like '%;select pg_sleep(60)' and state = 'active'`)
    await cron.load(`select cron.unschedule('one')`)
    scheduler.changed()
    await scheduler.pass(1)
    expect(await runs(cron)).toMatchObject([{ status: 'failed', return_message: 'job canceled' }])
  })

  test('starts no more jobs at a time than it may', async ({ cron }) => {
    await cron.load(
      `select cron.schedule('job ' || n, '* * * * *', 'insert into ran values (1)') from generate_series(1, 9) n`,
    )
    const scheduler = schedulerOn(cron, { maxRunningJobs: 2 })
    // Runs wait for the table until they were counted.
    const holder = new pg.Client(cron.login('postgres'))
    await holder.connect()
    try {
      await holder.query('begin; lock table ran')
      await scheduler.pass(60, 'for nothing')
      expect(scheduler.gauges()).toEqual({ jobs: 9, running: 2, waiting: 7, failed: 0 })
    } finally {
      await holder.end()
    }
    await expect.poll(() => scheduler.gauges()).toMatchObject({ running: 0, waiting: 0 })
    expect(await rowsOf(cron, 'select * from ran')).toHaveLength(9)
  })

  test('runs an interval from the start before, and once more after a run that took longer', async ({ cron }) => {
    await cron.load(`select cron.schedule('one', '10 seconds', 'insert into ran values (1)')`)
    const scheduler = schedulerOn(cron)
    const counts: number[] = []
    for (const seconds of [1, 8, 1, 1, 9, 1, 300]) {
      await scheduler.pass(seconds)
      counts.push((await rowsOf(cron, 'select * from ran')).length)
    }
    expect(counts).toEqual([0, 0, 0, 1, 1, 2, 3])
    expect(scheduler.untilNextTick()).toBeLessThanOrEqual(1_000)
  })

  test('runs @reboot once, and fails what an earlier process left', async ({ cron }) => {
    await cron.load(`
      select cron.schedule('first', '@reboot', 'insert into ran values (1)');
      insert into cron.job_run_details (jobid, username, status) values (9, 'postgres', 'running')`)
    const scheduler = schedulerOn(cron)
    await scheduler.pass(1)
    await scheduler.pass(60)
    expect(await rowsOf(cron, 'select * from ran')).toHaveLength(1)
    expect(await runs(cron)).toMatchObject([
      { jobid: '9', status: 'failed', return_message: 'server restarted' },
      { jobid: '1', status: 'succeeded' },
    ])
  })

  test('deletes old runs, and keeps them all where it is told to', async ({ cron }) => {
    await cron.load(`
      insert into cron.job_run_details (jobid, username, status, end_time)
      values (1, 'postgres', 'failed', '2026-01-29'), (2, 'postgres', 'succeeded', '2026-01-31')`)
    await schedulerOn(cron, { runDetailsDays: 0 }).pass(1)
    expect(await runs(cron)).toHaveLength(2)
    await schedulerOn(cron).pass(1)
    expect(await runs(cron)).toMatchObject([{ jobid: '2' }])
  })

  test('has no more rights than the owner where the tables are the owner’s', async ({ cron }) => {
    await cron.load(`
      drop extension pg_cron;
      create schema cron;
      create table cron.job (jobid bigint, schedule text, command text, database text, username text, active bool);
      create table cron.job_run_details (runid bigint default 1, jobid bigint, database text, username text, command text,
        status text, job_pid int, return_message text, start_time timestamptz, end_time timestamptz);
      create function public.note() returns trigger language plpgsql as
        $$ begin insert into public.ran values (current_user || ' ' || session_user); return new; end $$;
      create trigger note before insert or update on cron.job_run_details for each row execute function public.note();
      insert into cron.job values (1, '* * * * *', 'select 1', current_database(), 'supabase_admin', true)`)
    await schedulerOn(cron).pass(60)
    expect(await rowsOf(cron, 'select distinct job from ran')).toEqual([{ job: 'postgres postgres' }])
    expect(await runs(cron)).toMatchObject(
      [{ status: 'failed', return_message: /supabase_admin. can not run commands/ }].map((row) => ({
        ...row,
        return_message: expect.stringMatching(row.return_message),
      })),
    )
  })
})
