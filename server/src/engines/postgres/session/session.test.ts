import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect } from 'vitest'
import { openTestDatabase, test } from '../../../../test/harness.ts'
import { requestContext } from '../../../../test/request-context.ts'
import type { Postgres, SessionCall } from '../postgres.ts'

type Row = Record<string, string | null>

const call = (text: string, more: Partial<SessionCall<Row>> = {}): SessionCall<Row> => ({
  role: 'anon',
  settings: [['request.jwt.claims', '{"role":"anon"}']],
  statement: { text, values: [] },
  readOnly: false,
  attribute: false,
  end: 'commit',
  context: null,
  ...more,
})

const claims = `current_setting('request.jwt.claims', true)`

test('a caller is its role, with its claims, and column values are text', async ({ db }) => {
  const { rows } = await db.session.run(
    call(`select current_user::text as who, ${claims} as claims, 1.50 as amount, $1::timestamptz as at, null as none`, {
      statement: {
        text: `select current_user as who, ${claims} as claims, 1.50 as amount, $1::timestamptz as at, null as none`,
        values: [new Date('2026-01-02T03:04:05Z')],
      },
    }),
  )
  expect(rows).toEqual([
    { who: 'anon', claims: '{"role":"anon"}', amount: '1.50', at: '2026-01-02 03:04:05+00', none: null },
  ])
})

test('a statement after the caller’s own runs in the same transaction', async ({ db }) => {
  const after = { text: `select current_setting('app.left', true) as left, current_user as who`, values: [] }
  const left = `select set_config('app.left', 'here', true)`
  for (const end of ['commit', 'rollback'] as const) {
    const result = await db.session.run(call(left, { after, end }))
    expect(result.after).toEqual([{ left: 'here', who: 'anon' }])
  }
  expect((await db.session.run(call('select 1'))).after).toEqual([])
})

test('a statement after the caller’s own may run as another role, with the caller’s settings', async ({ db }) => {
  const after = { text: `select current_user as who, ${claims} as claims`, values: [] }
  for (const more of [{ readOnly: true }, { end: 'rollback' as const }, {}]) {
    const result = await db.session.run(
      call('select current_user as who', { after, afterRole: 'service_role', ...more }),
    )
    expect(result.rows).toEqual([{ who: 'anon' }])
    expect(result.after).toEqual([{ who: 'service_role', claims: '{"role":"anon"}' }])
  }
  expect((await db.session.run(call('select current_user as who'))).rows).toEqual([{ who: 'anon' }])
})

test('values of every kind arrive as PostgreSQL writes them', async ({ db }) => {
  const values = [
    ['a "quoted"', null, 'b\\c'],
    [
      [1, 2],
      [3, 4],
    ],
    { deep: [1] },
    Buffer.from('hé'),
    true,
    12n,
  ]
  const { rows } = await db.session.run(
    call('', {
      statement: {
        text: 'select $1::text[] as a, $2::int[] as b, $3::jsonb as c, $4::bytea as d, $5::bool as e, $6::int8 as f',
        values,
      },
    }),
  )
  expect(rows).toEqual([
    { a: '{"a \\"quoted\\"",NULL,"b\\\\c"}', b: '{{1,2},{3,4}}', c: '{"deep": [1]}', d: '\\x68c3a9', e: 't', f: '12' },
  ])
})

test('a read-only call cannot write', async ({ db }) => {
  await db.load('create table notes (id int primary key)')
  await expect(db.session.run(call('insert into notes values (1)', { readOnly: true }))).rejects.toMatchObject({
    code: '25006',
  })
})

test('settings are set in their order, before the role is taken', async ({ db }) => {
  await db.load(`create schema first; create schema second;
    create table first.t as select 'first' as v; create table second.t as select 'second' as v;
    grant usage on schema first, second to anon; grant select on first.t, second.t to anon`)
  for (const path of ['first', 'second', 'first']) {
    const { rows } = await db.session.run(call('select v from t', { settings: [['search_path', path]] }))
    expect(rows).toEqual([{ v: path }])
  }
})

