import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { openRestApp } from '../../../../test/rest-app.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { restSettings } from '../settings.ts'
import type { Catalogue } from './catalogue.ts'
import { createSchemaCacheLoader, type SchemaCacheLoaderDeps } from './schema-cache-loader.ts'

/** A loader on a database, with the default settings where none are given. */
const openLoader = ({ admin, listen }: TestDatabase, deps: Partial<SchemaCacheLoaderDeps> = {}) =>
  createSchemaCacheLoader({
    sql: admin,
    listen,
    settings: () => readSettings(restSettings, []).values,
    reloadSettings: async () => undefined,
    loginRole: null,
    onReload: () => undefined,
    now: () => new Date(),
    log: { warn: () => undefined },
    ...deps,
  })

test('a table, a column, a function made a moment ago are never refused', async ({ db }) => {
  const { app, close } = await openRestApp(db)
  onTestFinished(close)
  const get = async (url: string) => app.inject({ method: 'GET', url: `/rest/v1${url}` })
  expect((await get('/made')).statusCode).toBe(404)
  await db.load('create table public.made (id int primary key); insert into public.made values (1)')
  expect((await get('/made')).json()).toEqual([{ id: 1 }])
  await db.load('alter table public.made add column later text')
  const inserted = await app.inject({
    method: 'POST',
    url: '/rest/v1/made',
    headers: { prefer: 'return=representation' },
    payload: { id: 2, later: 'x' },
  })
  expect(inserted.json()).toEqual([{ id: 2, later: 'x' }])
  await db.load('create function public.made_too() returns int language sql as $$select 7$$')
  expect((await get('/rpc/made_too')).json()).toBe(7)
  await db.load('create table public.child (id int primary key, made_id int references public.made)')
  expect((await get('/made?select=id,child(id)&id=eq.1')).json()).toEqual([{ id: 1, child: [] }])
})

test('a notification replaces the cache, and the old one is served meanwhile', async ({ db }) => {
  const { rest, close } = await openRestApp(db)
  onTestFinished(close)
  const before = await rest.schema.current()
  expect([...before.relations.values()].some(({ name }) => name === 'announced')).toBe(false)
  await db.load("create table public.announced (id int); notify pgrst, 'reload schema'")
  await expect
    .poll(async () => [...(await rest.schema.current()).relations.values()].some(({ name }) => name === 'announced'))
    .toBe(true)
})

test('settings of the connecting role hold from the next notification on, wrong ones not at all', async ({ db }) => {
  const { app, rest, close } = await openRestApp(db)
  onTestFinished(close)
  await db.load(
    'create table public.rows_of as select generate_series(1, 5) as id; grant select on public.rows_of to anon',
  )
  // In this database alone: the role belongs to the cluster, which other tests share.
  const set = (assignment: string) =>
    db.admin.query({
      text: `alter role authenticator in database ${db.database} ${assignment}; notify pgrst, 'reload config'`,
      values: [],
    })
  const range = async () => (await app.inject({ method: 'GET', url: '/rest/v1/rows_of' })).headers['content-range']
  expect(await range()).toBe('0-4/*')
  await set('set pgrst.db_max_rows = 2')
  await expect.poll(range).toBe('0-1/*')
  await set(`set pgrst.openapi_mode = 'nonsense'`)
  await rest.schema.reload('config')
  expect(await range()).toBe('0-1/*')
  await set('reset all')
  await expect.poll(range).toBe('0-4/*')
})

test('a load that fails leaves the old cache, and is tried again', async ({ db }) => {
  const warnings: string[] = []
  let broken = false
  const loader = await openLoader(db, {
    sql: {
      query: (statement, context) =>
        broken ? Promise.reject(new Error('the network is down')) : db.admin.query(statement, context),
    },
    log: { warn: (line) => warnings.push(line) },
  })
  onTestFinished(() => loader.close())
  const before = loader.loaded()
  expect(before).not.toBeNull()
  expect(loader.ready()).toBe(true)
  broken = true
  await expect(loader.reload('schema')).rejects.toThrow('the network is down')
  expect(loader.loaded()).toBe(before)
  expect(loader.ready()).toBe(false)
  expect(warnings).toEqual([expect.stringContaining('the old one stays: the network is down')])
  broken = false
  await expect.poll(() => loader.ready()).toBe(true)
  expect(loader.loaded()).not.toBe(before)
  expect(loader.loads()).toMatchObject({ failed: 1 })
})

test('a loader that is closed during a load listens no more', async ({ db }) => {
  for (let index = 0; index < 5; index += 1) {
    const loader = await openLoader(db)
    const reloading = loader.reload('schema')
    await loader.close()
    await reloading
  }
  const listening = async () =>
    db.admin.query({
      text: `select from pg_catalog.pg_stat_activity
        where datname = current_database() and application_name = 'clew listen pgrst'`,
      values: [],
    })
  await expect.poll(async () => (await listening()).rows.length).toBe(0)
})

test('a changed channel that cannot be listened on makes it unready, until the next reload listens', async ({ db }) => {
  const { values } = readSettings(restSettings, [])
  let channel = 'pgrst'
  let broken = false
  const loader = await openLoader(db, {
    settings: () => ({ ...values, channel }),
    listen: (...[channel, onNotify, onConnect]) =>
      broken ? Promise.reject(new Error('the network is down')) : db.listen(channel, onNotify, onConnect),
  })
  onTestFinished(() => loader.close())
  expect(loader.ready()).toBe(true)
  channel = 'another'
  broken = true
  await expect(loader.reload('config')).rejects.toThrow('the network is down')
  expect(loader.ready()).toBe(false)
  broken = false
  await loader.reload('config')
  await expect.poll(() => loader.ready()).toBe(true)
})

