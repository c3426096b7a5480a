import { expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'

const test = base.extend('cron', async ({ db }): Promise<TestDatabase> => {
  await db.load('create extension if not exists pg_cron with schema extensions')
  return db
})

const ask = async (db: TestDatabase, text: string, ...values: unknown[]): Promise<readonly Record<string, unknown>[]> =>
  (await db.owner.query({ text, values })).rows

const jobs = (db: TestDatabase): Promise<readonly Record<string, unknown>[]> =>
  ask(db, 'select jobid, jobname, schedule, command, username, active from cron.job order by jobid')

test('a job is scheduled as its caller’s, and one of the same name replaces it', async ({ cron }) => {
  expect(await ask(cron, `select cron.schedule('tidy', '0 3 * * *', 'vacuum') as id`)).toEqual([{ id: '1' }])
  expect(await ask(cron, `select cron.schedule('tidy', '30 seconds', 'analyze') as id`)).toEqual([{ id: '1' }])
  expect(await ask(cron, `select cron.schedule('* * * * *', 'select 1') as id`)).toMatchObject([{ id: '3' }])
  expect(await jobs(cron)).toEqual([
    { jobid: '1', jobname: 'tidy', schedule: '30 seconds', command: 'analyze', username: 'postgres', active: true },
    { jobid: '3', jobname: null, schedule: '* * * * *', command: 'select 1', username: 'postgres', active: true },
  ])
})

test('a job is unscheduled by its name or its number', async ({ cron }) => {
  await cron.load(`
    select cron.schedule('one', '@daily', 'select 1');
    select cron.schedule('two', '@daily', 'select 1')`)
  expect(await ask(cron, `select cron.unschedule('one') as gone`)).toEqual([{ gone: true }])
  expect(await ask(cron, 'select cron.unschedule(2) as gone')).toEqual([{ gone: true }])
  expect(await jobs(cron)).toEqual([])
  await expect(ask(cron, `select cron.unschedule('one')`)).rejects.toThrow("could not find valid entry for job 'one'")
  await expect(ask(cron, 'select cron.unschedule(2)')).rejects.toThrow('could not find valid entry for job 2')
})

test('a job is altered in what is given', async ({ cron }) => {
  await cron.load(`select cron.schedule('one', '@daily', 'select 1')`)
  await cron.load(`select cron.alter_job(1, schedule => '5 4 * * *')`)
  await cron.load(`select cron.alter_job(job_id := 1, command := 'select 2', active := false)`)
  expect(await jobs(cron)).toMatchObject([{ schedule: '5 4 * * *', command: 'select 2', active: false }])
  await expect(ask(cron, 'select cron.alter_job(1)')).rejects.toThrow('no updates specified')
  await expect(ask(cron, 'select cron.alter_job(9, active => true)')).rejects.toThrow(
    "Job 9 does not exist or you don't own it",
  )
  await expect(ask(cron, `select cron.alter_job(1, username => 'anon')`)).rejects.toThrow(
    'must be superuser to alter username',
  )
})

test('a job in a database needs one that its owner may connect to', async ({ cron }) => {
  const text = `select cron.schedule_in_database('one', '@daily', 'select 1', $1, active => false) as id`
  expect(await ask(cron, text, cron.database)).toEqual([{ id: '1' }])
  await expect(ask(cron, text, 'nowhere')).rejects.toThrow('database "nowhere" does not exist')
  await expect(
    ask(cron, `select cron.schedule_in_database('one', '@daily', 'select 1', $1, 'anon')`, cron.database),
  ).rejects.toThrow('must be superuser to create a job for another role')
})

test.for(['* * * *', '61 * * * *', '*/0 * * * *', '60 seconds', '0 seconds', '1/2 * * * *', '', '@nightly'])(
  'the schedule %j is refused',
  async (schedule, { cron }) => {
    const refused = await ask(cron, `select cron.schedule('one', $1, 'select 1')`, schedule).catch((error) => error)
    expect(refused).toMatchObject({
      code: '22023',
      message: `invalid schedule: ${schedule}`,
      hint: `Use cron format (e.g. 5 4 * * *), or interval format '[1-59] seconds'`,
    })
  },
)

test('a role sees and changes its own jobs alone, and none runs as a superuser', async ({ cron }) => {
  await cron.load(`
    select cron.schedule('one', '@daily', 'select 1');
    create role visitor nologin;
    grant visitor to postgres;
    grant usage on schema cron to visitor`)
  const asVisitor = (text: string): Promise<unknown> =>
    cron.owner.transaction(async (sql) => {
      await sql.query({ text: 'set local role visitor', values: [] })
      return (await sql.query({ text, values: [] })).rows
    })
  try {
    expect(await asVisitor('select * from cron.job')).toEqual([])
    await asVisitor(`select cron.schedule('one', '@hourly', 'select 2')`)
    expect(await jobs(cron)).toMatchObject([{ username: 'postgres' }, { username: 'visitor', schedule: '@hourly' }])
    await expect(asVisitor('select cron.unschedule(1)')).rejects.toThrow('could not find valid entry')
    await expect(asVisitor('select cron.alter_job(2, active => false)')).rejects.toThrow('permission denied')
    await expect(asVisitor(`insert into cron.job (schedule, command, username) values ('@daily', '', 'postgres')`))
      .rejects // row security
      .toThrow()
    await expect(ask(cron, 'select cron.unschedule(2)')).rejects.toThrow('permission denied for table job')
    await expect(ask(cron, `update cron.job set username = 'supabase_admin'`)).rejects.toThrow()
    const asAdmin = cron.admin.query({ text: `select cron.schedule('@daily', 'select 1')`, values: [] })
    await expect(asAdmin).rejects.toThrow('cannot schedule jobs as superuser')
  } finally {
    await cron.load('drop extension pg_cron; drop owned by visitor; drop role visitor')
  }
})

test('the grants that projects write are accepted, and the owner drops and creates it again', async ({ cron }) => {
  await cron.load(`
    grant usage on schema cron to postgres;
    grant all privileges on all tables in schema cron to postgres;
    grant execute on all functions in schema cron to postgres;
    grant usage on schema cron to service_role;
    drop extension pg_cron;
    create extension if not exists pg_cron with schema pg_catalog`)
  expect(await jobs(cron)).toEqual([])
})
