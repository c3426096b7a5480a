import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../../test/harness.ts'
import { createRowChanges } from '../changes/save.ts'
import type { PastChange } from '../schemas.ts'
import { createTables } from '../table-catalogue.ts'
import { createPreviewUndo } from './undo.ts'

async function open(db: TestDatabase) {
  await db.load(`
    create table orders (id int generated always as identity primary key, total int not null, doubled int generated always as (total * 2) stored);
    create table items (id int primary key, "order" int not null references orders on delete cascade, part_of int references items, note text);
    insert into orders (total) values (10), (20);
    insert into items values (1, 1, null, 'a'), (2, 1, 1, 'b'), (3, 2, null, 'c')`)
  const tables = createTables(db.authenticator, 'postgres')
  const deps = { owner: db.owner, reader: db.reader, catalogues: db.authenticator, timeoutMs: 5000 }
  const rowChanges = createRowChanges({ ...deps, tables })
  const preview = createPreviewUndo(tables, rowChanges)
  const read = async () =>
    (
      await db.owner.query({
        text: `select (select json_agg(o order by id) from orders o) as orders, (select json_agg(i order by id) from items i) as items`,
        values: [],
      })
    ).rows[0]
  const undo = async (...past: PastChange[]) => {
    const { changes } = await preview(past)
    return rowChanges.save(changes, 'undo')
  }
  return { preview, rowChanges, read, undo }
}

const place = (table: string) => ({ schema: 'public', table })
const order = (id: string, total: string) => ({ id, total, doubled: String(Number(total) * 2) })
const item = (id: string, of: string, partOf: string | null, note: string) => ({
  ...{ id, order: of, part_of: partOf, note },
})
const inserted = (table: string, row: Record<string, string | null>): PastChange => ({
  ...{ ...place(table), operation: 'insert', key: { id: row.id ?? null }, old: null, new: row },
})
const deleted = (table: string, row: Record<string, string | null>): PastChange => ({
  ...{ ...place(table), operation: 'delete', key: { id: row.id ?? null }, old: row, new: null },
})
const updated = (
  table: string,
  old: Record<string, string | null>,
  next: Record<string, string | null>,
): PastChange => ({
  ...{ ...place(table), operation: 'update', key: { id: next.id ?? null }, old, new: next },
})

test('a row that was deleted with what referred to it comes back whole, with its number', async ({ db }) => {
  const { undo, read } = await open(db)
  const before = await read()
  await db.load('delete from items where id = 2; delete from orders where id = 1')
  // As PostgreSQL logs it: the order before its items.
  const outcome = await undo(
    deleted('items', item('2', '1', '1', 'b')),
    deleted('orders', order('1', '10')),
    deleted('items', item('1', '1', null, 'a')),
  )
  expect(outcome).toMatchObject({ kind: 'saved' })
  expect(await read()).toEqual(before)
})

test('several changes of a row are taken back as one, through a change of its key', async ({ db }) => {
  const { preview, undo, read } = await open(db)
  const before = await read()
  await db.load(
    `update items set note = 'x' where id = 3; update items set id = 4 where id = 3; update items set note = 'y' where id = 4`,
  )
  const past = [
    updated('items', item('3', '2', null, 'c'), item('3', '2', null, 'x')),
    updated('items', item('3', '2', null, 'x'), item('4', '2', null, 'x')),
    updated('items', item('4', '2', null, 'x'), item('4', '2', null, 'y')),
  ]
  expect((await preview(past)).changes).toEqual([
    {
      ...{ ...place('items'), kind: 'update', key: { id: '4' }, defaults: [] },
      ...{ old: { id: '4', note: 'y' }, values: { id: '3', note: 'c' } },
    },
  ])
  await undo(...past)
  expect(await read()).toEqual(before)
})

test('rows that were made go, those that refer to others first; a row that came and went is nothing', async ({
  db,
}) => {
  const { preview, undo, read } = await open(db)
  const before = await read()
  await db.load(`insert into orders (total) values (30); insert into items values (7, 3, null, 'd'), (8, 3, 7, 'e')`)
  const past = [
    inserted('orders', order('3', '30')),
    inserted('items', item('7', '3', null, 'd')),
    inserted('items', item('8', '3', '7', 'e')),
    inserted('items', item('9', '3', null, 'f')),
    deleted('items', item('9', '3', null, 'f')),
  ]
  const { changes, conflicts, refusal } = await preview(past)
  expect(changes.map((change) => [change.table, 'key' in change && change.key.id])).toEqual([
    ['items', '8'],
    ['items', '7'],
    ['orders', '3'],
  ])
  expect([conflicts, refusal]).toEqual([[], null])
  expect(await undo(...past)).toMatchObject({ kind: 'saved' })
  expect(await read()).toEqual(before)
})

test('what came later is listed and not overwritten: a row changed since, a row gone, a key taken', async ({ db }) => {
  const { preview, undo, read } = await open(db)
  await db.load(`update items set note = 'later' where id = 1; delete from items where id = 3`)
  const before = await read()
  const past = [
    updated('items', item('1', '1', null, 'old'), item('1', '1', null, 'a')),
    updated('items', item('3', '2', null, 'old'), item('3', '2', null, 'c')),
    deleted('items', item('2', '1', '1', 'gone')),
    updated('orders', order('2', '19'), order('2', '20')),
  ]
  const { changes, conflicts, refusal, statements } = await preview(past)
  expect(conflicts.map(({ index, columns, current }) => [changes[index]?.kind, columns, current?.note])).toEqual([
    ['insert', ['id'], 'b'],
    ['update', [], undefined],
    ['update', ['note'], 'later'],
  ])
  expect(refusal).toBeNull()
  expect(statements).toHaveLength(4)
  expect((await undo(...past)).kind).not.toBe('saved')
  expect(await read()).toEqual(before)
})

test('what PostgreSQL would refuse is known before', async ({ db }) => {
  const { preview } = await open(db)
  await db.load('delete from items where "order" = 1; delete from orders where id = 1')
  expect((await preview([deleted('items', item('1', '1', null, 'a'))])).refusal).toMatchObject({
    ...{ code: '23503', constraint: 'items_order_fkey', columns: ['order'] },
  })
})

test('what cannot be taken back says why', async ({ db }) => {
  const { preview } = await open(db)
  await db.load(`create table keyless (a int);
    create table kept (id int primary key); revoke insert, delete on kept from postgres, anon, authenticated, service_role`)
  const reasons = await preview([
    { ...place('items'), operation: 'truncate', key: {}, old: null, new: null },
    { ...place('dropped'), operation: 'insert', key: { id: '1' }, old: null, new: { id: '1' } },
    { ...place('keyless'), operation: 'insert', key: {}, old: null, new: { a: '1' } },
    { ...place('items'), operation: 'delete', key: { id: '5' }, old: { id: '5' }, new: null },
    { ...place('orders'), operation: 'update', key: { id: '1' }, old: null, new: order('1', '10') },
    { ...updated('items', { id: '1', order: '2' }, item('1', '1', null, 'a')), columns: ['order', 'note'] },
    updated('items', item('2', '1', '1', '[masked]'), item('2', '1', '1', 'b')),
    inserted('kept', { id: '3' }),
  ])
  expect(reasons.problems.map(({ table, reason }) => [table, reason])).toEqual([
    ['items', 'truncated'],
    ['dropped', 'table gone'],
    ['keyless', 'no key'],
    ['items', 'values not known'],
    ['orders', 'values not known'],
    ['items', 'values not known'],
    ['items', 'values not known'],
    ['kept', 'read only'],
  ])
  expect(reasons.changes).toEqual([])
})
