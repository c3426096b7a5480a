import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { requestContext } from '../../../../test/request-context.ts'
import { openPool } from '../connection/connections.ts'
import type { SessionCall } from '../postgres.ts'
import { createTypeNames } from '../wire/type-names.ts'
import type { LatencyEstimate } from './latency-estimate.ts'
import { createLatencyEstimate } from './latency-estimate.ts'
import { createSession } from './session.ts'

type Row = Record<string, string | null>

/** Every statement is taken for a quick one, so that all that may share a connection do. */
const alwaysQuick: LatencyEstimate = { expectMs: () => 0.1, observe: () => undefined }

function openSession(db: TestDatabase, poolSize: number) {
  const login = db.login('authenticator')
  const pool = openPool({ login, size: poolSize, acquireTimeoutMs: 20_000, applicationName: 'multiplexer' })
  const session = createSession({
    pool,
    typeNames: createTypeNames(pool),
    processors: 2,
    latency: alwaysQuick,
    cancel: async (processId) => {
      await db.admin.query({ text: 'select pg_cancel_backend($1)', values: [processId] })
    },
  })
  const run = (text: string, values: readonly unknown[] = [], more: Partial<SessionCall<Row>> = {}) =>
    session.run<Row>({
      role: 'anon',
      settings: [],
      statement: { text, values: [...values] },
      readOnly: true,
      attribute: false,
      end: 'commit',
      context: null,
      ...more,
    })
  return { pool, session, run }
}

const whoRuns = 'select pg_backend_pid()::text as pid, $1::text as given'

test('quick calls are sent one behind another, each with its own role, settings and transaction', async ({ db }) => {
  const { pool, run } = openSession(db, 8)
  const text = `
    select pg_backend_pid()::text as pid, current_user as who, current_setting('app.mine', true) as mine,
      current_setting('app.left', true) as left, set_config('app.left', $1, true) as leaving,
      now()::text as began`
  const ask = (number: string) =>
    run(text, [number], { role: Number(number) % 2 === 0 ? 'anon' : 'authenticated', settings: [['app.mine', number]] })
  // A statement that must be prepared first is not sent behind others.
  await ask('0')
  await ask('1')
  const numbers = Array.from({ length: 12 }, (_, number) => String(number))
  const results = await Promise.all(numbers.map(ask))
  const rows = results.map(({ rows: [row] }) => row)
  expect(rows.map((row) => row?.mine)).toEqual(numbers)
  expect(rows.map((row) => row?.who)).toEqual(numbers.map((n) => (Number(n) % 2 === 0 ? 'anon' : 'authenticated')))
  expect(rows.every((row) => row?.left === '' || row?.left === null)).toBe(true)
  expect(new Set(rows.map((row) => row?.began)).size).toBe(12)
  expect(new Set(rows.map((row) => row?.pid)).size).toBe(1)
  await pool.end()
})

test('a call that fails among others fails alone', async ({ db }) => {
  const { pool, run } = openSession(db, 1)
  const divide = 'select (12 / $1::int)::text as quotient'
  await run(divide, [1])
  const outcomes = await Promise.allSettled([1, 0, 3, 0].map((divisor) => run(divide, [divisor])))
  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.rows : outcome.reason.code)),
  ).toEqual([[{ quotient: '12' }], '22012', [{ quotient: '4' }], '22012'])
  await pool.end()
})

test('a call that is slow after all is run again by itself, and told of once', async ({ db }) => {
  const { pool, run } = openSession(db, 2)
  const sleep = 'select pg_sleep($1::float8)::text as slept, $1::text as long'
  await run(sleep, [0])
  const context = requestContext()
  const ended: string[] = []
  // Longer than a call may hold up those behind it.
  const slow = run(sleep, [0.5], { context }).then(({ rows }) => {
    ended.push('slow')
    return rows
  })
  await Promise.all([0, 0, 0].map((none) => run(sleep, [none]).then(() => ended.push('quick'))))
  expect(await slow).toEqual([{ slept: '', long: '0.5' }])
  expect(ended).toEqual(['quick', 'quick', 'quick', 'slow'])
  expect(context.statements).toMatchObject([{ rows: 1, errorCode: null }])
  await pool.end()
})

