import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from 'vitest'
import { openOn, test } from '../../../../test/harness.ts'
import { requestContext } from '../../../../test/request-context.ts'
import type { ChangeTransaction } from '../../../ground/model/change.ts'
import { isReady } from '../../../ground/model/health.ts'
import { createPostgres } from '../open.ts'
import type { Postgres, SessionCall } from '../postgres.ts'

const table = `create table notes (id int primary key, title text, done boolean default false)`

/**
 * Reads the stream into a list; resolves `until` there are so many transactions. Its slot is made when every transaction
 * of the cluster that runs then has ended, those of other tests as well.
 */
async function follow(
  db: Postgres,
  state = 'up',
): Promise<{ seen: ChangeTransaction[]; until(count: number): Promise<void> }> {
  const seen: ChangeTransaction[] = []
  db.changes.subscribe(async (transaction) => {
    seen.push(transaction)
  })
  await expect.poll(() => db.changes.health().state, { interval: 5 }).toBe(state)
  return {
    seen,
    until: (count) => expect.poll(() => seen.length, { interval: 5 }).toBeGreaterThanOrEqual(count),
  }
}

test('a transaction arrives with its rows before and after', async ({ db }) => {
  await db.load(table)
  const { seen, until } = await follow(db)
  await db.load(`insert into notes values (1, 'milk'), (2, null)`)
  await db.load(`update notes set title = 'oat milk' where id = 1`)
  await db.load(`delete from notes where id = 2`)
  await db.load('truncate notes')
  await until(4)
  const types = { id: 'integer', title: 'text', done: 'boolean' }
  const relation = { id: expect.any(Number), keyNumbers: [1] }
  const common = { relation, schema: 'public', table: 'notes', types }
  expect(seen.map((transaction) => transaction.changes)).toEqual([
    [
      { ...common, operation: 'insert', key: { id: '1' }, old: null, new: { id: '1', title: 'milk', done: 'f' } },
      { ...common, operation: 'insert', key: { id: '2' }, old: null, new: { id: '2', title: null, done: 'f' } },
    ],
    [
      {
        ...common,
        operation: 'update',
        key: { id: '1' },
        old: { id: '1', title: 'milk', done: 'f' },
        new: { id: '1', title: 'oat milk', done: 'f' },
      },
    ],
    [{ ...common, operation: 'delete', key: { id: '2' }, old: { id: '2', title: null, done: 'f' }, new: null }],
    [{ ...common, operation: 'truncate', key: {}, old: null, new: null }],
  ])
  expect(seen.every((transaction) => transaction.cause === null)).toBe(true)
  expect(Math.abs(Date.now() - (seen[0]?.committedAt.getTime() ?? 0))).toBeLessThan(60_000)
})

const write = (db: Postgres, text: string, more: Partial<SessionCall<Record<string, string | null>>> = {}) =>
  db.session.run({
    role: 'service_role',
    settings: [],
    statement: { text, values: [] },
    readOnly: false,
    attribute: true,
    end: 'commit',
    context: null,
    ...more,
  })

test('a transaction names the request that made it, and only that one', async ({ db }) => {
  await db.load(table)
  const { seen, until } = await follow(db)
  const contexts = [requestContext(), requestContext(), requestContext()]
  await write(db, 'insert into notes values (1)', { context: contexts[0] ?? null })
  await write(db, 'insert into notes values (2)', { context: contexts[1] ?? null, attribute: false })
  await write(db, 'insert into notes values (3)', { context: contexts[2] ?? null, end: 'rollback' })
  await write(db, `insert into notes select 4 from pg_logical_emit_message(true, 'clew', 'forged')`, {
    context: contexts[0] ?? null,
    check: () => undefined,
  })
  await db.load('insert into notes values (5)')
  await until(4)
  expect(seen.map(({ cause, changes }) => [cause?.id ?? null, changes[0]?.key.id])).toEqual([
    [contexts[0]?.id, '1'],
    [null, '2'],
    [contexts[0]?.id, '4'],
    [null, '5'],
  ])
})

