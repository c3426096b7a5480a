import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { test as base } from '../../../test/harness.ts'
import { type OperatorRole, recordedActions } from '../../../test/operator-actions.ts'
import { requestContext } from '../../../test/request-context.ts'
import type { ChangeTransaction } from '../../ground/model/change.ts'
import { noOthers, type OpenTopic } from '../../ground/model/topic.ts'
import { readSettings } from '../../ground/settings/read.ts'
import { type SqlEditorSettings, sqlEditorService, sqlEditorSettings, sqlEditorTables } from './index.ts'

const signalOf = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })
const defaults = readSettings(sqlEditorSettings, []).values

interface Opening {
  readonly role?: OperatorRole
  readonly settings?: Partial<SqlEditorSettings>
  readonly topic?: OpenTopic
  readonly operator?: string
  /** Of the requests, in their order; by default none fires. */
  readonly signals?: readonly AbortSignal[]
}

const test = base.extend('open', async ({ db, clickhouse }, { onCleanup }) => {
  await db.migrate('sql-editor', sqlEditorTables.postgres)
  await db.load('create table public.orders (id int primary key, total int not null default 0)')
  const opened: (() => Promise<void>)[] = []
  onCleanup(async () => {
    for (const close of opened) await close()
  })
  return async ({
    role = 'developer',
    settings,
    topic = noOthers,
    operator = 'ana@example.com',
    signals = [],
  }: Opening = {}) => {
    const left = signals.values()
    const { actions, log } = recordedActions(role)
    const service = sqlEditorService({
      ...{ sql: db.admin, reader: db.reader, editor: db.editor, clickhouse, topic, actions },
      ...{ now: () => new Date(), newId: randomUUID, log: { warn: (details, text) => console.warn(text, details) } },
      settings: { ...defaults, ...settings },
    })
    opened.push(service.close)
    const call = await consoleApp(async (app) => {
      app.decorateRequest('requestContext', null)
      app.addHook('onRequest', async (request) => {
        request.setDecorator('operator', { email: operator })
        request.setDecorator(
          'requestContext',
          requestContext({ id: String(request.headers['x-test-id'] ?? 'r1'), ...signalOf(left.next().value) }),
        )
      })
      for (const part of service.console) await app.register(part)
    })
    const run = async (text: string, more: object = {}) =>
      call('POST', '/sql/runs', {
        ...{ id: randomUUID(), engine: 'postgres', text, mode: 'run', role: null, claims: null, readOnly: false },
        ...more,
      })
    return { call, run, log, close: service.close }
  }
})

const count = `select count(*) from orders`

test('several statements answer each for itself; what they change waits, is counted, and is kept when told', async ({
  open,
}) => {
  const { call, run, log } = await open()
  const { body } = await run('insert into orders values (1), (2); update orders set total = 5 returning id; select 7')
  expect(body).toMatchObject({
    state: 'pending',
    failure: null,
    changes: { schema: false, tables: [{ schema: 'public', table: 'orders', inserted: 2, updated: 2, deleted: 0 }] },
    results: [
      { command: 'INSERT', rowCount: 2, columns: null, from: 0 },
      { command: 'UPDATE', rowCount: 2, rows: [['1'], ['2']], from: 36 },
      { command: 'SELECT', rows: [['7']] },
    ],
  })
  expect((await run(count)).body.results[0].rows).toEqual([['0']])
  expect((await call('POST', `/sql/runs/${body.id}/commit`)).body).toEqual({ failure: null })
  expect((await run(count)).body).toMatchObject({ state: 'done', changes: null, results: [{ rows: [['2']] }] })
  expect(log.slice(0, 3).map(({ name }) => name)).toEqual(['sql.run', 'sql.run', 'sql.commit'])
  expect(log[0]?.target).toContain('insert into orders')
  expect((await call('GET', '/sql/runs')).body.runs.map(({ state }: { state: string }) => state)).toEqual([
    'done',
    'done',
    'committed',
  ])
})

test('what is rolled back is gone; nobody decides twice, or for another', async ({ open }) => {
  const { call, run } = await open()
  const { id } = (await run('delete from orders; insert into orders values (1)')).body
  const other = await open({ operator: 'ben@example.com' })
  expect((await other.call('POST', `/sql/runs/${id}/commit`)).status).toBe(410)
  expect((await call('POST', `/sql/runs/${id}/rollback`)).body).toEqual({ failure: null })
  expect((await call('POST', `/sql/runs/${id}/commit`)).body.code).toBe('CLEW_SQL_NOT_HELD')
  expect((await run(count)).body.results[0].rows).toEqual([['0']])
}, 20_000)

