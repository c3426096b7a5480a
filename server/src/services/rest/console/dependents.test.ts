import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { readDependents } from './dependents.ts'
import { createTables } from './table-catalogue.ts'

test('a deletion is told what goes along, what loses its reference and what forbids it, through cascades', async ({
  db,
}) => {
  await db.load(`
    create table orders (id int primary key);
    create table items (id int primary key, "order" int references orders on delete cascade, part_of int references items on delete cascade);
    create table notes (id int primary key, item int references items on delete set null);
    create table bills (id int primary key, "order" int references orders);
    create table unrelated (id int primary key, "order" int references orders);
    insert into orders values (1), (2), (3);
    insert into items values (10, 1, null), (11, 1, null), (12, 2, null), (13, null, 10);
    insert into notes values (100, 10), (101, 12), (102, null);
    insert into bills values (7, 1), (8, 3)`)
  const deps = { reader: db.reader, tables: createTables(db.authenticator, 'postgres') }
  const orders = await deps.tables.get('public', 'orders')
  const { dependents, isWhole } = await readDependents(deps, orders, [{ id: '1' }, { id: '2' }])
  expect(dependents.map(({ table, action, via, rows }) => ({ table, action, via, rows }))).toEqual([
    { table: 'bills', action: 'no action', via: [], rows: 1 },
    { table: 'items', action: 'cascade', via: [], rows: 3 },
    { table: 'items', action: 'cascade', via: ['items'], rows: 1 },
    { table: 'notes', action: 'set null', via: ['items'], rows: 2 },
  ])
  // Items of items of items are not followed.
  expect(isWhole).toBe(false)
  expect(await readDependents(deps, await deps.tables.get('public', 'bills'), [{ id: '7' }])).toEqual({
    dependents: [],
    isWhole: true,
  })
})
