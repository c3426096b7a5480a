import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { serviceTables } from '../src/compose.ts'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { changesCaughtUp } from '../src/engines/postgres/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { certificateKeyOf, checkCertificate } from '../src/ground/privacy/certificate.ts'
import { personStores } from '../src/plan/privacy/erasures.ts'
import { findKnownPerson, refuseIds } from '../src/services/analytics/index.ts'
import { createAccountEraser } from '../src/services/auth/index.ts'
import { createErasures, type ErasuresDeps, erasuresService } from '../src/services/privacy/index.ts'
import { consoleApp } from './console-app.ts'
import { test as base, type TestDatabase } from './harness.ts'
import { type OperatorRole, recordedActions } from './operator-actions.ts'
import { refusedRowsIn } from './refused-rows.ts'
import { tablesWith } from './tables-with.ts'
import { openWorld } from './thread-world.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const ada = '0199a1b2-0000-4000-8000-00000000ada0'
const bob = '0199a1b2-0000-4000-8000-00000000b0b0'
const adaPerson = '0199a1b2-0000-4000-8000-00000000ada1'
const bobPerson = '0199a1b2-0000-4000-8000-00000000b0b1'
const email = 'ada@shop.test'
const name = 'Ada Lovelace'
const session = '0199a1b2-0000-7000-8000-00000000ada2'
const pepper = 'a pepper of this test'

const test = base.extend('world', async ({ db, clickhouse }, { onCleanup }) => {
  const { close, ...world } = await openWorldOfPeople(db, clickhouse)
  onCleanup(close)
  return world
})

/** The application's tables and every store of Clew, with what two people leave in them. */
async function openWorldOfPeople(db: TestDatabase, clickhouse: ClickHouse) {
  for (const { name: room, postgres, clickhouse: folder } of serviceTables) {
    if (postgres !== undefined) await db.migrate(room, postgres)
    if (folder !== undefined) await clickhouse.migrate(room, folder)
  }
  await db.load(`
    create table profiles (id uuid primary key references auth.users on delete cascade, bio text);
    create table orders (id int primary key, user_id uuid references auth.users, note text);
    create table order_lines (id int primary key, order_id int references orders on delete cascade, dish text);
    create table posts (id int primary key, author_id uuid references profiles, title text);
    alter table profiles replica identity full; alter table orders replica identity full;
    alter table order_lines replica identity full; alter table posts replica identity full;`)
  const { thread } = await openWorld(db, clickhouse)
  const spools = await mkdtemp(join(tmpdir(), 'clew-erasures-'))
  const opened: (() => Promise<void>)[] = []
  const open = async (role: OperatorRole = 'owner', given: Partial<ErasuresDeps> = {}) => {
    const { actions, log } = recordedActions(role)
    const { admin: sql, owner, reader } = db
    const erasures = createErasures({
      ...{ sql, clickhouse, stores: personStores({ postgres: db, clickhouse }, null, spools), now: () => new Date() },
      account: createAccountEraser({ owner, reader }),
      people: {
        find: (by) => findKnownPerson(sql, by),
        sessionIds: async () => [session],
        refuse: (ids) => refuseIds(sql, ids),
      },
      backups: async () => ({ count: 2, until: new Date('2027-01-01T00:00:00Z') }),
      changesCaughtUp: (signal) => changesCaughtUp(sql, { limitMs: 20_000, signal }),
      ...{ key: certificateKeyOf(pepper), settleMs: 20, log: silent },
      ...given,
    })
    opened.push(erasures.close)
    const { console: parts } = erasuresService(erasures, actions, uuidv7)
    const ask = await consoleApp(async (app) => {
      for (const part of parts) await app.register(part)
    })
    return { ask, log, erasures }
  }
  const close = async (): Promise<void> => {
    for (const closeOne of opened) await closeOne()
    await thread.close()
    await rm(spools, { recursive: true, force: true })
  }
  return { db, clickhouse, spools, open, close }
}

type World = Omit<Awaited<ReturnType<typeof openWorldOfPeople>>, 'close'>

