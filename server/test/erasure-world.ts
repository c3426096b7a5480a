import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { changesCaughtUp } from '../src/engines/postgres/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { certificateKeyOf } from '../src/ground/privacy/certificate.ts'
import { personStores } from '../src/plan/privacy/erasures.ts'
import { serviceTables } from '../src/plan/tables/service-tables.ts'
import { findKnownPerson, refuseIds } from '../src/services/analytics/index.ts'
import { createAccountEraser } from '../src/services/auth/index.ts'
import { createErasures, type ErasuresDeps, erasuresService } from '../src/services/privacy/index.ts'
import { consoleApp } from './console-app.ts'
import { test as base, type TestDatabase } from './harness.ts'
import { type OperatorRole, recordedActions } from './operator-actions.ts'
import { refusedRowsIn } from './refused-rows.ts'
import { openWorld } from './thread-world.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
/** The person who is erased, by their user, and beside them Bob. */
export const ada = '0199a1b2-0000-4000-8000-00000000ada0'
export const bob = '0199a1b2-0000-4000-8000-00000000b0b0'
export const adaPerson = '0199a1b2-0000-4000-8000-00000000ada1'
const bobPerson = '0199a1b2-0000-4000-8000-00000000b0b1'
export const email = 'ada@shop.test'
export const name = 'Ada Lovelace'
export const session = '0199a1b2-0000-7000-8000-00000000ada2'
export const pepper = 'a pepper of this test'

/** Vitest's `test` with a world of two people. */
export const test = base.extend('world', async ({ db, clickhouse }, { onCleanup }) => {
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
  const key = certificateKeyOf(pepper)
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
      holdsOn: async () => [],
      backups: async () => ({ count: 2, until: new Date('2027-01-01T00:00:00Z') }),
      changesCaughtUp: (signal) => changesCaughtUp(sql, { limitMs: 20_000, signal }),
      ...{ key: () => key, publicKeys: () => [key.publicKey], settleMs: 20, log: silent },
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

export type World = Omit<Awaited<ReturnType<typeof openWorldOfPeople>>, 'close'>

/** The rows of a table. */
export const count = async (db: TestDatabase, table: string): Promise<number> =>
  (await db.admin.query<{ rows: number }>({ text: `select count(*)::int as rows from ${table}`, values: [] })).rows[0]
    ?.rows ?? -1

/** What Ada leaves in many stores, and Bob beside it, who names her. */
export async function fill({ db, clickhouse, spools }: World): Promise<void> {
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
  await query(
    `insert into clew_notes.notes (id, session_id, at, text, created_by, created_at)
    values (gen_random_uuid(), $1, now(), 'first order', 'op', now()), (gen_random_uuid(), 'other', now(), $2, 'op', now())`,
    session,
    `like ${name}`,
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
  await clickhouse.insert('exchanges', [
    { request_id: 'of-ada', time, request_body: '{}' },
    { request_id: 'of-bob', time, response_body: JSON.stringify([{ email }]) },
  ])
  await clickhouse.insert('function_logs', [
    { id: 'l', time, name: 'f', request_id: 'of-bob', text: `sent to ${email}.` },
  ])
  const refused = [ada, bob].map((id) => Buffer.from(JSON.stringify([uuidv7(), 'ordered', id, 'never', { email }])))
  await refusedRowsIn(spools).write('events', 'CANNOT_PARSE_DATE (38)', refused)
  await clickhouse.insert('exceptions', [{ id: 'e', client_time: time, time, received_at: time, user_id: ada }])
}

/** Every name of Ada. */
export const everyName = [ada, adaPerson, email, name]