test('when a connection is lost, who was served on it is told, and those behind are served on another', async ({
  db,
}) => {
  const { pool, run } = openSession(db, 2)
  const sleep = 'select pg_sleep($1::float8)::text as slept'
  await run(sleep, [0])
  const slow = run(sleep, [60])
  const behind = [0, 0].map((none) => run(sleep, [none]))
  const ending = expect(slow).rejects.toThrow()
  const terminate = `
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'multiplexer' and state = 'active'`
  await expect
    .poll(async () => (await db.admin.query({ text: terminate, values: [] })).rows.length, { interval: 5 })
    .toBeGreaterThan(0)
  expect((await Promise.all(behind)).map(({ rows }) => rows)).toEqual([[{ slept: '' }], [{ slept: '' }]])
  // It may have been given a connection of its own before the first one was lost.
  await db.admin.query({ text: terminate, values: [] })
  await ending
  await pool.end()
})

test('a caller that needs a connection alone gets one, however many quick calls there are', async ({ db }) => {
  await db.load('create table notes (id int); grant all on notes to anon')
  const { pool, run } = openSession(db, 1)
  await run(whoRuns, ['warm'])
  let stopped = false
  const readers = Array.from({ length: 6 }, async () => {
    while (!stopped) await run(whoRuns, ['again'])
  })
  for (let id = 0; id < 5; id += 1) await run('insert into notes values ($1)', [id], { readOnly: false })
  stopped = true
  await Promise.all(readers)
  expect((await run('select count(*)::text as n from notes')).rows).toEqual([{ n: '5' }])
  await pool.end()
})

test('stale statements are run again for every caller of their batch', async ({ db }) => {
  await db.load('create table notes (id int); insert into notes values (7); grant all on notes to anon')
  const { pool, run } = openSession(db, 1)
  const read = 'select * from notes where id = $1'
  expect((await run(read, [7])).rows).toEqual([{ id: '7' }])
  await db.load('alter table notes add title text')
  const results = await Promise.all([7, 7, 7].map((id) => run(read, [id])))
  for (const { rows } of results) expect(rows).toEqual([{ id: '7', title: null }])
  await run('select 1 as one', [], { readOnly: false, before: { text: 'deallocate all', values: [] } })
  const again = await Promise.all([7, 7, 7].map((id) => run(read, [id])))
  for (const { rows } of again) expect(rows).toEqual([{ id: '7', title: null }])
  await pool.end()
})

test('a refreshment replaces connections that are never idle', async ({ db }) => {
  const { pool, session, run } = openSession(db, 2)
  const first = (await run(whoRuns, ['first'])).rows[0]?.pid
  let latest: string | null | undefined = first
  let stopped = false
  const readers = Array.from({ length: 4 }, async () => {
    while (!stopped) latest = (await run(whoRuns, ['again'])).rows[0]?.pid
  })
  session.refresh()
  await expect.poll(() => latest).not.toBe(first)
  stopped = true
  await Promise.all(readers)
  await delay(0)
  await pool.end()
})

test('a statement is quick by the average of its runs, each by its share of the processors', () => {
  const latency = createLatencyEstimate(2)
  expect(latency.expectMs('read', 'anon')).toBeNull()
  // Ten at once on two processors, three milliseconds each: as if it had taken 0.6 alone.
  latency.observe('read', 'anon', 3, 10)
  expect(latency.expectMs('read', 'anon')).toBeCloseTo(0.6)
  expect(latency.expectMs('read', 'authenticated')).toBeNull()
  latency.observe('read', 'anon', 3, 1)
  expect(latency.expectMs('read', 'anon')).toBeCloseTo(0.9)
  latency.observe('read', 'anon', 60_000, 1)
  expect(latency.expectMs('read', 'anon')).toBeNull()
  for (let run = 0; run < 12; run += 1) latency.observe('read', 'anon', 0.1, 1)
  expect(latency.expectMs('read', 'anon')).toBeLessThan(1)
})