const count = async (db: TestDatabase, table: string): Promise<number> =>
  (await db.admin.query<{ rows: number }>({ text: `select count(*)::int as rows from ${table}`, values: [] })).rows[0]
    ?.rows ?? -1

/** What Ada leaves everywhere, and Bob beside it, who names her. */
async function fill({ db, clickhouse, spools }: World): Promise<void> {
  const query = (text: string, ...values: unknown[]) => db.admin.query({ text, values })
  for (const [id, address, full, person] of [
    [ada, email, name, adaPerson],
    [bob, 'bob@shop.test', 'Bob', bobPerson],
  ]) {
    const insert = `insert into auth.users (id, email, raw_user_meta_data, created_at) values ($1, $2, jsonb_build_object('full_name', $3::text), now())`
    await query(insert, id, address, full)
    await query(
      `insert into clew_analytics.persons (id, created_at, auth_user_id, properties) values ($1, now(), $2, jsonb_build_object('email', $3::text))`,
      ...[person, id, address],
    )
    await query(`insert into clew_analytics.distinct_ids values ($1, $2), ($3, $2)`, id, person, `browser-of-${id}`)
    await query(
      `insert into clew_mail.mails (id, recipient, subject, body_text, body_html, created_at)
       values (gen_random_uuid(), $1, 'Hello', $2, $2, now())`,
      ...[address, `Hello ${address}`],
    )
  }
  await db.load(`
    insert into profiles values ('${ada}', 'I am ${name}'), ('${bob}', 'A friend of ada@shop.test');
    insert into orders values (1, '${ada}', 'for ${name}'), (2, '${bob}', 'for me');
    insert into order_lines values (11, 1, 'soup'), (12, 2, 'cake');
    insert into posts values (21, '${ada}', 'Hello'), (22, '${bob}', 'Hi');`)
  await query(
    `update clew_analytics.persons set properties = properties || '{"friend": "${email}"}' where id = $1`,
    bobPerson,
  )
  await query(
    `insert into clew_thread.session_users (session_id, auth_session_id, user_id, first_at, last_at)
    values ($1, 's', $2, now(), now())`,
    session,
    ada,
  )
  await query(
    `insert into clew_sql_editor.runs (id, operator, at, engine, statement, state, duration_ms)
    values (gen_random_uuid(), 'op@x.test', now(), 'postgres', $1, 'done', 1)`,
    `select '${email}'`,
  )
  await query(
    `insert into clew_sql_editor.queries values
    (gen_random_uuid(), $1, 'postgres', $1, 'op', 'op', now(), now())`,
    `Orders of ${email}`,
  )
  await query(
    `insert into clew_operators.actions (id, at, operator_id, operator_email, address, action, target)
    values (gen_random_uuid(), now(), gen_random_uuid(), 'op@x.test', '', 'user.ban', $1)`,
    `user ${email}`,
  )
  await query(
    `insert into auth.audit_log_entries (id, payload, created_at)
    values (gen_random_uuid(), json_build_object('actor_id', $1::text), now())`,
    ada,
  )
  await query(
    `insert into clew_shares.shares (id, token_hash, session_id, lanes, shows_values, shows_person, created_by, created_at, expires_at)
    values (gen_random_uuid(), 'x', $1, '{}', false, false, 'op', now(), now())`,
    session,
  )
  const time = new Date().toISOString().replace('T', ' ').replace('Z', '')
  const events = [
    { uuid: uuidv7(), event: 'ordered', distinct_id: ada, properties: JSON.stringify({ email }) },
    { uuid: uuidv7(), event: 'ordered', distinct_id: `browser-of-${ada}`, properties: '{}' },
    {
      uuid: uuidv7(),
      event: 'wrote',
      distinct_id: bob,
      properties: JSON.stringify({ to: email, of: name }),
    },
  ]
  await clickhouse.insert(
    'events',
    events.map((event) => ({ ...event, timestamp: time, client_time: time, received_at: time })),
  )
  const request = { time, method: 'GET', path: '/rest/v1/orders', status: 200, writes: true }
  await clickhouse.insert('requests', [
    { ...request, id: 'of-ada', user_id: ada },
    { ...request, id: 'of-bob', user_id: bob, query: `email=eq.${encodeURIComponent(email)}&id=eq.2` },
  ])
  await clickhouse.insert('statements', [
    { request_id: 'of-ada', ordinal: 0, time, text: 'select 1' },
    { request_id: 'of-bob', ordinal: 0, time, text: 'select 1' },
  ])
  await clickhouse.insert('function_logs', [
    { id: 'l', time, name: 'f', request_id: 'of-bob', text: `sent to ${email}.` },
  ])
  const refused = [ada, bob].map((id) => Buffer.from(JSON.stringify([uuidv7(), 'ordered', id, 'never', { email }])))
  await refusedRowsIn(spools).write('events', 'CANNOT_PARSE_DATE (38)', refused)
  await clickhouse.insert('exceptions', [{ id: 'e', client_time: time, time, received_at: time, user_id: ada }])
}

