import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { joined, openRealtime } from '../../../../test/realtime-app.ts'
import { createFactsReader } from './table-facts.ts'
import { createFindVisible } from './visible.ts'

const readers = [1, 2, 3, 4].map((n) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`)

test('rows whose policy takes long for all callers together are asked about in parts, and none is left out', async ({
  db,
}) => {
  await db.load(`
    create table public.slow (id int primary key);
    alter table public.slow enable row level security;
    create policy "a hundredth of a second a row" on public.slow for select to authenticated
      using (pg_sleep(0.01) is not null);
    grant select on public.slow to authenticated;
    alter publication supabase_realtime add table public.slow`)
  const { client } = await openRealtime(db)
  const heard = await Promise.all(
    readers.map(async (reader) => {
      const socket = client(reader)
      await socket.setAuth()
      const channel = socket.channel('slow')
      const rows: unknown[] = []
      const told = new Promise((resolve) => channel.on('system', {}, resolve))
      channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'slow' }, ({ new: row }) =>
        rows.push(row.id),
      )
      await joined(channel)
      await told
      return rows
    }),
  )
  await expect.poll(() => db.changes.health().state).toBe('up')
  const ids = Array.from({ length: 100 }, (_, index) => index + 1)
  await db.load('insert into public.slow select generate_series(1, 100)')
  await expect.poll(() => heard.map((rows) => rows.length)).toEqual(readers.map(() => 100))
  for (const rows of heard) expect(rows).toEqual(ids)
})

test('rows of a transaction that is in the log and not seen yet are waited for', async ({ db }) => {
  await db.load(`
    create table public.pairs (name text, day date, owner uuid, primary key (name, day));
    alter table public.pairs enable row level security;
    create policy own on public.pairs for select to authenticated using (auth.uid() = owner);
    grant select on public.pairs to authenticated`)
  const writer = new pg.Client(db.login('postgres'))
  await writer.connect()
  await writer.query('begin')
  await writer.query(
    `insert into public.pairs values ('a"b,{}''\\', '2026-01-02', '${readers[0]}'), ('c', '2026-01-02', '${readers[1]}')`,
  )
  const { rows } = await writer.query<{ xid: number; oid: number }>(
    `select pg_current_xact_id()::xid::text::bigint::float8 as xid, 'public.pairs'::regclass::oid::int as oid`,
  )
  const [{ xid, oid } = { xid: 0, oid: 0 }] = rows
  const facts = await createFactsReader(db.admin).read(oid, 'authenticated')
  if (facts === null) throw new Error('The table is not there.')
  const find = createFindVisible({
    session: db.session,
    nowMs: () => performance.now(),
    log: { warn: (_details, message) => expect.fail(message) },
  })
  const claims = readers.map((sub) => JSON.stringify({ sub }))
  const keys = [{ name: 'c' }, { name: 'a"b,{}\'\\' }, { name: 'gone' }].map((key) => ({ ...key, day: '2026-01-02' }))
  const found = find(
    facts,
    'authenticated',
    claims,
    keys.map((key) => ({ key, xid })),
  )
  const isEarly = await Promise.race([found.then(() => true), delay(50).then(() => false)])
  expect(isEarly).toBe(false)
  await writer.query('commit')
  await writer.end()
  expect(await found).toEqual([new Set([2]), new Set([1]), new Set(), new Set()])
})

test('a subscription that meets trouble with the database is told so, and made some seconds later', async ({ db }) => {
  await db.load('create table notes (id int primary key); alter publication supabase_realtime add table notes')
  let isTroubled = true
  const { socket: open } = await openRealtime(db, {
    sql: {
      query: (statement) => (isTroubled ? db.admin.query({ text: 'no sql', values: [] }) : db.admin.query(statement)),
    },
  })
  const socket = await open()
  const config = { postgres_changes: [{ event: '*', table: 'notes' }] }
  socket.send(['1', '1', 'realtime:any', 'phx_join', { config }])
  const said = ['error', 'ok'].map((status) => [
    '1',
    null,
    'realtime:any',
    'system',
    expect.objectContaining({ status }),
  ])
  expect(await socket.until((frame: unknown[]) => frame[3] === 'system')).toEqual(said[0])
  isTroubled = false
  expect(await socket.next()).toEqual(said[1])
}, 20_000)