test('transactions arrive in commit order', async ({ db }) => {
  await db.load(table)
  const { seen, until } = await follow(db)
  for (let id = 1; id <= 50; id += 1) await write(db, `insert into notes values (${id})`)
  await until(50)
  expect(seen.map(({ changes }) => Number(changes[0]?.key.id))).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
})

test('changes committed without a reader are kept for the next one', async ({ db }) => {
  await db.load(table)
  const first: ChangeTransaction[] = []
  const leave = db.changes.subscribe(async (transaction) => void first.push(transaction))
  await expect.poll(() => db.changes.health().state, { interval: 5 }).toBe('up')
  await write(db, 'insert into notes values (1)')
  await expect.poll(() => first.length, { interval: 5 }).toBe(1)
  leave()
  await write(db, 'insert into notes values (2)')
  // A connected receiver has confirmed its position within a moment; one that has gone is not waited for.
  const lagging = async () =>
    (
      await db.admin.query({
        text: `select from pg_stat_replication r join pg_replication_slots s on s.active_pid = r.pid
          where s.database = current_database() and r.replay_lsn < pg_current_wal_lsn()`,
        values: [],
      })
    ).rowCount
  await expect.poll(lagging).toBe(0)
  const { seen, until } = await follow(db)
  await write(db, 'insert into notes values (3)')
  await until(2)
  const ids = seen.map(({ changes }) => changes[0]?.key.id)
  expect(ids.slice(ids.indexOf('2'))).toEqual(['2', '3'])
})

test('columns and keys added while reading are seen from then on', async ({ db }) => {
  await db.load('create table bare (a text)')
  const { seen, until } = await follow(db)
  await db.load(`insert into bare values ('x')`)
  await db.load(`create type mood as enum ('glad'); alter table bare add id serial primary key, add m mood`)
  await db.load(`insert into bare values ('y', 7, 'glad')`)
  await until(2)
  expect(seen.flatMap(({ changes }) => changes)).toMatchObject([
    { key: {}, new: { a: 'x' }, types: { a: 'text' } },
    { key: { id: '7' }, new: { a: 'y', id: '7', m: 'glad' }, types: { a: 'text', id: 'integer', m: 'mood' } },
  ])
})

test('a key renamed in the transaction that inserted is the key of the time', async ({ db }) => {
  await db.load(table)
  const { seen, until } = await follow(db)
  await db.load(`insert into notes values (1, 'milk'); alter table notes rename id to ident;
    insert into notes values (2, 'tea')`)
  await until(1)
  expect(seen.flatMap(({ changes }) => changes)).toMatchObject([
    { key: { id: '1' }, relation: { keyNumbers: [1] } },
    { key: { ident: '2' }, relation: { keyNumbers: [1] } },
  ])
})

test('changes of partitions stand under the table that they are partitions of', async ({ db }) => {
  await db.load(`create table parts (id int, at date, primary key (id, at)) partition by range (at);
    create table parts_old partition of parts for values from ('2000-01-01') to ('2026-01-01');
    create table parts_new partition of parts for values from ('2026-01-01') to ('2027-01-01')`)
  const { seen, until } = await follow(db)
  await db.load(`insert into parts values (1, '2020-01-01')`)
  await db.load(`update parts set at = '2026-01-01'`)
  await db.load('truncate parts')
  await until(3)
  expect(
    seen.map(({ changes }) => changes.map(({ table, operation, key }) => [table, operation, Object.values(key)])),
  ).toEqual([
    [['parts', 'insert', ['1', '2020-01-01']]],
    // What PostgreSQL writes of a row that moves.
    [
      ['parts', 'delete', ['1', '2020-01-01']],
      ['parts', 'insert', ['1', '2026-01-01']],
    ],
    [['parts', 'truncate', []]],
  ])
})

test('a large value that an update leaves alone is still there', async ({ db }) => {
  await db.load('create table files (id int primary key, name text, body text)')
  const { seen, until } = await follow(db)
  // Random enough to be stored out of line.
  await db.load(`insert into files select 1, 'a', string_agg(md5(n::text), '') from generate_series(1, 5000) n`)
  await db.load(`update files set name = 'b'`)
  await until(2)
  const updated = seen[1]?.changes[0]
  expect(updated?.new?.name).toBe('b')
  expect(updated?.new?.body).toHaveLength(160_000)
  expect(updated?.old?.body).toBe(updated?.new?.body)
})