const everyName = [ada, adaPerson, email, name]

/** Where any name of Ada stands, in the tables of all schemas. */
async function placesOf({ db, clickhouse }: World): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const text of everyName) for (const table of await tablesWith(db, clickhouse, text)) found.add(table)
  for (const table of ['auth.users', 'auth.audit_log_entries', 'public.profiles', 'public.orders', 'public.posts'])
    for (const text of everyName) {
      const statement = { text: `select from ${table} each where strpos(each::text, $1) > 0`, values: [text] }
      if ((await db.admin.query(statement)).rows.length > 0) found.add(table)
    }
  return [...found].toSorted()
}

const tables = [
  { schema: 'public', table: 'orders', column: 'user_id', action: 'delete' },
  { schema: 'public', table: 'posts', column: 'author_id', action: 'delete' },
]

test('everything of a person goes, others keep theirs without the name, and a signed certificate tells of it', {
  timeout: 120_000,
}, async ({ world }) => {
  const { open, db, clickhouse } = world
  await fill(world)
  const { ask, log, erasures } = await open()
  const preview = (await ask('GET', `/privacy/preview?kind=user&id=${ada}`)).body
  expect(preview).toMatchObject({ personId: adaPerson, userId: ada, hasAccount: true, ids: 2 })
  expect(preview.texts).toEqual([
    { text: name, isTelling: true },
    { text: email, isTelling: true },
  ])
  const rows = new Map(preview.counts.map((each: { store: string; rows: number }) => [each.store, each.rows]))
  for (const store of [
    'statements',
    'requests',
    'people',
    'errors',
    'mails',
    'SQL history',
    'shared sessions',
    'log of sign-ins',
    'refused rows',
  ])
    expect([store, rows.get(store)]).toEqual([store, 1])
  expect(rows.get('events')).toBe(2)
  expect(preview.tables).toMatchObject([
    { table: 'orders', column: 'user_id', rows: 1, onDelete: 'kept from being deleted', canBeEmptied: true },
    { table: 'posts', column: 'author_id', rows: 1, onDelete: 'kept from being deleted' },
    { table: 'profiles', column: 'id', rows: 1, onDelete: 'deleted', canBeEmptied: false },
  ])
  // The history of the rows is in its table before the erasure begins.
  await expect.poll(async () => (await tablesWith(db, clickhouse, name)).includes('changes')).toBe(true)

  erasures.start()
  const begun = await ask('POST', '/privacy/erasures', {
    kind: 'user',
    id: ada,
    texts: [email, name],
    tables,
    refuse: false,
  })
  expect(begun.status).toBe(202)
  expect(log.at(-1)).toEqual({ name: 'person.erase', target: `erasure ${begun.body.id}` })
  const one = async () => (await ask('GET', `/privacy/erasures/${begun.body.id}`)).body
  await expect.poll(async () => (await one()).state, { timeout: 60_000 }).toBe('done')

  expect(await placesOf(world)).toEqual(['public.profiles'])
  const refused = await readFile(join(world.spools, 'refused', 'rows.ndjson'), 'utf8')
  for (const text of everyName) expect(refused).not.toContain(text)
  const done = await one()
  // Bob's own words about her are the application's, and said to be left.
  expect(done.left).toEqual([{ table: 'public.profiles', rows: 1 }])
  expect(done.tables).toEqual([
    { table: 'public.orders', column: 'user_id', action: 'delete', rows: 1 },
    { table: 'public.posts', column: 'author_id', action: 'delete', rows: 1 },
  ])
  for (const [table, left] of [
    ['auth.users', 1],
    ['public.orders', 1],
    ['public.order_lines', 1],
    ['public.posts', 1],
    ['clew_mail.mails', 1],
    ['clew_sql_editor.queries', 1],
  ] as const)
    expect([table, await count(db, table)]).toEqual([table, left])
  const [wrote] = await clickhouse.query<{ properties: string }>({
    text: `select properties from events final`,
    parameters: {},
  })
  expect(JSON.parse(wrote?.properties ?? '')).toEqual({ to: '[erased]', of: '[erased]' })
  const [asked] = await clickhouse.query<{ query: string }>({ text: `select query from requests`, parameters: {} })
  expect(asked?.query).toBe('email=eq.[erased]&id=eq.2')
  // Nothing of the row that went is left in the history, and Bob's is.
  const history = await clickhouse.query<{ key: string }>({
    text: `select distinct key from changes where table_name in ('orders', 'order_lines') order by key`,
    parameters: {},
  })
  expect(history.map(({ key }) => key)).toEqual(['{"id":"12"}', '{"id":"2"}'])

  const file = (await ask('GET', `/privacy/erasures/${begun.body.id}/certificate`)).body
  for (const text of everyName) expect(JSON.stringify(file)).not.toContain(text)
  const { publicKey, digest } = certificateKeyOf(pepper)
  expect(checkCertificate(file, publicKey)).toMatchObject({ kind: 'good', isOfKey: true })
  expect(file.certificate.subject).toContain(digest(` ${email.toUpperCase()}`))
  expect(file.certificate.backups).toEqual({ count: 2, until: '2027-01-01T00:00:00.000Z' })
  const verify = async (certificate: unknown) =>
    (await ask('POST', '/privacy/certificates/verify', { certificate })).body.outcome
  expect(await verify(file)).toBe('good')
  expect(await verify({ ...file, certificate: { ...file.certificate, refusesFuture: true } })).toBe('changed')
  expect(await verify({ hello: 1 })).toBe('not a certificate')
})