test('a change that waits is rolled back when its time is over, and when the process ends', async ({ open, db }) => {
  const { call, run } = await open({ settings: { holdSeconds: 0.2 } })
  await run('insert into orders values (1)')
  await expect.poll(async () => (await call('GET', '/sql/runs')).body.runs[0].state).toBe('rolled back')
  const ending = await open()
  await ending.run('insert into orders values (2)')
  await ending.close()
  const { rowCount } = await db.admin.query({
    text: `select from pg_stat_activity where application_name like 'clew sql%' and datname = current_database()`,
    values: [],
  })
  expect(rowCount).toBe(0)
  expect((await run(count)).body.results[0].rows).toEqual([['0']])
})

test('a statement whose asker leaves is cancelled, whenever that is', async ({ open, db }) => {
  const leaving = Array.from({ length: 12 }, () => new AbortController())
  const { run } = await open({ settings: { maxRuns: 50 }, signals: leaving.map(({ signal }) => signal) })
  const runs = leaving.map(() => run('select pg_sleep(50)'))
  for (const [place, controller] of leaving.entries()) {
    controller.abort()
    // Some leave before their connection is there, some as their statement is sent, some while it runs.
    await delay(5 * place)
  }
  expect((await Promise.all(runs)).map(({ body }) => body.state)).toEqual(leaving.map(() => 'failed'))
  const running = `select from pg_stat_activity where application_name like 'clew sql%' and datname = current_database()`
  await expect.poll(async () => (await db.admin.query({ text: running, values: [] })).rowCount).toBe(0)
}, 40_000)

test('what waits is committed through any process', async ({ open }) => {
  const heard = new Map<string, Set<(message: unknown) => void>>()
  const openTopic = (): OpenTopic => (name) => {
    const own = new Set<(message: unknown) => void>()
    return {
      tell: (message) => {
        for (const handle of heard.get(name) ?? []) if (!own.has(handle)) handle(message)
      },
      hear(handle) {
        const listener = handle as (message: unknown) => void
        own.add(listener)
        heard.set(name, (heard.get(name) ?? new Set()).add(listener))
        return () => void heard.get(name)?.delete(listener)
      },
    }
  }
  const holder = await open({ topic: openTopic() })
  const other = await open({ topic: openTopic() })
  const { id } = (await holder.run('insert into orders values (1)')).body
  expect((await other.call('POST', `/sql/runs/${id}/commit`)).body).toEqual({ failure: null })
  expect((await other.run(count)).body.results[0].rows).toEqual([['1']])
})

test('a failed statement takes back those before it, and is shown where it stands', async ({ open }) => {
  const { run } = await open()
  const text = `insert into orders values (1);\n select nope from orders`
  const { body } = await run(text)
  expect(body).toMatchObject({
    state: 'failed',
    results: [{ command: 'INSERT', rowCount: 1 }],
    failure: { statement: 1, code: '42703', position: text.indexOf('nope') },
  })
  expect((await run(count)).body.results[0].rows).toEqual([['0']])
})

test('a check that waits for the commit refuses it', async ({ open, db }) => {
  await db.load(`
    create table public.lines (
      id int primary key, order_id int references public.orders deferrable initially deferred
    )`)
  const { call, run } = await open()
  const { id } = (await run('insert into lines values (1, 99)')).body
  expect((await call('POST', `/sql/runs/${id}/commit`)).body.failure).toContain('violates foreign key constraint')
})

test('what changes names the request, so that histories name its operator', async ({ open, db }) => {
  const seen: ChangeTransaction[] = []
  db.changes.subscribe(async (transaction) => void seen.push(transaction))
  await expect.poll(() => db.changes.health().state).toBe('up')
  const { call, run } = await open()
  const { id } = (await run('insert into orders values (1)')).body
  await call('POST', `/sql/runs/${id}/commit`)
  await expect.poll(() => seen.map(({ cause }) => cause?.id)).toEqual(['r1'])
})

