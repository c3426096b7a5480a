import { expect } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { openWorld, type World } from '../../../../../test/thread-world.ts'
import type { RowHistory } from '../../schemas/history.ts'

const historyOf = async (world: World, table: string, key: object): Promise<RowHistory> => {
  const path = `/data/public/${table}/history?key=${encodeURIComponent(JSON.stringify(key))}`
  return (await world.get(path)).body as RowHistory
}

/** Operation and new row of each entry, newest first; waits until there are so many. */
async function lifeOf(world: World, table: string, key: object, length: number): Promise<unknown[]> {
  await expect.poll(async () => (await historyOf(world, table, key)).entries.length).toBe(length)
  const { entries } = await historyOf(world, table, key)
  return entries.map(({ change }) => [change.operation, ...Object.values(change.new ?? {})])
}

test('a renamed table and a renamed key column keep their past', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  await db.load(`create table bills (id int primary key, total int); insert into bills values (7, 1)`)
  await db.load('alter table bills rename to invoices; update invoices set total = 2')
  await db.load('alter table invoices rename id to number; update invoices set total = 3')
  expect(await lifeOf(world, 'invoices', { number: 7 }, 3)).toEqual([
    ['update', '7', '3'],
    ['update', '7', '2'],
    ['insert', '7', '1'],
  ])
  await db.load('create table bills (id int primary key, total int); insert into bills values (7, 9)')
  expect(await lifeOf(world, 'bills', { id: 7 }, 1)).toEqual([['insert', '7', '9']])
  expect(await lifeOf(world, 'invoices', { number: 7 }, 3)).toHaveLength(3)
  await world.thread.close()
})

test('a key of other columns than before is another key', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  await db.load('create table pairs (a int primary key, b int); insert into pairs values (1, 2), (2, 1)')
  await db.load(`alter table pairs drop constraint pairs_pkey; alter table pairs add primary key (b);
    update pairs set a = 5 where b = 1`)
  expect(await lifeOf(world, 'pairs', { b: 1 }, 1)).toEqual([['update', '5', '1']])
  await world.thread.close()
})

test('a key used again shows where the former row went, and the row its way through keys', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse)
  await db.load('create table seats (id int primary key, who text)')
  // Inserted and renamed in one transaction.
  await db.load(`insert into seats values (1, 'ana'); update seats set id = 7`)
  await db.load(`update seats set id = 8 where id = 7`)
  await db.load(`insert into seats values (7, 'ben')`)
  await db.load(`delete from seats where id = 7`)
  await db.load(`insert into seats values (7, 'cyd')`)
  const ana = [
    ['update', '7', 'ana'],
    ['insert', '1', 'ana'],
  ]
  expect(await lifeOf(world, 'seats', { id: 7 }, 6)).toEqual([
    ['insert', '7', 'cyd'],
    ['delete'],
    ['insert', '7', 'ben'],
    ['update', '8', 'ana'],
    ...ana,
  ])
  expect(await lifeOf(world, 'seats', { id: 8 }, 3)).toEqual([['update', '8', 'ana'], ...ana])
  await world.thread.close()
})

test('a partition’s rows have one history, from before it was one too', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  await db.load(`create table old (id int primary key, note text); insert into old values (1, 'alone')`)
  await db.load(`create table parts (id int primary key, note text) partition by range (id);
    alter table parts attach partition old for values from (0) to (10); update parts set note = 'within'`)
  const life = [
    ['update', '1', 'within'],
    ['insert', '1', 'alone'],
  ]
  expect(await lifeOf(world, 'parts', { id: 1 }, 2)).toEqual(life)
  expect(await lifeOf(world, 'old', { id: 1 }, 2)).toEqual(life)
  await world.thread.close()
})

test('changes that were never read are missing in the histories that they may touch, and in no other', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse)
  await db.load('create table notes (id int primary key, n int); insert into notes values (1, 1), (2, 1)')
  await db.load('delete from notes where id = 2')
  await lifeOf(world, 'notes', { id: 2 }, 2)
  const { rows } = await db.admin.query<{ lsn: string }>({
    text: 'select pg_current_wal_lsn()::text as lsn',
    values: [],
  })
  await db.admin.query({
    text: `insert into clew.change_gaps (from_lsn, to_lsn, ended_at, reason)
      values ($1, pg_current_wal_lsn(), now(), 'It was lost.')`,
    values: [rows[0]?.lsn],
  })
  await db.load('update notes set n = 2 where id = 1; insert into notes values (2, 2), (3, 1)')
  await lifeOf(world, 'notes', { id: 3 }, 1)
  const { gaps, entries, notRecorded } = await historyOf(world, 'notes', { id: 1 })
  expect(gaps).toMatchObject([{ newerEntries: 1, until: expect.any(String), reason: 'It was lost.' }])
  expect(Date.parse(gaps[0]?.from ?? '')).toBeGreaterThanOrEqual(Date.parse(entries[1]?.change.at ?? ''))
  expect(notRecorded).toBeNull()
  // One was made after it and not there before; of one never seen nothing is known.
  expect((await historyOf(world, 'notes', { id: 2 })).gaps).toEqual([])
  expect((await historyOf(world, 'notes', { id: 3 })).gaps).toEqual([])
  expect((await historyOf(world, 'notes', { id: 9 })).gaps).toHaveLength(1)
  await world.thread.close()
})
