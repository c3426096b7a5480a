import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'

test('a script of several statements is kept whole or not at all', async ({ db }) => {
  await expect(db.script('create table a (); create table b (); select 1/0')).rejects.toMatchObject({ code: '22012' })
  await db.script('create table a (); create table b ()')
  const { rows } = await db.admin.query({
    text: `select tablename, tableowner from pg_tables where schemaname = 'public' order by 1`,
    values: [],
  })
  expect(rows).toEqual([
    { tablename: 'a', tableowner: 'postgres' },
    { tablename: 'b', tableowner: 'postgres' },
  ])
})

test('what a script sets for its session is gone after it', async ({ db }) => {
  await db.script(`set statement_timeout = '1min'; set search_path = pg_catalog; set role anon`)
  await db.script(`create table public.found as select current_setting('statement_timeout') as timeout`)
  const text = 'select timeout, current_user as who from found'
  expect((await db.owner.query({ text, values: [] })).rows).toEqual([{ timeout: '0', who: 'postgres' }])
})

test('what the owner sets for its session does not reach the next migration', async ({ db }) => {
  // As a dump does that was taken with pg_dump.
  await db.owner.query({ text: `select set_config('search_path', '', false); set role anon`, values: [] })
  await db.owner.transaction(async (own) => {
    await own.query({ text: `set statement_timeout = '1min'; set session_replication_role = replica`, values: [] })
  })
  const text = `
    select current_user as who, current_setting('search_path') as path,
      current_setting('session_replication_role') as mode, current_setting('statement_timeout') as timeout`
  expect((await db.owner.query({ text, values: [] })).rows).toEqual([
    { who: 'postgres', path: '"$user", public, extensions', mode: 'origin', timeout: '0' },
  ])
})

test('a text of several statements answers with the last', async ({ db }) => {
  const text = 'create table public.notes (id int); insert into public.notes values (7) returning id'
  expect(await db.owner.query({ text, values: [] })).toEqual({ rows: [{ id: 7 }], rowCount: 1 })
})

test('a transaction that throws keeps nothing, and one within it only loses its own part', async ({ db }) => {
  const insert = (id: number) => ({ text: 'insert into public.notes values ($1)', values: [id] })
  await db.script('create table notes (id int primary key)')
  await db.admin.transaction(async (sql) => {
    await sql.query(insert(1))
    await expect(
      sql.transaction(async (inner) => {
        await inner.query(insert(2))
        await inner.query(insert(2))
      }),
    ).rejects.toMatchObject({ code: '23505' })
    await sql.query(insert(3))
  })
  const gone = new Error('gone')
  await expect(
    db.admin.transaction(async (sql) => {
      await sql.query(insert(4))
      throw gone
    }),
  ).rejects.toBe(gone)
  const { rows } = await db.admin.query({ text: 'select id from public.notes order by id', values: [] })
  expect(rows).toEqual([{ id: 1 }, { id: 3 }])
})

test('a room’s migrations are applied once, in order, also by two starters, and forward only', async ({ db }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-migrations-'))
  const url = pathToFileURL(`${folder}/`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '0001_one.sql'), 'create schema room; create table room.log (n int)')
    await writeFile(join(folder, '0002_two.sql'), 'insert into room.log values (2)')
    await writeFile(join(folder, 'README.md'), 'not a migration')
    await Promise.all([db.migrate('room', url), db.migrate('room', url), db.migrate('room', url)])
    await writeFile(join(folder, '0003_three.sql'), 'insert into room.log values (3); select 1/0')
    await expect(db.migrate('room', url)).rejects.toMatchObject({ code: 'POSTGRES_MIGRATION_FAILED' })
    await writeFile(join(folder, '0003_three.sql'), 'insert into room.log values (3)')
    await db.migrate('room', url)
    const { rows } = await db.admin.query({ text: 'select n from room.log order by n', values: [] })
    expect(rows).toEqual([{ n: 2 }, { n: 3 }])
    await writeFile(join(folder, '0002_two.sql'), 'insert into room.log values (22)')
    await expect(db.migrate('room', url)).rejects.toMatchObject({ code: 'POSTGRES_MIGRATION_CHANGED' })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a listener hears its channel, and hears again after its connection was killed', async ({ db }) => {
  const heard: string[] = []
  let connections = 0
  const stop = await db.listen(
    'Odd "name"',
    (payload) => heard.push(payload),
    () => {
      connections += 1
    },
  )
  const notify = (payload: string) => db.admin.query({ text: `select pg_notify('Odd "name"', $1)`, values: [payload] })
  await notify('first')
  await expect.poll(() => heard).toEqual(['first'])
  await db.admin.query({
    text: `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'clew listen%' and datname = current_database()`,
    values: [],
  })
  await expect.poll(() => connections).toBe(2)
  await notify('second')
  await expect.poll(() => heard).toEqual(['first', 'second'])
  await stop()
})

test('a changed schema notifies its caches, once a transaction', async ({ db }) => {
  const heard: string[] = []
  await db.listen('pgrst', (payload) => heard.push(payload))
  await db.script('create table a (id int); alter table a add b int; create view c as select * from a')
  await db.script('create temp table scratch (); drop table scratch')
  await db.script('drop view c')
  await db.admin.query({ text: `select pg_notify('pgrst', 'end')`, values: [] })
  await expect.poll(() => heard).toEqual(['reload schema', 'reload schema', 'end'])
})