test('a very large transaction is handed on in parts, each knowing its place', async ({ db }) => {
  await db.load(table)
  const { seen } = await follow(db)
  await db.load('insert into notes select n from generate_series(1, 12000) n')
  await expect.poll(() => seen.flatMap(({ changes }) => changes).length).toBe(12_000)
  expect(seen.map(({ offset }) => offset)).toEqual([0, 5000, 10_000])
  expect(new Set(seen.map(({ lsn }) => lsn)).size).toBe(1)
})

test('a reader that fails is asked again, and nothing after it is given before', async ({ db }) => {
  await db.load(table)
  const attempts: string[] = []
  let failures = 2
  db.changes.subscribe(async ({ changes }) => {
    const id = changes[0]?.key.id ?? ''
    attempts.push(id)
    if (id === '1' && failures > 0) {
      failures -= 1
      throw new Error('busy')
    }
  })
  await expect.poll(() => db.changes.health().state).toBe('up')
  await db.load('insert into notes values (1)')
  await db.load('insert into notes values (2)')
  await expect.poll(() => attempts).toEqual(['1', '1', '1', '2'])
})

test('a reader ahead is given more before it has settled; refused, all comes again from there', async ({ db }) => {
  await db.load(table)
  const given: string[] = []
  const settle = new Map<string, { resolve(): void; reject(error: Error): void }>()
  db.changes.subscribe(
    ({ changes }) => {
      const id = changes[0]?.key.id ?? ''
      given.push(id)
      return new Promise((resolve, reject) => settle.set(id, { resolve, reject }))
    },
    { ahead: true },
  )
  await expect.poll(() => db.changes.health().state).toBe('up')
  for (const id of [1, 2, 3, 4]) await db.load(`insert into notes values (${id})`)
  await expect.poll(() => given).toEqual(['1', '2', '3', '4'])
  settle.get('1')?.resolve()
  await db.load('select 1')
  settle.get('4')?.resolve()
  settle.get('3')?.resolve()
  settle.get('2')?.reject(new Error('busy'))
  await expect.poll(() => given).toEqual(['1', '2', '3', '4', '2', '3', '4'])
  for (const answer of settle.values()) answer.resolve()
})

test('the stream reports how far it is behind until it has caught up', async ({ db }) => {
  await db.load(table)
  let isHeld = true
  let refusals = 0
  db.changes.subscribe(async () => {
    if (!isHeld) return
    refusals += 1
    throw new Error('held')
  })
  await expect.poll(() => db.changes.health().state).toBe('up')
  await db.load('insert into notes values (0)')
  await expect.poll(() => refusals).toBeGreaterThan(0)
  await db.load(`insert into notes select n, repeat('x', 1500) from generate_series(1, 20000) n`)
  await expect.poll(() => db.changes.health().detail).toMatch(/\d MiB of the log are still to be stored/)
  expect(db.changes.behindBytes()).toBeGreaterThan(16 * 1024 ** 2)
  isHeld = false
  await expect.poll(() => db.changes.health().detail).not.toContain('still to be stored')
})

test('what was not taken when the process ended comes again, what was taken does not', async ({ db }) => {
  await db.load(table)
  const reopened = (): Promise<Postgres> => openOn(db)
  const first = await reopened()
  const { seen } = await follow(first)
  await db.load('insert into notes values (1)')
  await expect.poll(() => seen.length).toBe(1)
  await first.close()
  await db.load('insert into notes values (2)')
  const second = await reopened()
  const again = await follow(second)
  await again.until(1)
  expect(again.seen.map(({ changes }) => changes[0]?.key.id)).toEqual(['2'])
  let asked = 0
  second.changes.subscribe(() => {
    asked += 1
    return Promise.reject(new Error('never'))
  })
  await db.load('insert into notes values (3)')
  await expect.poll(() => asked).toBeGreaterThan(0)
  await second.close()
  const third = await reopened()
  const last = await follow(third)
  await last.until(1)
  expect(last.seen.map(({ changes }) => changes[0]?.key.id)).toEqual(['3'])
  await third.close()
})