test('what is set with the role’s rights is set after it is taken, and last', async ({ db }) => {
  const setting = (name: string) => `current_setting('${name}', true) as ${name.replace('.', '_')}`
  const { rows } = await db.session.run(
    call(`select ${setting('app.a')}, ${setting('app.b')}`, {
      settings: [['app.a', 'first']],
      roleSettings: [
        ['app.a', 'second'],
        ['app.b', 'other'],
      ],
    }),
  )
  expect(rows).toEqual([{ app_a: 'second', app_b: 'other' }])
  // Only a superuser may: the authenticator is none, and neither is the role.
  await expect(
    db.session.run(call('select 1', { roleSettings: [['session_replication_role', 'replica']] })),
  ).rejects.toMatchObject({ code: '42501' })
})

test('a statement before the caller’s own refuses, or changes what it finds', async ({ db }) => {
  await db.load(`
    create function public.become() returns void language sql as $$select set_config('app.seen', current_user, true)$$;
    create function public.refuse() returns void language plpgsql as $$begin raise 'not you'; end$$`)
  const before = (text: string): Partial<SessionCall<Row>> => ({ before: { text, values: [] } })
  const seen = `select current_setting('app.seen', true) as seen`
  const { rows } = await db.session.run(call(seen, before('select public.become()')))
  expect(rows).toEqual([{ seen: 'anon' }])
  await expect(db.session.run(call(seen, before('select public.refuse()')))).rejects.toMatchObject({ code: 'P0001' })
  expect((await db.session.run(call(seen))).rows).toEqual([{ seen: '' }])
})

test.for(['repeatable read', 'serializable'] as const)(
  '%s holds for the transaction alone',
  async (isolation, { db }) => {
    const shown = `select current_setting('transaction_isolation') as level`
    await db.load('create table kept (id int); grant select, insert on kept to anon')
    expect((await db.session.run(call(shown, { isolation }))).rows).toEqual([{ level: isolation }])
    expect((await db.session.run(call(shown))).rows).toEqual([{ level: 'read committed' }])
    await db.session.run(call('insert into kept values (1)', { isolation }))
    await db.session.run(call('insert into kept values (2)', { isolation, end: 'rollback' }))
    expect((await db.session.run(call('select id from kept'))).rows).toEqual([{ id: '1' }])
  },
)

test('a prepared statement is described again when a column has another type', async ({ db }) => {
  const find = () =>
    db.session.run(call('', { statement: { text: 'select id from kept where id = $1', values: ['1'] } }))
  await db.load(`create table kept (id text); insert into kept values ('1'); grant select on kept to anon`)
  expect((await find()).rows).toEqual([{ id: '1' }])
  await db.load('alter table kept alter id type int using id::int')
  for (let time = 0; time < 5; time += 1) expect((await find()).rows).toEqual([{ id: '1' }])
})