test('what stands against it is said before anything is erased, and in the certificate never', {
  timeout: 60_000,
}, async ({ world }) => {
  const { open, db } = world
  await fill(world)
  const { ask } = await open()
  const wish = { kind: 'user', id: ada, texts: [], refuse: false }
  const check = async (given: object) =>
    (await ask('POST', '/privacy/erasures/check', { kind: 'user', id: ada, ...given })).body
  expect((await check({ tables: [] })).refusal).toMatchObject({ table: 'orders' })
  expect((await check({ tables })).refusal).toBeNull()
  const emptied = { schema: 'public', table: 'orders', column: 'user_id', action: 'set null' }
  expect((await check({ tables: [emptied, ...tables.slice(1)] })).refusal).toBeNull()
  expect(await count(db, 'public.orders')).toBe(2)
  const codes = async (given: object) => (await ask('POST', '/privacy/erasures', { ...wish, ...given })).body.code
  expect(await codes({ tables: [] })).toBe('CLEW_PRIVACY_ACCOUNT_REFUSED')
  expect(await codes({ tables: [{ ...emptied, table: 'order_lines', column: 'id' }] })).toBe(
    'CLEW_PRIVACY_ROWS_NOT_FOUND',
  )
  expect(await codes({ tables: [{ ...emptied, table: 'profiles', column: 'id' }] })).toBe('CLEW_PRIVACY_ROWS_NOT_FOUND')
  expect(await codes({ id: session, tables: [] })).toBe('CLEW_PRIVACY_PERSON_NOT_FOUND')
  // Two operators at once: one of them begins it.
  const both = await Promise.all([1, 2].map(() => ask('POST', '/privacy/erasures', { ...wish, tables })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409])
  expect(await codes({ tables })).toBe('CLEW_PRIVACY_ERASURE_OPEN')
  expect((await ask('GET', '/privacy/erasures')).body.erasures).toMatchObject([{ state: 'waiting', left: null }])
})

