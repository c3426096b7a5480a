import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { openRestApp } from '../../../test/rest-app.ts'

async function open(db: TestDatabase, script: string, settings: Readonly<Record<string, unknown>> = {}) {
  await db.load(script)
  const { app, close } = await openRestApp(db, settings)
  onTestFinished(close)
  return app
}

test('a domain is shown, read and filtered by its casts', async ({ db }) => {
  const app = await open(
    db,
    `create domain public.color as int;
     create function public.color_json(public.color) returns json language sql immutable
       as $$select to_json('#' || lpad(to_hex($1), 6, '0'))$$;
     create function public.color_of_text(text) returns public.color language sql immutable
       as $$select (('x' || lpad(replace($1, '#', ''), 8, '0'))::bit(32)::int)::public.color$$;
     create function public.color_of_json(json) returns public.color language sql immutable
       as $$select public.color_of_text($1 #>> '{}')$$;
     create cast (public.color as json) with function public.color_json(public.color) as implicit;
     create cast (text as public.color) with function public.color_of_text(text) as implicit;
     create cast (json as public.color) with function public.color_of_json(json) as implicit;
     create table public.paints (id int primary key, shade public.color);
     insert into public.paints values (1, 255), (2, 0);`,
  )
  const get = async (query: string) => (await app.inject({ url: `/rest/v1/paints?${query}` })).json()
  expect(await get('order=id')).toEqual([
    { id: 1, shade: '#0000ff' },
    { id: 2, shade: '#000000' },
  ])
  expect(await get('select=shade&shade=eq.%230000ff')).toEqual([{ shade: '#0000ff' }])
  expect(await get('select=id&shade=in.(%23000000,%23111111)')).toEqual([{ id: 2 }])
  const made = await app.inject({
    method: 'POST',
    url: '/rest/v1/paints',
    headers: { prefer: 'return=representation' },
    payload: { id: 3, shade: '#000010' },
  })
  expect(made.json()).toEqual([{ id: 3, shade: '#000010' }])
})

test('functions and aggregates answer media types of the application’s own', async ({ db }) => {
  const app = await open(
    db,
    `create domain public."image/png" as bytea;
     create domain public."application/vnd.list" as text;
     create table public.words (word text);
     insert into public.words values ('a'), ('b');
     create function public.picture() returns public."image/png" language sql as $$select '\\x89504e47'::bytea$$;
     create function public.list_step(text, public.words) returns text language sql immutable
       as $$select concat($1, $2.word, ';')$$;
     create function public.list_end(text) returns public."application/vnd.list" language sql immutable as 'select $1';
     create aggregate public.list_of(public.words)
       (sfunc = public.list_step, stype = text, finalfunc = public.list_end, initcond = '');`,
  )
  const picture = await app.inject({ url: '/rest/v1/rpc/picture', headers: { accept: 'image/png' } })
  expect(picture.headers['content-type']).toBe('image/png')
  expect(picture.rawPayload.toString('hex')).toBe('89504e47')
  const list = await app.inject({ url: '/rest/v1/words', headers: { accept: 'application/vnd.list' } })
  expect(list.body).toBe('a;b;')
  const shaped = await app.inject({ url: '/rest/v1/words?select=word', headers: { accept: 'application/vnd.list' } })
  expect(shaped.statusCode).toBe(406)
})

test('a schema chosen by profile is searched first, and named back', async ({ db }) => {
  const app = await open(
    db,
    `create schema api; grant usage on schema api to anon;
     create table api.things (id int primary key); insert into api.things values (7); grant select on api.things to anon;
     create table public.things (id int primary key);`,
    { schemas: ['public', 'api'] },
  )
  const other = await app.inject({ url: '/rest/v1/things', headers: { 'accept-profile': 'api' } })
  expect(other.json()).toEqual([{ id: 7 }])
  expect(other.headers['content-profile']).toBe('api')
  const first = await app.inject({ url: '/rest/v1/things' })
  expect(first.json()).toEqual([])
  expect(first.headers['content-profile']).toBe('public')
})

test('a cap on rows holds for the top level and every embed, and counts see beyond it', async ({ db }) => {
  await db.load('bookshop.sql')
  const { app, close } = await openRestApp(db, { maxRows: 1 })
  onTestFinished(close)
  const answer = await app.inject({
    url: '/rest/v1/authors?select=id,books(id)&id=gt.1&order=id&books.order=id',
    headers: { prefer: 'count=exact' },
  })
  expect(answer.json()).toEqual([{ id: 2, books: [{ id: 2 }] }])
  expect(answer.headers['content-range']).toBe('0-0/3')
  const estimated = await app.inject({ url: '/rest/v1/authors', headers: { prefer: 'count=estimated' } })
  expect(Number(String(estimated.headers['content-range']).split('/')[1])).toBeGreaterThan(1)
})

test('what a request wrote is undone when its answer is refused', async ({ db }) => {
  await db.load('bookshop.sql')
  const { app, close } = await openRestApp(db)
  onTestFinished(close)
  const remove = (prefer: string, accept = 'application/json') =>
    app.inject({ method: 'DELETE', url: '/rest/v1/books_shelves?book_id=eq.2', headers: { prefer, accept } })
  expect((await remove('handling=strict, max-affected=1')).statusCode).toBe(400)
  expect((await remove('return=representation', 'application/vnd.pgrst.object+json')).statusCode).toBe(406)
  expect((await remove('count=exact')).headers['content-range']).toBe('*/2')
})

test('missing=default knows the defaults of any number of columns, whatever their names', async ({ db }) => {
  const names = [...Array.from({ length: 120 }, (_, index) => `c${index}`), `it's`, 'back\\slash', 'say "so"']
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
  const app = await open(
    db,
    `create table public.wide (${names.map((name, index) => `${quoted(name)} int default ${index}`).join(', ')});`,
  )
  const columns = names.map((name) => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')
  const made = await app.inject({
    method: 'POST',
    url: `/rest/v1/wide?columns=${encodeURIComponent(columns)}`,
    headers: { prefer: 'return=representation, missing=default' },
    payload: [{ c1: 99 }, {}],
  })
  const defaults = Object.fromEntries(names.map((name, index) => [name, index]))
  expect(made.json()).toEqual([{ ...defaults, c1: 99 }, defaults])
})