describe('nothing of a caller is left for the next', () => {
  /** A pool of one, so that the next caller has the same connection. */
  async function afterwards(
    failing: (db: Postgres) => Promise<unknown>,
    prepare = 'select 1',
  ): Promise<Row | undefined> {
    const db = await openTestDatabase(1)
    try {
      await db.script(prepare)
      const process = 'select pg_backend_pid()::text as pid'
      const before = await db.session.run(call(process))
      await expect(failing(db)).rejects.toBeInstanceOf(pg.DatabaseError)
      const after = await db.session.run(
        call(
          `select current_user as who, session_user as login, ${claims} as claims, current_setting('transaction_read_only') as ro, pg_backend_pid() = ${before.rows[0]?.pid ?? 'null'} as same`,
          {
            settings: [],
          },
        ),
      )
      return after.rows[0]
    } finally {
      await db.close()
    }
  }

  const clean = { who: 'anon', login: 'authenticator', claims: '', ro: 'off', same: 't' }
  const deferred = `create table parents (id int primary key);
    create table children (parent int references parents deferrable initially deferred)`

  const cases: [name: string, call: SessionCall<Row>, code: string, prepare?: string][] = [
    ['after an error in execution', call('select 1/0', { role: 'service_role' }), '22012'],
    ['after an error in parsing', call('selec', { role: 'service_role' }), '42601'],
    ['after an unknown column', call('select nothing', { role: 'service_role' }), '42703'],
    ['after an unknown role', call('select 1', { role: 'nobody_at_all' }), '22023'],
    ['after a role that is not granted', call('select 1', { role: 'supabase_admin' }), '42501'],
    ['after a setting that is refused', call('select 1', { settings: [['work_mem', 'much']] }), '22023'],
    ['after a write where only reading is allowed', call('create temp table t ()', { readOnly: true }), '25006'],
    ['after a commit that fails', call('insert into children values (1)', { role: 'service_role' }), '23503', deferred],
    [
      'after a rollback that would have failed',
      call('insert into children values (1)', { role: 'service_role', end: 'rollback' }),
      '23503',
      deferred,
    ],
    ['after an error in an isolated transaction', call('select 1/0', { isolation: 'serializable' }), '22012'],
    ['after an error in what runs before', call('select 1', { before: { text: 'select 1/0', values: [] } }), '22012'],
    ['after an error in what runs after', call('select 1', { after: { text: 'select 1/0', values: [] } }), '22012'],
    ['after an error before a check', call('select 1/0', { role: 'service_role', check: () => undefined }), '22012'],
    [
      'after a commit that fails behind a check',
      call('insert into children values (1)', { role: 'service_role', check: () => undefined }),
      '23503',
      deferred,
    ],
    [
      'after a value that does not fit its type',
      call('', { role: 'service_role', statement: { text: 'select $1::int', values: ['x'] } }),
      '22P02',
    ],
    [
      'after too few values',
      call('', { role: 'service_role', statement: { text: 'select $1::int, $2::int', values: [1] } }),
      '08P01',
    ],
  ]

  test.for(cases)('%s', async ([, failing, code, prepare]) => {
    const left = await afterwards(async (db) => {
      const failure: unknown = await db.session.run(failing).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code })
      throw failure
    }, prepare)
    expect(left).toMatchObject(clean)
  })
})

test('errors are those of the server, with detail and hint', async ({ db }) => {
  await db.load(`create table notes (id int primary key); insert into notes values (1);
    create function refuse() returns void language plpgsql as $$ begin
      raise exception 'No.' using errcode = 'PT402', detail = 'Why', hint = 'Then'; end $$`)
  await expect(db.session.run(call('insert into notes values (1)'))).rejects.toMatchObject({
    code: '23505',
    detail: 'Key (id)=(1) already exists.',
    constraint: 'notes_pkey',
  })
  await expect(db.session.run(call('select refuse()'))).rejects.toMatchObject({
    code: 'PT402',
    message: 'No.',
    detail: 'Why',
    hint: 'Then',
  })
})

test('a rollback keeps nothing, and still checks deferred constraints', async ({ db }) => {
  await db.load('create table notes (id int primary key)')
  const { rows } = await db.session.run(call('insert into notes values (1) returning id', { end: 'rollback' }))
  expect(rows).toEqual([{ id: '1' }])
  expect((await db.admin.query({ text: 'select * from public.notes', values: [] })).rowCount).toBe(0)
})

test('a check that throws rolls back, and one that passes commits', async ({ db }) => {
  await db.load('create table notes (id int primary key)')
  const refusal = new Error('too many')
  const refused = db.session.run(
    call('insert into notes values (1)', {
      check: ({ rowCount }) => {
        expect(rowCount).toBe(1)
        throw refusal
      },
    }),
  )
  await expect(refused).rejects.toBe(refusal)
  const notes = async () => (await db.admin.query({ text: 'select id from public.notes', values: [] })).rows
  await db.session.run(
    call('insert into notes values (2)', {
      after: { text: 'select count(*)::text as count from notes', values: [] },
      check: async (_, after) => expect([after, await notes()]).toEqual([[{ count: '1' }], []]),
    }),
  )
  expect(await notes()).toEqual([{ id: 2 }])
})

test.for(['plain', 'checked', 'rolled back'])(
  'settings made by the statement are read back (%s)',
  async (how, { db }) => {
    await db.load(`create function answer() returns int language sql as $$
    select set_config('response.status', '418', true); select 7 $$`)
    const { rows, settings } = await db.session.run(
      call('select answer() as value', {
        readBack: ['response.status', 'response.headers'],
        ...(how === 'checked' ? { check: () => undefined } : {}),
        ...(how === 'rolled back' ? { end: 'rollback' } : {}),
      }),
    )
    expect(rows).toEqual([{ value: '7' }])
    expect(settings).toEqual(['418', null])
    const next = await db.session.run(call('select 1 as one', { readBack: ['response.status'] }))
    expect(next.settings).toEqual([null])
  },
)

