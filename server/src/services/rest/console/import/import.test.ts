import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../../test/harness.ts'
import { createTables } from '../table-catalogue.ts'
import { importRows } from './import-rows.ts'
import { readImportedRows } from './lines.ts'

type Line = readonly [line: number, ...values: (string | null)[]]

async function open(db: TestDatabase) {
  await db.load(`
    create type mood as enum ('calm', 'glad');
    create domain code as text check (value ~ '^[A-Z]+$');
    create table wares (
      id int generated always as identity primary key, name varchar(5) not null, price numeric(6, 2), tags text[], info jsonb,
      mood mood, code code, added timestamptz, twice int generated always as (id * 2) stored)`)
  const tables = createTables(db.authenticator, 'postgres')
  const importLines = async (columns: readonly string[], lines: readonly Line[], isTrial = false) => {
    const body = Readable.from(lines.map((line) => `${JSON.stringify(line)}\n`))
    const rows = readImportedRows(body, columns.length, 1_000_000)
    const table = await tables.get('public', 'wares')
    return importRows({ owner: db.owner, timeoutMs: 5000 }, { table, columns, rows, isTrial, causeId: 'import' })
  }
  const read = async (columns: string) =>
    (await db.owner.query({ text: `select ${columns} from wares order by id`, values: [] })).rows
  return { importLines, read }
}

test('rows of all types are inserted as they are written, nulls and defaults included', async ({ db }) => {
  const { importLines, read } = await open(db)
  const columns = ['name', 'price', 'tags', 'info', 'mood', 'code', 'added']
  const outcome = await importLines(columns, [
    [2, 'tea', '1.5', '{a,"b c"}', '{"a": [1]}', 'glad', 'TEA', '2026-01-02 03:04Z'],
    [3, '', null, null, null, null, null, null],
  ])
  expect(outcome).toEqual({ kind: 'imported', rows: 2 })
  expect(await read('id, name, price::text, tags, info, mood, code, twice')).toEqual([
    { id: 1, name: 'tea', price: '1.50', tags: ['a', 'b c'], info: { a: [1] }, mood: 'glad', code: 'TEA', twice: 2 },
    { id: 2, name: '', price: null, tags: null, info: null, mood: null, code: null, twice: 4 },
  ])
  expect(await importLines(['id', 'name'], [[2, '40', 'milk']])).toEqual({ kind: 'imported', rows: 1 })
  expect((await read('id')).at(-1)).toEqual({ id: 40 })
})

test('of what PostgreSQL refuses each line is told, and nothing is kept', async ({ db }) => {
  const { importLines, read } = await open(db)
  const many = Array.from({ length: 700 }, (_, index): Line => [index + 2, 'tea', '1', 'TEA'])
  const wrong = new Map<number, Line>([
    [30, [30, 'tea', 'cheap', 'TEA']],
    [600, [600, 'too long', '1', 'TEA']],
    [601, [601, null, '1', 'TEA']],
    [602, [602, 'tea', '1', 'tea']],
  ])
  const lines = many.map((line) => wrong.get(line[0]) ?? line)
  const outcome = await importLines(['name', 'price', 'code'], lines)
  expect(outcome).toMatchObject({
    kind: 'refused',
    errors: [
      { line: 30, code: '22P02', message: expect.stringContaining('"cheap"') },
      { line: 600, code: '22001' },
      { line: 601, code: '23502', column: 'name' },
      { line: 602, code: '23514' },
    ],
  })
  expect(await read('id')).toEqual([])
})

test('a trial keeps nothing, and meets what is checked at the end', async ({ db }) => {
  const { importLines, read } = await open(db)
  expect(await importLines(['name'], [[2, 'tea']], true)).toEqual({ kind: 'accepted', rows: 1 })
  expect(await read('id')).toEqual([])
  await db.load('alter table wares add constraint one unique (name) deferrable initially deferred')
  const outcome = await importLines(
    ['name'],
    [
      [2, 'tea'],
      [3, 'tea'],
    ],
    true,
  )
  expect(outcome).toMatchObject({ kind: 'refused', errors: [{ line: null, code: '23505' }] })
})

test('columns are named once, are there and can be written; lines are whole', async ({ db }) => {
  const { importLines } = await open(db)
  const code = (code: string) => expect.objectContaining({ code })
  await expect(importLines(['nope'], [])).rejects.toEqual(code('CLEW_DATA_COLUMN_UNKNOWN'))
  await expect(importLines(['twice'], [])).rejects.toEqual(code('CLEW_DATA_COLUMN_READ_ONLY'))
  await expect(importLines(['name', 'name'], [])).rejects.toEqual(code('CLEW_DATA_CHANGE_EMPTY'))
  await expect(importLines(['name', 'price'], [[2, 'tea']])).rejects.toEqual(code('CLEW_DATA_IMPORT_INVALID'))
})

test('a body is read up to the limit, and not where it is cut off', async () => {
  const read = async (body: Readable): Promise<number> => {
    let count = 0
    for await (const _ of readImportedRows(body, 1, 100)) count += 1
    return count
  }
  expect(await read(Readable.from(['[1,"a"]\n[2,', 'null]\n\n']))).toBe(2)
  await expect(read(Readable.from(Array(20).fill('[1,"aaaaaaa"]\n')))).rejects.toMatchObject({
    code: 'CLEW_DATA_IMPORT_TOO_LARGE',
  })
  await expect(read(Readable.from(['{"a":1}\n']))).rejects.toMatchObject({ code: 'CLEW_DATA_IMPORT_INVALID' })
  const cut = new Readable({ read: () => undefined })
  cut.push('[1,"a"]\n')
  setImmediate(() => cut.destroy())
  await expect(read(cut)).rejects.toMatchObject({ code: 'CLEW_DATA_IMPORT_INVALID' })
})