test('views that are as they were are not read again', async ({ db }) => {
  const treesRead: (readonly string[])[] = []
  const { app, rest, close } = await openRestApp({
    ...db,
    authenticator: {
      async query<Row>(...asked: Parameters<typeof db.authenticator.query>) {
        const result = await db.authenticator.query<Row>(...asked)
        const [row] = result.rows
        if (typeof row !== 'object' || row === null || !('document' in row)) return result
        const { views } = JSON.parse(String(row.document)) as Pick<Catalogue, 'views'>
        treesRead.push(views.filter(({ tree }) => tree !== null).map(({ name }) => name))
        return result
      },
    },
  })
  onTestFinished(close)
  /** Views whose trees were read after a change; a change may have been heard of already when it is looked for. */
  const readAfter = async (change: string): Promise<ReadonlySet<string>> => {
    const before = treesRead.length
    await db.load(change)
    await rest.schema.fresh()
    return new Set(treesRead.slice(before).flat())
  }
  const embedded = async (view: string) => (await app.inject({ url: `/rest/v1/${view}?select=id,shelf(id)` })).json()
  const made = await readAfter(`create table public.shelf (id int primary key); insert into public.shelf values (1);
    create table public.jar (id int primary key, shelf_id int references public.shelf, other_id int references public.shelf);
    insert into public.jar values (7, 1, 1);
    create view public.jars as select id, shelf_id from public.jar;
    create view public.lids as select id, shelf_id from public.jar;
    grant select on public.shelf, public.jar, public.jars, public.lids to anon`)
  expect([...made]).toEqual(expect.arrayContaining(['jars', 'lids']))
  expect(await readAfter('create table public.box (id int)')).toEqual(new Set())
  expect(await embedded('jars')).toEqual([{ id: 7, shelf: { id: 1 } }])
  const again =
    'drop view public.jars; create view public.jars as select other_id as id from public.jar; grant select on public.jars to anon'
  expect(await readAfter(again)).toEqual(new Set(['jars']))
  expect(await embedded('jars')).toEqual([{ id: 1, shelf: { id: 1 } }])
  const replaced = 'create or replace view public.lids as select id, shelf_id + 0 as shelf_id from public.jar'
  expect(await readAfter(replaced)).toEqual(new Set(['lids']))
  expect(await embedded('lids')).toMatchObject({ code: 'PGRST200' })
})

test('is not ready while it is read again, except for an unknown name', async ({ db }) => {
  const { rest, close } = await openRestApp(db)
  onTestFinished(close)
  expect(rest.schema.ready()).toBe(true)
  const reloaded = rest.schema.reload('schema')
  expect(rest.schema.ready()).toBe(false)
  await reloaded
  expect(rest.schema.ready()).toBe(true)
  const fresh = rest.schema.fresh()
  expect(rest.schema.ready()).toBe(true)
  await fresh
})

test('without any cache every request answers 503, and once more when there is one', async ({ db }) => {
  let broken = true
  const app = await openRestApp({
    ...db,
    authenticator: {
      query: (statement, context) =>
        broken ? Promise.reject(new Error('the network is down')) : db.authenticator.query(statement, context),
    },
  })
  onTestFinished(app.close)
  const get = () => app.app.inject({ method: 'GET', url: '/rest/v1/' })
  const refused = await get()
  expect(refused.statusCode).toBe(503)
  expect(refused.headers).toMatchObject({ 'retry-after': '1', 'proxy-status': 'PostgREST; error=PGRST002' })
  broken = false
  expect((await get()).statusCode).toBe(200)
})

test('requests under way while the schema changes are answered, with old or new columns', async ({ db }) => {
  const { app, close } = await openRestApp(db)
  onTestFinished(close)
  await db.load(`create table public.moving (id int primary key, a text default 'a');
    insert into public.moving values (1); grant select, insert on public.moving to anon`)
  let going = true
  const statuses = new Set<number>()
  const traffic = Array.from({ length: 4 }, async () => {
    while (going) {
      const answer = await app.inject({ method: 'GET', url: '/rest/v1/moving?id=eq.1' })
      statuses.add(answer.statusCode)
      const [row] = answer.json()
      expect(row).toMatchObject({ id: 1, a: 'a' })
    }
  })
  for (let index = 0; index < 10; index += 1) {
    await db.load(`alter table public.moving add column c${index} int default ${index};
      create table public.made_${index} (id int primary key, moving_id int references public.moving);
      grant select on public.made_${index} to anon`)
    // What was made a moment ago is there.
    const made = await app.inject({
      method: 'GET',
      url: `/rest/v1/moving?select=id,c${index},made_${index}(id)&id=eq.1`,
    })
    expect(made.json()).toEqual([{ id: 1, [`c${index}`]: index, [`made_${index}`]: [] }])
  }
  going = false
  await Promise.all(traffic)
  expect([...statuses]).toEqual([200])
})

test('a column that has another type is filtered by the new one', async ({ db }) => {
  const { app, close } = await openRestApp(db)
  onTestFinished(close)
  await db.load(`create table public.retyped (id uuid primary key); grant select on public.retyped to anon`)
  const get = async (id: string) => (await app.inject({ method: 'GET', url: `/rest/v1/retyped?id=eq.${id}` })).json()
  expect(await get('dea27321-f988-4a57-93e4-8eeb38f3cf1e')).toEqual([])
  await db.load(`drop table public.retyped; create table public.retyped (id bigint primary key);
    insert into public.retyped values (7); grant select on public.retyped to anon`)
  await expect.poll(() => get('7')).toEqual([{ id: 7 }])
})
