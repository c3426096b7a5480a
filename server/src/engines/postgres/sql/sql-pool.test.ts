import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'
import { openPool } from '../connection/connections.ts'
import type { Sql } from '../postgres.ts'
import { createSql } from './sql-pool.ts'

/** Our own statements on one connection. */
function openSql(db: TestDatabase, preparesStatements = true): Sql {
  const login = db.login('supabase_admin')
  const pool = openPool({ login, size: 1, acquireTimeoutMs: 5000, applicationName: 'sql pool' })
  onTestFinished(() => pool.end())
  return createSql(pool, 'supabase_admin', { preparesStatements })
}

const note = (id: number) => compile(sql`select * from public.notes where id = ${id}`)
const plain = (text: string) => ({ text, values: [] })

/** What the connection keeps of statements about a table. */
const keptOf = async (on: Sql, table: string): Promise<number> => {
  const { rows } = await on.query<{ kept: number }>(
    plain(`select count(*)::int as kept from pg_prepared_statements where statement like '% ${table} %'`),
  )
  return rows[0]?.kept ?? 0
}

test('a statement with values is prepared once a connection, and apart in a transaction', async ({ db }) => {
  await db.admin.query(plain('create table public.notes (id int primary key)'))
  const own = openSql(db)
  for (const id of [1, 2, 3]) await own.query(note(id))
  expect(await keptOf(own, 'public.notes')).toBe(1)
  await own.transaction(async (inside) => {
    await inside.query(note(1))
    await inside.query(note(2))
  })
  expect(await keptOf(own, 'public.notes')).toBe(2)
})

test('text without values is kept nowhere: it may be several commands', async ({ db }) => {
  const own = openSql(db)
  const { rows } = await own.query(plain('create table public.notes (id int primary key); select 7 as seven'))
  expect(rows).toEqual([{ seven: 7 }])
  expect(await keptOf(own, 'public.notes')).toBe(0)
})

test('what people type is not kept', async ({ db }) => {
  await db.owner.query(plain('create table public.notes (id int primary key)'))
  await db.owner.query(note(1))
  expect(await keptOf(db.owner, 'public.notes')).toBe(0)
  const own = openSql(db, false)
  await own.transaction((inside) => inside.query(note(1)), null, compile(sql`select ${typed('x', 'text')}`))
  expect((await own.query(plain('select * from pg_prepared_statements'))).rows).toEqual([])
})

test('a connection keeps a bounded number of statements, here as there', async ({ db }) => {
  const own = openSql(db)
  const textOf = (index: number) =>
    compile(sql`select ${constant(String(index))} as n, ${typed(index, 'int')} as value`)
  for (let index = 0; index < 260; index += 1)
    expect((await own.query(textOf(index))).rows).toEqual([{ n: index, value: index }])
  expect((await own.query(textOf(0))).rows).toEqual([{ n: 0, value: 0 }])
  const { rows } = await own.query<{ kept: number }>(plain('select count(*)::int as kept from pg_prepared_statements'))
  expect(rows[0]?.kept).toBeLessThanOrEqual(200)
})

test('a statement whose table has changed its columns is prepared again', async ({ db }) => {
  await db.admin.query(plain('create table public.notes (id int primary key); insert into public.notes values (1)'))
  const own = openSql(db)
  await own.query(note(1))
  await db.admin.query(plain(`alter table public.notes add title text default 'new'`))
  expect((await own.query(note(1))).rows).toEqual([{ id: 1, title: 'new' }])
  // The parameter was a number when the statement was prepared.
  await db.admin.query(plain('alter table public.notes alter id type text'))
  expect((await own.query(note(1))).rows).toEqual([{ id: '1', title: 'new' }])
  await own.query(note(1))
  expect(await keptOf(own, 'public.notes')).toBe(1)
})

test('a transaction that meets such a table may be sent again', async ({ db }) => {
  await db.admin.query(plain('create table public.notes (id int primary key); insert into public.notes values (1)'))
  const own = openSql(db)
  const read = () => own.transaction((inside) => inside.query(note(1)))
  await read()
  await db.admin.query(plain(`alter table public.notes add title text default 'new'`))
  await expect(read()).rejects.toMatchObject({ code: 'POSTGRES_SCHEMA_CHANGED', status: 503 })
  expect((await read()).rows).toEqual([{ id: 1, title: 'new' }])
})

test('a function that deallocates what a connection keeps harms no later statement', async ({ db }) => {
  await db.admin.query(plain('create table public.notes (id int primary key)'))
  const own = openSql(db)
  const opening = compile(sql`select set_config('clew.tested', ${typed('yes', 'text')}, true)`)
  const deallocate = () => own.query(plain(`do $$ begin execute 'deallocate all'; end $$`))
  const count = () => own.transaction(async (inside) => (await inside.query(note(1))).rowCount, null, opening)
  await own.query(note(1))
  await count()
  await deallocate()
  expect(await count()).toBe(0)
  await deallocate()
  expect((await own.query(note(1))).rowCount).toBe(0)
})

test('an opening holds for its transaction; one that fails leaves the connection clean', async ({ db }) => {
  const own = openSql(db)
  const become = (role: string) => compile(sql`select set_config('role', ${typed(role, 'text')}, true)`)
  const who = async (on: Sql) => (await on.query(plain('select current_user::text as who'))).rows
  expect(await own.transaction(who, null, become('anon'))).toEqual([{ who: 'anon' }])
  expect(await who(own)).toEqual([{ who: 'supabase_admin' }])
  await expect(own.transaction(who, null, become('nobody at all'))).rejects.toMatchObject({ code: '22023' })
  expect(await own.transaction(who, null, become('authenticated'))).toEqual([{ who: 'authenticated' }])
  const nested = (outer: Sql) => outer.transaction(who, null, become('anon'))
  expect(await own.transaction(nested)).toEqual([{ who: 'anon' }])
})