test('one process reads at a time; another takes over when it is gone', async ({ db }) => {
  await db.load(table)
  const { until } = await follow(db)
  const other = await openOn(db)
  const seen: ChangeTransaction[] = []
  other.changes.subscribe(async (transaction) => {
    seen.push(transaction)
  })
  await db.load('insert into notes values (1)')
  await until(1)
  await expect.poll(() => other.changes.health().detail).toContain('this one waits to take over')
  expect(seen).toEqual([])
  await db.admin.query({
    text: `select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database()`,
    values: [],
  })
  await db.load('insert into notes values (2)')
  await expect.poll(() => seen.map(({ changes }) => changes[0]?.key.id)).toContain('2')
  await other.close()
})

test('after a broken connection the stream goes on where it was', async ({ db }) => {
  await db.load(table)
  const { seen, until } = await follow(db)
  await db.load('insert into notes values (1)')
  await until(1)
  await db.admin.query({
    text: `select pg_terminate_backend(active_pid, 2000) from pg_replication_slots where database = current_database()`,
    values: [],
  })
  await db.load('insert into notes values (2)')
  await expect.poll(() => seen.at(-1)?.changes[0]?.key.id).toBe('2')
})

/** Until the server has given up the slot: each switch leaves a segment of 16 MB behind. */
async function loseSlot(db: Postgres): Promise<void> {
  await expect
    .poll(async () => {
      await db.admin.query({ text: `select pg_logical_emit_message(false, 'fill', 'x'), pg_switch_wal()`, values: [] })
      await db.admin.query({ text: 'checkpoint', values: [] })
      const { rows } = await db.admin.query<{ status: string }>({
        text: 'select wal_status as status from pg_replication_slots where database = current_database()',
        values: [],
      })
      return rows[0]?.status
    })
    .toBe('lost')
}

base('a slot that lost its place is made anew; the gap is written down, and health says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-gap-'))
  const logged: string[] = []
  const start = (changeBacklogMib: number | null): Promise<Postgres> =>
    createPostgres({
      kind: 'embedded',
      dataDir: join(folder, 'data'),
      socketDir: folder,
      port: null,
      password: 'postgres',
      changeBacklogMib,
      exposedSchemas: ['public'],
      poolSize: 2,
      log: (line) => logged.push(line),
    })
  const first = await start(1)
  await first.script(table)
  const leave = first.changes.subscribe(async () => undefined)
  await expect.poll(() => first.changes.health().state).toBe('up')
  expect(await first.changes.gaps()).toEqual([])
  leave()
  await first.script('insert into notes values (1)')
  await loseSlot(first)
  const { seen, until } = await follow(first, 'degraded')
  await first.script('insert into notes values (2)')
  await until(1)
  expect(seen[0]?.changes[0]?.key.id).toBe('2')
  const [gap] = await first.changes.gaps()
  expect(gap).toMatchObject({ reason: expect.stringContaining('max_slot_wal_keep_size is 1MB') })
  expect([gap?.fromLsn, gap?.toLsn, gap?.endedAt]).not.toContain(null)
  expect(first.changes.health().detail).toContain('are missing')
  expect(isReady(first.changes.health())).toBe(true)
  expect(logged.filter((line) => line.includes('missing from histories'))).toHaveLength(1)
  await first.close()

  // By default the log is kept as far as the disk allows, and a slot that was dropped is a gap as well.
  const second = await start(null)
  const { rows } = await second.admin.query<{ bytes: string }>({
    text: `select pg_size_bytes(current_setting('max_slot_wal_keep_size')) as bytes,
      (select count(pg_drop_replication_slot(slot_name)) from pg_replication_slots) as dropped`,
    values: [],
  })
  expect(Number(rows[0]?.bytes)).toBeGreaterThanOrEqual(1024 ** 3)
  await follow(second, 'degraded')
  expect((await second.changes.gaps()).map(({ fromLsn, reason }) => [fromLsn === null, reason])).toMatchObject([
    [false, expect.any(String)],
    [true, 'The replication slot was dropped.'],
  ])
  await second.close()
  await rm(folder, { recursive: true })
})
