import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../../test/harness.ts'
import type { RowChange } from '../schemas.ts'
import { createTables } from '../table-catalogue.ts'
import { createRowChanges } from './save.ts'

const tables = `
  create type mood as enum ('calm', 'glad');
  create table makers (id int primary key, name varchar(8) not null check (name <> 'nobody'));
  create table cups (
    id bigint generated always as identity primary key,
    maker int references makers deferrable initially deferred,
    size numeric(5, 2) not null default 1,
    doubled numeric generated always as (size * 2) stored,
    mood mood, facts json, made timestamptz, tags text[], code text unique
  );
  create table loose (a int, b text);
  create view small_cups as select id, size from cups where size < 2;
  insert into makers values (1, 'Ana'), (2, 'Ben');
  insert into cups (maker, mood, facts, code) values (1, 'calm', '{"a": 1}', 'one'), (2, null, null, 'two');
  insert into loose values (1, 'x'), (1, 'x')`

async function open(db: TestDatabase) {
  await db.load(tables)
  const changes = createRowChanges({
    ...{ owner: db.owner, reader: db.reader, catalogues: db.authenticator, timeoutMs: 5000 },
    tables: createTables(db.authenticator, 'postgres'),
  })
  const read = async (text: string) => (await db.owner.query({ text, values: [] })).rows
  const save = (...all: RowChange[]) => changes.save(all, 'cause-1')
  return { changes, save, read }
}

const on = (table: string) => ({ schema: 'public', table })
const cup: Extract<RowChange, { kind: 'update' }> = {
  ...{ ...on('cups'), kind: 'update', key: { id: '1' }, old: {}, values: {}, defaults: [] },
}

test('values of any type are written as PostgreSQL reads them, null and default apart', async ({ db }) => {
  const { save, read } = await open(db)
  const values = { mood: 'glad', facts: '{"b": [null]}', made: '2026-01-02 03:04:05+00', tags: '{a,"b c"}', code: null }
  const outcome = await save({ ...cup, values, defaults: ['size'], old: { mood: 'calm' } })
  expect(outcome).toMatchObject({
    kind: 'saved',
    changes: [
      { operation: 'update', key: { id: '1' }, old: { mood: 'calm', code: 'one' }, new: { mood: 'glad', code: null } },
    ],
  })
  expect(await read(`select mood::text, facts::text, tags::text, code, size::text from cups where id = 1`)).toEqual([
    { mood: 'glad', facts: '{"b": [null]}', tags: '{a,"b c"}', code: null, size: '1.00' },
  ])
})

test('a row gets its defaults where nothing is said, and the answer has them', async ({ db }) => {
  const { save } = await open(db)
  expect(await save({ ...on('cups'), kind: 'insert', values: { code: 'new' } })).toMatchObject({
    changes: [{ operation: 'insert', key: { id: '3' }, old: null, new: { id: '3', size: '1.00', doubled: '2.00' } }],
  })
  expect(await save({ ...on('cups'), kind: 'insert', values: { id: '40' } })).toMatchObject({
    changes: [{ key: { id: '40' } }],
  })
  expect(await save({ ...on('loose'), kind: 'insert', values: {} })).toMatchObject({ kind: 'saved' })
})

test('what has changed meanwhile is a conflict that names the cells, and nothing is written', async ({ db }) => {
  const { save, read } = await open(db)
  const gone: RowChange = { ...on('cups'), kind: 'delete', key: { id: '99' }, old: {} }
  const outcome = await save(
    { ...on('makers'), kind: 'update', key: { id: '2' }, old: { name: 'Ben' }, values: { name: 'Bea' }, defaults: [] },
    { ...cup, old: { code: 'other', mood: 'calm' }, values: { code: 'mine' } },
    gone,
  )
  expect(outcome).toMatchObject({
    kind: 'conflict',
    conflicts: [
      { index: 1, columns: ['code'], current: { code: 'one' } },
      { index: 2, columns: [], current: null },
    ],
  })
  expect(await read(`select name from makers where id = 2`)).toEqual([{ name: 'Ben' }])
})

test.for([
  ['a value that its type does not take', { ...cup, values: { size: 'wide', code: 'c' } }, ['size'], '22P02'],
  ['a label that the enum has not', { ...cup, values: { mood: 'sad' } }, ['mood'], '22P02'],
  ['null where there must be a value', { ...cup, values: { size: null } }, ['size'], '23502'],
  ['a value that is taken', { ...cup, values: { code: 'two' } }, ['code'], '23505'],
  [
    'a text that is too long, which is not cut',
    { ...on('makers'), kind: 'insert', values: { id: '3', name: 'Somebody else' } },
    ['name'],
    '22001',
  ],
  [
    'a value that a check forbids',
    { ...on('makers'), kind: 'insert', values: { id: '3', name: 'nobody' } },
    ['name'],
    '23514',
  ],
] satisfies [string, RowChange, string[], string][])(
  '%s is told of its column',
  async ([, change, columns, code], { db }) => {
    const { save } = await open(db)
    expect(await save(change)).toMatchObject({ kind: 'refused', refusal: { index: 0, columns, code } })
  },
)

