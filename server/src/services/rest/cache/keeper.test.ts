import { expect, onTestFinished } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openRestApp } from '../../../../test/rest-app.ts'

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