test('statements run as a role, with the claims of a user', async ({ open, db }) => {
  await db.load(`
    grant select on public.orders to authenticated;
    alter table public.orders enable row level security;
    create policy own on public.orders to authenticated using (id = (auth.jwt() ->> 'shop')::int);
    insert into public.orders values (1), (2)`)
  const { run } = await open()
  const as = { role: 'authenticated', claims: { sub: randomUUID(), role: 'authenticated', shop: 2 } }
  expect((await run('select id from orders', as)).body.results[0].rows).toEqual([['2']])
  expect((await run('select id from orders', { role: 'anon' })).body.results[0].rows).toEqual([])
  expect((await run('select 1', { role: 'supabase_admin' })).body.failure).toMatchObject({ code: '42501' })
})

test('a plan is asked for; what its measurement changes is taken back', async ({ open }) => {
  const { run } = await open()
  const plan = (await run('select * from orders', { mode: 'explain' })).body.results[0].rows[0][0]
  expect(JSON.parse(plan)[0].Plan).toMatchObject({ 'Relation Name': 'orders' })
  const measured = (await run('insert into orders values (1)', { mode: 'analyze' })).body
  expect(measured.state).toBe('done')
  expect(JSON.parse(measured.results[0].rows[0][0])[0]).toHaveProperty(['Execution Time'])
  expect((await run(count)).body.results[0].rows).toEqual([['0']])
  expect((await run('select 1; select 2', { mode: 'explain' })).body.code).toBe('CLEW_SQL_ONE_STATEMENT')
})

test('reading only, nothing is changed by any word', async ({ open }) => {
  const { run } = await open()
  const readOnly = { readOnly: true }
  for (const text of [
    'insert into orders values (1)',
    'set transaction read write; insert into orders values (1)',
    `begin; set local transaction_read_only = off; insert into orders values (1)`,
    `do $$ begin execute 'insert into orders values (1)'; end $$`,
    'vacuum orders',
  ])
    expect((await run(text, readOnly)).body.state, text).toBe('failed')
  const ended = await run('commit; insert into orders values (1)', readOnly)
  expect(ended.body.failure).toMatchObject({ code: '25006' })
  expect((await run(count)).body.results[0].rows).toEqual([['0']])
})

test('runs are bounded in number, and one that runs is cancelled', async ({ open, db }) => {
  const { call, run } = await open({ settings: { maxRuns: 1 } })
  const id = randomUUID()
  const sleeping = run('select pg_sleep(600)', { id })
  // Not by runs of its own, which could be the one that is let in.
  const asleep = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  await expect.poll(async () => (await db.admin.query({ text: asleep, values: [] })).rows).toHaveLength(1)
  expect((await run('select 1')).body.code).toBe('CLEW_SQL_BUSY')
  expect((await run('select 1', { id })).body.code).toBe('CLEW_SQL_RUN_TAKEN')
  await expect.poll(async () => (await call('POST', `/sql/runs/${id}/cancel`)).body).toEqual({ cancelled: true })
  expect((await sleeping).body.failure).toMatchObject({ code: '57014' })
  expect((await run('select 1')).body.state).toBe('done')
})

test('what cannot stand in a transaction runs alone, and says so', async ({ open }) => {
  const { run } = await open()
  expect((await run('vacuum orders')).body).toMatchObject({ state: 'done', alone: true })
  expect((await run('create database nope template nope')).body).toMatchObject({ state: 'failed', alone: true })
  expect((await run('-- nothing')).body.code).toBe('CLEW_SQL_EMPTY')
})

test('ClickHouse is read within limits', async ({ open, clickhouse }) => {
  await clickhouse.command({ text: 'create table events (id UInt64) engine = MergeTree order by id', parameters: {} })
  const { call, run } = await open({ settings: { maxRows: 10 } })
  const on = { engine: 'clickhouse' }
  expect((await run(`select toUInt64(7) as n, null as x, [1, 2] as l; select 'b'`, on)).body).toMatchObject({
    state: 'done',
    results: [
      {
        columns: [{ name: 'n', type: 'UInt64' }, { name: 'x' }, { type: 'Array(UInt8)' }],
        rows: [['7', null, '[1,2]']],
      },
      { rows: [['b']] },
    ],
  })
  const many = (await run('select number from numbers(10000000)', on)).body.results[0]
  expect([many.rows.length, many.more, many.rowCount]).toEqual([10, true, null])
  expect((await run('select nope', on)).body.failure).toMatchObject({ code: 'UNKNOWN_IDENTIFIER' })
  expect((await call('GET', '/sql/catalogue?engine=clickhouse')).body.tables).toMatchObject([
    { schema: 'clew', name: 'events', columns: [{ name: 'id', type: 'UInt64' }] },
  ])
})

