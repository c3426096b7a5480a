import { expect } from 'vitest'
import { openTestDatabase, type TestDatabase, test } from '../../../../test/harness.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { openClient, openPool, withClient } from '../connection/connections.ts'
import type { SessionCall } from '../postgres.ts'
import { createSql } from './sql-pool.ts'

type Row = Record<string, string | null>

const call = (text: string, values: readonly unknown[] = []): SessionCall<Row> => ({
  role: 'anon',
  settings: [],
  statement: { text, values },
  readOnly: true,
  attribute: false,
  end: 'commit',
  context: null,
})

/** Ends every connection of the database but the one that does it, over and over, as quickly as the server can. */
async function endAll(db: TestDatabase, times: number): Promise<void> {
  const client = await openClient({ ...db.login('supabase_admin'), database: 'template1' }, 'storm')
  try {
    for (let time = 0; time < times; time += 1)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [db.database])
  } finally {
    await client.end()
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError
    ? error.status === 503
    : error instanceof Error && 'code' in error && /^57P0[123]$/.test(String(error.code))

test('connections that end while they are made end no more than the calls in flight', async () => {
  const db = await openTestDatabase(8)
  try {
    let done = false
    let answered = 0
    const others: unknown[] = []
    const refused = (error: unknown): void => {
      if (!isUnavailable(error)) others.push(error)
    }
    const statement = { text: 'select $1::int as n', values: [1] }
    const pool = openPool({ login: db.login('authenticator'), size: 8, acquireTimeoutMs: 5_000, idleTimeoutMs: 1 })
    const calls = [
      () => db.session.run(call('select $1::int as n', [1])),
      () => db.session.run(call('select pg_sleep(0.001)')),
      () => db.admin.query(statement),
      () => db.admin.transaction((sql) => sql.query(statement)),
      () => db.owner.query(statement),
      async () => (await openClient(db.login('authenticator'), 'single')).end(),
      // Made anew for each use, and handed over a turn after they are made.
      () =>
        withClient(pool, async (client, discard) =>
          client
            .query('select')
            .finally(discard)
            .catch(() => undefined),
        ),
    ]
    const callers = [...calls, ...calls, ...calls].map(async (one) => {
      while (!done) {
        await one().then(() => {
          answered += 1
        }, refused)
      }
    })
    await endAll(db, 400)
    done = true
    await Promise.all(callers)
    await pool.end()
    // A single client says it in the driver's words: its caller asks for it once more.
    expect(others.filter((error) => !/terminat|ECONNRESET/.test(String(error)))).toEqual([])
    expect(answered).toBeGreaterThan(0)
    expect((await db.session.run(call('select 1 as one'))).rows).toEqual([{ one: '1' }])
    expect((await db.admin.query(statement)).rows).toEqual([{ n: 1 }])
  } finally {
    await db.close()
  }
})

test('a connection that ended under a statement is not the next one’s', async ({ db }) => {
  const pool = openPool({ login: db.login('authenticator'), size: 1, acquireTimeoutMs: 5_000 })
  const sql = createSql(pool, 'authenticator', { preparesStatements: true })
  const own = { text: 'select pg_terminate_backend(pg_backend_pid()), $1::int', values: [1] }
  for (let time = 0; time < 20; time += 1) {
    await expect(sql.query(own)).rejects.toMatchObject({ code: 'POSTGRES_CONNECTION_LOST', status: 503 })
    expect((await sql.query({ text: 'select $1::int as n', values: [time] })).rows).toEqual([{ n: time }])
  }
  await pool.end()
})

test('who listens hears again after the connection was lost', async () => {
  const db = await openTestDatabase(1)
  try {
    const heard: string[] = []
    let connections = 0
    const stop = await db.listen(
      'news',
      (payload) => heard.push(payload),
      () => {
        connections += 1
      },
    )
    await endAll(db, 1)
    await expect.poll(() => connections).toBeGreaterThan(1)
    await db.admin.query({ text: `select pg_notify('news', $1)`, values: ['again'] })
    await expect.poll(() => heard).toEqual(['again'])
    await stop()
  } finally {
    await db.close()
  }
})

test('a statement that cannot be written fails alone, and leaves its connection to the next', async () => {
  const db = await openTestDatabase(1)
  try {
    const process = 'select pg_backend_pid()::text as pid'
    const before = await db.session.run(call(process))
    const tooMany = call(
      'select $1::int',
      Array.from({ length: 32_768 }, () => 1),
    )
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const unwritable = call('select $1::jsonb', [circular])
    const quick = call('select $1::text as own', ['bob'])
    // Quick by now, so that the next ones share one connection.
    for (let time = 0; time < 20; time += 1) await db.session.run(quick)
    const all = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        db.session.run(
          index % 3 === 0 ? tooMany : index % 3 === 1 ? unwritable : call(quick.statement.text, [`bob ${index}`]),
        ),
      ),
    )
    all.forEach((one, index) => {
      if (index % 3 === 2)
        expect(one).toMatchObject({ status: 'fulfilled', value: { rows: [{ own: `bob ${index}` }] } })
      else if (index % 3 === 0) expect(one).toMatchObject({ reason: { code: 'POSTGRES_TOO_MANY_VALUES' } })
      else expect(one).toMatchObject({ reason: expect.any(TypeError) })
    })
    expect((await db.session.run(call(process))).rows).toEqual(before.rows)
    const most = Array.from({ length: 32_767 }, () => 1)
    const names = most.map((_, index) => `$${index + 1}::int`).join('),(')
    const { rows } = await db.session.run(call(`select count(*) as n from (values (${names})) as v`, most))
    expect(rows).toEqual([{ n: '32767' }])
  } finally {
    await db.close()
  }
})