test('a reference that is checked at the end is refused before the end', async ({ db }) => {
  const { save, read } = await open(db)
  expect(await save({ ...cup, values: { maker: '9' } })).toMatchObject({
    kind: 'refused',
    refusal: { index: null, code: '23503', constraint: 'cups_maker_fkey' },
  })
  // A maker that comes later in one save is there in time.
  const maker: RowChange = { ...on('makers'), kind: 'insert', values: { id: '9', name: 'Cyd' } }
  expect(await save({ ...cup, values: { maker: '9' } }, maker)).toMatchObject({ kind: 'saved' })
  expect(await read('select maker from cups where id = 1')).toEqual([{ maker: 9 }])
})

test('one of two equal rows without a key is changed by its place', async ({ db }) => {
  const { save, read } = await open(db)
  const [row] = await read(`select ctid::text as ctid from loose`)
  const key = { ctid: String(row?.ctid) }
  const change: RowChange = {
    ...{ ...on('loose'), kind: 'update', key, old: { b: 'x' }, values: { b: 'y' }, defaults: [] },
  }
  expect(await save(change)).toMatchObject({ kind: 'saved' })
  expect(await read('select b from loose order by b')).toEqual([{ b: 'x' }, { b: 'y' }])
  expect(await save(change)).toMatchObject({ kind: 'conflict' })
})

test('what may not be written is refused by name, before anything is sent', async ({ db }) => {
  const { save } = await open(db)
  const refused = (change: RowChange) => save(change).catch((error: { code: string }) => error.code)
  expect(await refused({ ...cup, values: { doubled: '4' } })).toBe('CLEW_DATA_COLUMN_READ_ONLY')
  expect(await refused({ ...cup, values: { nope: '4' } })).toBe('CLEW_DATA_COLUMN_UNKNOWN')
  expect(await refused({ ...cup, key: { code: 'one' }, values: { code: 'x' } })).toBe('CLEW_DATA_ROW_UNNAMED')
  expect(await refused({ ...cup })).toBe('CLEW_DATA_CHANGE_EMPTY')
  expect(await refused({ ...cup, ...on('small_cups'), values: { size: '1.5' } })).toBe('CLEW_DATA_ROW_UNNAMED')
  const user: RowChange = { schema: 'auth', table: 'users', kind: 'insert', values: { encrypted_password: 'x' } }
  expect(await refused(user)).toBe('CLEW_DATA_COLUMN_READ_ONLY')
  expect(await refused({ ...user, schema: 'clew_operators', table: 'operators' })).toBe('CLEW_DATA_RELATION_UNKNOWN')
})

test('the preview is SQL that does what saving does', async ({ db }) => {
  const { changes, read } = await open(db)
  const statements = await changes.preview([
    { ...cup, values: { code: "it's", facts: null }, defaults: ['size'] },
    { ...on('cups'), kind: 'delete', key: { id: '2' }, old: {} },
    { ...on('cups'), kind: 'insert', values: { id: '7', code: 'seven' } },
  ])
  expect(statements).toEqual([
    `update "public"."cups"\nset "code" = 'it''s', "facts" = null, "size" = default\nwhere "id" = '1';`,
    `delete from "public"."cups"\nwhere "id" = '2';`,
    `insert into "public"."cups" ("id", "code") overriding system value\nvalues ('7', 'seven');`,
  ])
  await db.load(statements.join('\n'))
  expect(await read('select code from cups order by id')).toEqual([{ code: "it's" }, { code: 'seven' }])
})

test('what is tried out is taken back', async ({ db }) => {
  const { changes, read } = await open(db)
  expect(await changes.tryOut([{ ...cup, values: { code: 'tried' } }])).toEqual({ conflicts: [], refusal: null })
  expect(await read('select code from cups where id = 1')).toEqual([{ code: 'one' }])
})

test('a trigger that keeps a row as it is does not pass for a change', async ({ db }) => {
  const { save } = await open(db)
  await db.load(`create function keep() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger keep before update on cups for each row execute function keep()`)
  expect(await save({ ...cup, values: { code: 'x' } })).toMatchObject({ kind: 'refused', refusal: { index: 0 } })
})