const hostile = [
  'insert into events values (1)',
  'drop table events',
  'set readonly = 0',
  `select 1 # it's\n; drop table events --'`,
  `select 1 # it's\n; set readonly = 0 --'`,
  `select * from file('/etc/passwd', 'LineAsString')`,
  `select * from url('http://127.0.0.1:1/', 'LineAsString')`,
  `select * from executable('id', 'LineAsString', 'x String')`,
  `select * from remote('127.0.0.1', system.one)`,
  `select * from \`/etc/passwd\``,
  `select * from default.\`/etc/passwd\``,
  `select file('/etc/passwd')`,
  "select `\\x66ile`('/etc/passwd')",
  "select `fi\\Nle`('/etc/passwd')",
  `select 1 into outfile '/tmp/clew-outfile-test'`,
  `select 1 settings readonly = 0`,
  `select sleepEachRow(3) from numbers(100) settings max_execution_time = 1000`,
]

test('ClickHouse refuses what writes or reaches outside', async ({ open, clickhouse }) => {
  await clickhouse.command({ text: 'create table events (id UInt64) engine = MergeTree order by id', parameters: {} })
  const { run } = await open()
  const answers = []
  for (const text of hostile) {
    const { status, body } = await run(text, { engine: 'clickhouse' })
    answers.push([text, status, body.state])
  }
  expect(answers).toEqual(hostile.map((text) => [text, 200, 'failed']))
  expect(await clickhouse.query({ text: 'select count() as count from events', parameters: {} })).toEqual([
    { count: '0' },
  ])
})

test('the names of the database are offered, without Clew’s own', async ({ open, db }) => {
  await db.load('create function public.total() returns int language sql as $$ select 1 $$')
  const { call } = await open()
  const { tables, functions, roles } = (await call('GET', '/sql/catalogue?engine=postgres')).body
  expect(tables).toContainEqual({
    ...{ schema: 'public', name: 'orders' },
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'total', type: 'integer' },
    ],
  })
  expect(tables.map(({ schema }: { schema: string }) => schema)).not.toContain('clew_sql_editor')
  expect(functions).toContainEqual({ schema: 'public', name: 'total' })
  expect(roles.slice(0, 4)).toEqual(['postgres', 'anon', 'authenticated', 'service_role'])
})

test('queries are saved for the team, up to their number', async ({ open }) => {
  const { call, log } = await open({ settings: { maxQueries: 1 } })
  const query = { name: 'Orders', engine: 'postgres', text: count }
  const { id } = (await call('POST', '/sql/queries', query)).body
  expect((await call('POST', '/sql/queries', query)).body.code).toBe('CLEW_SQL_TOO_MANY_QUERIES')
  const other = await open({ operator: 'ben@example.com' })
  expect((await other.call('PUT', `/sql/queries/${id}`, { ...query, name: 'All orders' })).status).toBe(204)
  expect((await call('GET', '/sql/queries')).body.queries).toMatchObject([
    { id, name: 'All orders', createdBy: 'ana@example.com', updatedBy: 'ben@example.com' },
  ])
  expect((await call('DELETE', `/sql/queries/${id}`)).status).toBe(204)
  expect((await call('DELETE', `/sql/queries/${id}`)).body.code).toBe('CLEW_SQL_QUERY_NOT_FOUND')
  expect(log).toContainEqual({ name: 'query.delete', target: 'query All orders' })
})

test('an operator remembers so many runs, and no passwords', async ({ open }) => {
  const { call, run, log } = await open({ settings: { historyRuns: 2 } })
  for (const text of ['select 1', 'select 2', `select 3 -- password 'secret'`]) await run(text)
  const { runs } = (await call('GET', '/sql/runs')).body
  expect(runs.map(({ text }: { text: string }) => text)).toEqual([`select 3 -- password '…'`, 'select 2'])
  expect(JSON.stringify(log)).not.toContain('secret')
  const other = await open({ operator: 'ben@example.com' })
  expect((await other.call('GET', '/sql/runs')).body.runs).toEqual([])
})

test('analysts and viewers run nothing', async ({ open }) => {
  for (const role of ['analyst', 'viewer'] as const) {
    const { call, run, log } = await open({ role })
    expect((await run('select 1')).status).toBe(403)
    for (const path of ['/sql/runs', '/sql/queries', '/sql/catalogue?engine=postgres'])
      expect((await call('GET', path)).status, path).toBe(403)
    expect(log).toEqual([])
  }
})