test('a table that changes its columns does not break the statements kept for it', async () => {
  const db = await openTestDatabase(1)
  try {
    await db.script('create table notes (id int primary key)')
    const all = call('select * from notes')
    await db.session.run(all)
    await db.script(`alter table notes add title text default 'new'; insert into notes values (1)`)
    expect((await db.session.run(all)).rows).toEqual([{ id: '1', title: 'new' }])
    await db.session.run(call('do $$ begin execute $q$ deallocate all $q$; end $$'))
    expect((await db.session.run(all)).rows).toEqual([{ id: '1', title: 'new' }])
  } finally {
    await db.close()
  }
})

test('a connection keeps a bounded number of statements', async () => {
  const db = await openTestDatabase(1)
  try {
    for (let index = 0; index < 260; index += 1) await db.session.run(call(`select ${index} as n`))
    const { rows } = await db.session.run(call('select count(*) as kept from pg_prepared_statements'))
    expect(Number(rows[0]?.kept)).toBeLessThanOrEqual(200)
  } finally {
    await db.close()
  }
})

test('a statement is recorded with its request, failed ones too', async ({ db }) => {
  const context = requestContext()
  // Type names are read in the background at the start.
  await db.session.run(call('', { statement: { text: 'select $1::int, $2::text', values: [1, 'x'] } }))
  const statement = { text: 'select generate_series(1, $1::int) where $2::text is not null', values: [3, 'x'] }
  await expect
    .poll(async () => {
      context.statements.length = 0
      await db.session.run(call('', { statement, context }))
      return context.statements[0]?.parameterTypes
    })
    .toEqual(['integer', 'text'])
  await db.session.run(call('select 1/0', { context })).catch(() => undefined)
  await db.admin.query({ text: 'select 1', values: [] }, context)
  expect(context.statements).toMatchObject([
    { text: statement.text, rows: 3, role: 'anon', errorCode: null },
    { text: 'select 1/0', rows: null, role: 'anon', errorCode: '22012' },
    { text: 'select 1', rows: 1, role: 'supabase_admin', errorCode: null },
  ])
  expect(context.statements.every(({ durationMs }) => durationMs > 0)).toBe(true)
})

test('a caller who goes away stops the statement, and the next is not stopped', async () => {
  const db = await openTestDatabase(1)
  try {
    const gone = new AbortController()
    const mark = randomUUID()
    const running = db.session.run(
      call(`select pg_sleep(30), '${mark}'`, { context: requestContext({ signal: gone.signal }) }),
    )
    await expect
      .poll(
        async () =>
          (
            await db.admin.query({
              text: `select from pg_stat_activity where state = 'active' and query like '%' || $1 || '%' and pid <> pg_backend_pid()`,
              values: [mark],
            })
          ).rowCount,
      )
      .toBe(1)
    gone.abort()
    await expect(running).rejects.toMatchObject({ code: '57014' })
    for (let index = 0; index < 5; index += 1)
      expect((await db.session.run(call('select pg_sleep(0.005), 1 as one'))).rowCount).toBe(1)
  } finally {
    await db.close()
  }
})

test('a connection that is killed is replaced', async () => {
  const db = await openTestDatabase(1)
  try {
    const running = db.session.run(call('select pg_sleep(30)'))
    const refused = expect(running).rejects.toMatchObject({ code: '57P01' })
    await expect
      .poll(async () => {
        const found = await db.admin.query<{ done: boolean }>({
          text: `select pg_terminate_backend(pid) as done from pg_stat_activity where usename = 'authenticator' and query like '%pg_sleep(30)%' and state = 'active' and datname = current_database()`,
          values: [],
        })
        return found.rowCount
      })
      .toBe(1)
    await refused
    expect((await db.session.run(call('select 1 as one'))).rows).toEqual([{ one: '1' }])
  } finally {
    await db.close()
  }
})
