import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import type { ChangeTransaction } from '../../../ground/model/change.ts'
import type { EditorTransaction } from './editor.ts'

const plain: EditorTransaction = { role: null, settings: [], readOnly: false, cause: null, timeoutMs: 10_000 }
const limits = { rows: 100, bytes: 1_000_000 }

async function open(db: TestDatabase, transaction: Partial<EditorTransaction> = {}, name = 'clew editor') {
  const connection = await db.editor.open(name)
  onTestFinished(() => connection.close())
  await connection.begin({ ...plain, ...transaction })
  return connection
}

test('of ten million rows the first are read, and the statement stands still', async ({ db }) => {
  const connection = await open(db)
  const result = await connection.run('select n, n::text as t from generate_series(1, 10000000) n', limits)
  expect(result).toMatchObject({
    columns: [
      { name: 'n', type: 'integer' },
      { name: 't', type: 'text' },
    ],
    rowCount: null,
    more: true,
  })
  expect([result.rows.length, result.rows.at(-1)]).toEqual([100, ['100', '100']])
  expect(await connection.run('select 1 where false', limits)).toMatchObject({ rows: [], rowCount: 0, more: false })
})

test('whether there are more rows is known, not guessed', async ({ db }) => {
  const connection = await open(db)
  const kept = async (stored: number) => {
    const { rows, rowCount, more } = await connection.run(`select generate_series(1, ${stored})`, limits)
    return [rows.length, rowCount, more]
  }
  expect(await kept(99)).toEqual([99, 99, false])
  expect(await kept(100)).toEqual([100, 100, false])
  expect(await kept(101)).toEqual([100, null, true])
})

test('rows end where their bytes do', async ({ db }) => {
  const connection = await open(db)
  const result = await connection.run(`select repeat('x', 300000) from generate_series(1, 1000)`, limits)
  expect([result.rows.length, result.more]).toEqual([4, true])
})

test('what changed is counted before it is committed, by triggers too', async ({ db }) => {
  await db.load(`
    create table public.a (id int primary key); create table public.b (id int);
    create function public.copy() returns trigger language plpgsql as $$ begin insert into b values (new.id); return new; end $$;
    create trigger copy after insert on public.a for each row execute function public.copy()`)
  const connection = await open(db)
  expect(await connection.changes()).toEqual({ schema: false, tables: [] })
  const inserted = await connection.run('insert into a select generate_series(1, 3) returning id', limits)
  expect(inserted).toMatchObject({ command: 'INSERT', rowCount: 3, rows: [['1'], ['2'], ['3']] })
  await connection.run('delete from a where id = 1', limits)
  const table = { schema: 'public', updated: 0, inserted: 3 }
  expect(await connection.changes()).toEqual({
    schema: false,
    tables: [
      { ...table, table: 'a', deleted: 1 },
      { ...table, table: 'b', deleted: 0 },
    ],
  })
  await connection.rollback()
  expect((await db.owner.query({ text: 'select from a', values: [] })).rowCount).toBe(0)
})

test('each transaction of a connection counts its own changes', async ({ db }) => {
  await db.load('create table public.a (id int primary key)')
  const connection = await open(db)
  await connection.run('insert into a values (1)', limits)
  await connection.commit()
  await connection.begin(plain)
  expect(await connection.changes()).toEqual({ schema: false, tables: [] })
})

test('a definition is a change', async ({ db }) => {
  const connection = await open(db)
  await connection.run('create table public.c (id int)', limits)
  expect(await connection.changes()).toEqual({ schema: true, tables: [] })
})

test('a read-only transaction cannot be made to write', async ({ db }) => {
  await db.load('create table public.a (id int primary key)')
  const connection = await open(db, { readOnly: true })
  await expect(connection.run('set transaction read write', limits)).rejects.toMatchObject({ code: '25001' })
  await connection.rollback()
  await connection.begin({ ...plain, readOnly: true })
  await expect(connection.run('insert into a values (1)', limits)).rejects.toMatchObject({ code: '25006' })
})

test('statements run as a role with its claims, and the change stream names the cause', async ({ db }) => {
  await db.load(`
    create table public.a (id int primary key, owner text default current_setting('request.jwt.claim.sub'));
    grant all on public.a to authenticated`)
  const seen: ChangeTransaction[] = []
  db.changes.subscribe(async (transaction) => void seen.push(transaction))
  await expect.poll(() => db.changes.health().state).toBe('up')
  const connection = await open(db, {
    role: 'authenticated',
    settings: [['request.jwt.claim.sub', 'ana']],
    cause: 'request-1',
  })
  const inserted = await connection.run('insert into a values (1) returning owner, current_user', limits)
  expect(inserted.rows).toEqual([['ana', 'authenticated']])
  await connection.commit()
  await expect.poll(() => seen.map(({ cause }) => cause?.id)).toEqual(['request-1'])
})

test('a statement that runs is cancelled by its name', async ({ db }) => {
  const connection = await open(db, {}, 'clew editor 7')
  const cancelled = expect(connection.run('select pg_sleep(600)', limits)).rejects.toMatchObject({ code: '57014' })
  await expect.poll(() => db.editor.cancel('clew editor 7')).toBe(true)
  await cancelled
  expect(await db.editor.cancel('clew editor 8')).toBe(false)
})

test('what cannot stand in a transaction runs alone', async ({ db }) => {
  await db.load('create table public.a (id int primary key)')
  const connection = await open(db)
  await expect(connection.run('vacuum a', limits)).rejects.toMatchObject({ code: '25001' })
  await connection.rollback()
  expect(await connection.runAlone('vacuum a', limits, 10_000)).toMatchObject({ command: 'VACUUM', rows: [] })
})

test('an error has its place; notices are told; COPY is refused', async ({ db }) => {
  const connection = await open(db)
  const noticed = await connection.run(`do $$ begin raise notice 'hello'; end $$`, limits)
  expect(noticed).toMatchObject({ command: 'DO', notices: ['NOTICE: hello'] })
  await expect(connection.run('copy (select 1) to stdout', limits)).rejects.toThrow('COPY from stdin and to stdout')
  await expect(connection.run('select nope', limits)).rejects.toMatchObject({ code: '42703', position: '8' })
  await connection.rollback()
  await connection.begin(plain)
  await connection.run('create temp table t (id int)', limits)
  await expect(connection.run('copy t from stdin', limits)).rejects.toThrow('COPY from stdin and to stdout')
})
