import { expect } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import type { ChangeTransaction } from '../../../ground/model/change.ts'
import { createScheduler } from '../scheduler.ts'
import { createJobs } from './jobs.ts'
import { jobRoutes } from './routes.ts'

const test = base.extend('cron', async ({ db }): Promise<TestDatabase> => {
  await db.load('create extension pg_cron; create table public.ran (id int primary key)')
  return db
})

/** The routes on a database, with a scheduler whose clock is moved by hand. */
async function open(db: TestDatabase, role: 'owner' | 'analyst' | 'viewer' = 'owner') {
  let nowMs = Date.parse('2026-03-01T10:00:00Z')
  const now = () => new Date(nowMs)
  const { commands } = db
  if (commands === null) throw new Error('The server is external.')
  const scheduler = createScheduler({
    commands,
    settings: { timeZone: 'GMT', maxRunningJobs: 4, runDetailsDays: 30 },
    now,
    log: { warn: (details, message) => console.warn(message, details) },
    onRunEnded: () => void scheduler.tick(),
  })
  const cron = { timeZone: 'GMT', runNow: (jobId: string) => void scheduler.runNow(jobId) }
  const { actions, log } = recordedActions(role)
  const call = await consoleApp(jobRoutes(createJobs({ cron, reader: db.reader, owner: db.owner, now }), actions))
  return {
    log,
    async pass(seconds: number) {
      nowMs += seconds * 1000
      await scheduler.tick()
      await scheduler.settled()
    },
    call,
  }
}

test('without the extension there are no jobs, and the answer says so', async ({ db }) => {
  const { call } = await open(db)
  expect((await call('GET', '/jobs')).body).toEqual({ installed: false, timeZone: 'GMT', jobs: [], next: null })
  expect((await call('GET', '/jobs/1')).body.code).toBe('CLEW_CRON_JOB_NOT_FOUND')
})

test('jobs are listed with their schedule in words, the next run and the last one', async ({ cron }) => {
  const { call, pass } = await open(cron)
  await cron.load(`
    select cron.schedule('fill', '*/5 * * * *', 'insert into ran select coalesce(max(id), 0) + 1 from ran');
    select cron.schedule('broken', '0 10 * * *', 'select 1 / 0');
    select cron.alter_job(2, active := false)`)
  expect((await call('GET', '/jobs')).body.jobs).toMatchObject([
    { name: 'fill', scheduleWords: 'every 5 minutes', owner: 'postgres', lastRun: null },
    { name: 'broken', scheduleWords: 'at 10:00 every day', active: false, nextRunAt: null },
  ])
  await pass(0)
  await pass(300)
  const { jobs } = (await call('GET', '/jobs')).body
  expect(jobs[0]).toMatchObject({
    nextRunAt: '2026-03-01T10:10:00.000Z',
    lastRun: { status: 'succeeded', message: 'INSERT 0 1', startedAt: '2026-03-01T10:05:00.000Z', durationMs: 0 },
  })
  expect((await call('GET', '/jobs?limit=1')).body).toMatchObject({ jobs: [{ jobId: '1' }], next: '1' })
  expect((await call('GET', '/jobs?after=1')).body).toMatchObject({ jobs: [{ jobId: '2' }], next: null })
})

test('a job runs now, and the rows that it changes name the run', async ({ cron }) => {
  const { call, pass, log } = await open(cron)
  const seen: ChangeTransaction[] = []
  cron.changes.subscribe(async (transaction) => void seen.push(transaction))
  await expect.poll(() => cron.changes.health().state).toBe('up')
  await cron.load(`select cron.schedule('fill', '0 0 1 1 *', 'insert into ran values (1)')`)
  await pass(0)
  expect((await call('POST', '/jobs/1/runs')).status).toBe(202)
  await pass(1)
  const { runs, next } = (await call('GET', '/jobs/1/runs')).body
  expect([runs.length, next, runs[0].status]).toEqual([1, null, 'succeeded'])
  const { body } = await call('GET', `/jobs/1/runs/${runs[0].runId}`)
  expect(body).toMatchObject({ command: 'insert into ran values (1)', owner: 'postgres' })
  await expect
    .poll(() => seen.map(({ cause, changes }) => [cause, changes[0]?.table]))
    .toEqual([[{ id: body.causeId, jobName: 'fill' }, 'ran']])
  expect(log).toEqual([{ name: 'job.run', target: 'job 1' }])
})

test('a job is paused and activated; one of another role is refused', async ({ cron }) => {
  const { call, log } = await open(cron)
  await cron.load(`select cron.schedule('fill', '* * * * *', 'select 1')`)
  expect((await call('PATCH', '/jobs/1', { active: false })).status).toBe(204)
  expect((await call('GET', '/jobs/1')).body).toMatchObject({ job: { active: false }, timeZone: 'GMT' })
  expect((await call('PATCH', '/jobs/99', { active: true })).body.code).toBe('CLEW_CRON_JOB_NOT_FOUND')
  expect(log.map(({ name }) => name)).toEqual(['job.pause', 'job.activate'])
  await cron.admin.query({ text: `update cron.job set username = 'authenticator'`, values: [] })
  expect((await call('PATCH', '/jobs/1', { active: true })).body.code).toBe('CLEW_CRON_REFUSED')
})

test('analysts look, viewers do not, neither changes anything', async ({ cron }) => {
  await cron.load(`select cron.schedule('fill', '* * * * *', 'select 1')`)
  const analyst = await open(cron, 'analyst')
  expect((await analyst.call('GET', '/jobs')).status).toBe(200)
  expect((await analyst.call('PATCH', '/jobs/1', { active: false })).status).toBe(403)
  expect((await analyst.call('POST', '/jobs/1/runs')).status).toBe(403)
  const viewer = await open(cron, 'viewer')
  expect((await viewer.call('GET', '/jobs')).status).toBe(403)
  expect([analyst.log, viewer.log]).toEqual([[], []])
})

test('an analyst sees how jobs fare, not what they run: commands hold keys, and messages rows', async ({ cron }) => {
  await cron.load(`select cron.schedule('tell', '* * * * *', $$select 'Bearer secret'::int$$)`)
  const { pass } = await open(cron)
  await pass(0)
  await pass(60)
  const { call } = await open(cron, 'analyst')
  const answers = await Promise.all(
    ['/jobs', '/jobs/1', '/jobs/1/runs', '/jobs/1/runs/1'].map(async (path) => (await call('GET', path)).body),
  )
  expect(JSON.stringify(answers)).not.toContain('Bearer')
  expect(answers[1]).toMatchObject({ job: { command: null, lastRun: { status: 'failed', message: null } } })
})

test('a command of a megabyte runs, and is shown in part', async ({ cron }) => {
  await cron.load(`select cron.schedule('long', '* * * * *', format('select length(%L)', repeat('x', 1000000)))`)
  const { call, pass } = await open(cron)
  await pass(0)
  await pass(60)
  const { job } = (await call('GET', '/jobs/1')).body
  expect([job.command.length, job.lastRun.status]).toEqual([16_384, 'succeeded'])
  expect((await call('GET', '/jobs/1/runs/1')).body.command).toHaveLength(16_384)
})