test('an erasure that is interrupted is taken up where it was', { timeout: 60_000 }, async ({ world }) => {
  const { open, db, clickhouse, spools } = world
  await fill(world)
  const stores = personStores({ postgres: db, clickhouse }, null, spools)
  let reached = false
  const first = await open('owner', {
    stores: stores.map((store) =>
      store.name !== 'mails'
        ? store
        : {
            ...store,
            // Never done: its process is killed here.
            erase: (_subject, { signal }) => {
              reached = true
              return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
            },
          },
    ),
    leaseMs: 500,
  })
  first.erasures.start()
  const { body } = await first.ask('POST', '/privacy/erasures', {
    kind: 'person',
    id: adaPerson,
    texts: [email],
    tables,
    refuse: true,
  })
  await expect.poll(() => reached, { timeout: 20_000 }).toBe(true)
  expect((await first.ask('GET', `/privacy/erasures/${body.id}`)).body).toMatchObject({
    state: 'running',
    store: 'mails',
  })
  await first.erasures.close()
  const second = await open()
  second.erasures.start()
  const state = async () => (await second.ask('GET', `/privacy/erasures/${body.id}`)).body
  await expect.poll(async () => (await state()).state, { timeout: 30_000 }).toBe('done')
  const { stores: erased, error } = await state()
  expect(error).toBeNull()
  // Steps that were done are not counted twice.
  expect(erased.find((each: { store: string }) => each.store === 'events')).toMatchObject({ removed: 2 })
  // Only the refusal that was asked for stays.
  expect(await tablesWith(db, clickhouse, ada)).toEqual(['clew_analytics.consents'])
})

test('a person’s data leave as one JSON file, and no secret with them', { timeout: 60_000 }, async ({ world }) => {
  const { open, db } = world
  await fill(world)
  await db.admin.query({ text: `update auth.users set encrypted_password = 'hash-of-ada'`, values: [] })
  const { ask, log } = await open()
  const { body } = await ask('GET', `/privacy/export?kind=user&id=${ada}`)
  expect(body.stores.account[0].user).toMatchObject({ id: ada, email })
  expect(body.stores['rows of the application']).toContainEqual({
    table: 'public.orders',
    row: { id: 1, user_id: ada, note: `for ${name}` },
  })
  expect(body.stores.events.map(({ event }: { event: string }) => event)).toEqual(['ordered', 'ordered'])
  expect(body.stores.mails).toMatchObject([{ recipient: email }])
  expect(body.stores['refused rows']).toMatchObject([{ target: 'events', row: expect.stringContaining(ada) }])
  expect(JSON.stringify(body)).not.toContain('hash-of-ada')
  expect(JSON.stringify(body)).not.toContain('bob@shop.test')
  expect(log).toEqual([{ name: 'person.export', target: `user ${ada}` }])
})

test.for(['developer', 'analyst'] as const)(
  'a %s sees erasures, and neither previews nor begins one',
  async (role, { world }) => {
    const { ask } = await world.open(role)
    expect((await ask('GET', '/privacy/erasures')).status).toBe(200)
    expect((await ask('GET', `/privacy/preview?kind=user&id=${ada}`)).status).toBe(403)
    expect((await ask('GET', `/privacy/export?kind=user&id=${ada}`)).status).toBe(403)
    expect(
      (await ask('POST', '/privacy/erasures', { kind: 'user', id: ada, texts: [], tables: [], refuse: false })).status,
    ).toBe(403)
  },
)
