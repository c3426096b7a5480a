import { PostgrestClient } from '@supabase/postgrest-js'
import { expect, onTestFinished } from 'vitest'
import type { TestDatabase } from '../../../../test/harness.ts'
import { test } from '../../../../test/harness.ts'
import { openRestApp } from '../../../../test/rest-app.ts'

const user = '00000000-0000-0000-0000-000000000001'

/** The official client, unmodified, against the plugin on a port of its own. */
async function open(db: TestDatabase, token = 'anon') {
  await db.load('bookshop.sql')
  const opened = await openRestApp(db, { aggregatesEnabled: true, planEnabled: true })
  onTestFinished(() => opened.close())
  const url = await opened.app.listen({ host: '127.0.0.1', port: 0 })
  return new PostgrestClient(`${url}/rest/v1`, { headers: { Authorization: `Bearer ${token}` } })
}

test('select with embeds, filters, order, range and count', async ({ db }) => {
  const client = await open(db)
  const answer = await client
    .from('books')
    .select('id, title, authors!inner ( name ), shelves ( name )', { count: 'exact' })
    .eq('authors.name', 'Italo')
    .order('title')
    .range(0, 0)
  expect(answer).toMatchObject({
    error: null,
    status: 206,
    count: 2,
    data: [{ id: 3, title: 'Cosmicomics', authors: { name: 'Italo' }, shelves: [] }],
  })
})

test('head, single, maybeSingle, csv and explain', async ({ db }) => {
  const client = await open(db)
  const head = await client.from('books').select('*', { count: 'exact', head: true })
  expect(head).toMatchObject({ count: 5, data: null, error: null })
  const single = await client.from('books').select('id').eq('id', 1).single()
  expect(single).toMatchObject({ data: { id: 1 }, error: null })
  const none = await client.from('books').select('id').eq('id', 99).maybeSingle()
  expect(none).toMatchObject({ data: null, error: null })
  const refused = await client.from('books').select('id').single()
  expect(refused).toMatchObject({
    status: 406,
    error: { code: 'PGRST116', details: 'The result contains 5 rows', hint: null },
  })
  const csv = await client.from('shelves').select('id').csv()
  expect(csv.data).toBe('id\n1\n2')
  const plan = await client.from('shelves').select().explain()
  expect(plan.data).toContain('Aggregate')
})

test('every filter method answers', async ({ db }) => {
  const client = await open(db)
  const ids = async (filtered: PromiseLike<{ data: readonly { id: number }[] | null; error: unknown }>) => {
    const { data, error } = await filtered
    expect(error).toBeNull()
    return (data ?? []).map(({ id }) => id).sort()
  }
  const books = () => client.from('books').select('id')
  expect(await ids(books().in('title', ['Cosmicomics', 'with, a comma (and more)']))).toEqual([3])
  expect(await ids(books().eq('title', 'Anonymous, "quoted" (1)'))).toEqual([5])
  expect(await ids(books().contains('tags', ['scifi']))).toEqual([1, 3])
  expect(await ids(books().contains('info', { pages: 96 }))).toEqual([4])
  expect(await ids(books().overlaps('tags', ['classic']))).toEqual([1, 2])
  expect(await ids(books().rangeLt('printed', '[1974,1975)'))).toEqual([2])
  expect(await ids(books().textSearch('title', 'hour', { config: 'english' }))).toEqual([4])
  expect(await ids(books().likeAnyOf('title', ['The%', 'Cos%']))).toEqual([1, 3, 4])
  expect(await ids(books().not('author_id', 'is', null).neq('id', 1))).toEqual([2, 3, 4])
  expect(await ids(books().or('id.eq.1,and(id.gt.3,id.lt.5)'))).toEqual([1, 4])
  expect(await ids(books().match({ author_id: 2, title: 'Cosmicomics' }))).toEqual([3])
  expect(await ids(books().filter('info->>pages', 'eq', '165'))).toEqual([2])
})

test('insert, upsert, update, delete and their returned rows', async ({ db }) => {
  const client = await open(db)
  const inserted = await client
    .from('shelves')
    .insert([
      { id: 10, name: 'a' },
      { id: 11, name: 'b' },
    ])
    .select('id')
  expect(inserted).toMatchObject({ status: 201, data: [{ id: 10 }, { id: 11 }] })
  const upserted = await client.from('shelves').upsert({ id: 10, name: 'c' }).select().single()
  expect(upserted).toMatchObject({ status: 200, data: { id: 10, name: 'c' } })
  const ignored = await client
    .from('authors')
    .upsert({ name: 'Italo' }, { onConflict: 'name', ignoreDuplicates: true })
    .select()
  expect(ignored).toMatchObject({ status: 201, data: [] })
  const updated = await client.from('shelves').update({ name: 'd' }, { count: 'exact' }).gte('id', 10)
  expect(updated).toMatchObject({ status: 204, count: 2, error: null })
  const removed = await client.from('shelves').delete().gte('id', 10).select('name')
  expect(removed.data).toEqual([{ name: 'd' }, { name: 'd' }])
})

test('functions by POST and GET, scalars and rows', async ({ db }) => {
  const client = await open(db)
  expect((await client.rpc('add', { a: 1, b: 2 })).data).toBe(3)
  expect((await client.rpc('add', { a: 1 }, { get: true })).data).toBe(2)
  expect((await client.rpc('joined', { words: ['a', 'b'] })).data).toBe('a+b')
  expect((await client.rpc('authors_after', { year: 1921 }).select('name').eq('name', 'Italo')).data).toEqual([
    { name: 'Italo' },
  ])
  expect(await client.rpc('nothing')).toMatchObject({ status: 204, error: null })
  expect((await client.rpc('absent')).error).toMatchObject({ code: 'PGRST202' })
})

test('aggregates group by what stands beside them', async ({ db }) => {
  const client = await open(db)
  const counts = await client.from('books').select('author_id, count(), price.sum()').order('author_id')
  expect(counts.data).toEqual([
    { author_id: 1, count: 1, sum: 12.5 },
    { author_id: 2, count: 2, sum: 17.25 },
    { author_id: 3, count: 1, sum: 7 },
    { author_id: null, count: 1, sum: 5 },
  ])
  const spread = await client.from('books').select('...authors(name), price.max()').order('authors(name)')
  expect(spread.error).toBeNull()
  const inside = await client.from('authors').select('name, books(price.max())').eq('id', 2)
  expect(inside.data).toEqual([{ name: 'Italo', books: [{ max: 9 }] }])
  const lifted = await client.from('covers').select('...books(price.sum(), count())')
  expect(lifted.data).toEqual([{ sum: 21.5, count: 2 }])
})

test('row security sees the caller', async ({ db }) => {
  const client = await open(db, `authenticated_${user}`)
  expect((await client.from('notes').select('body')).data).toEqual([{ body: 'of one' }])
  expect((await client.from('notes').insert({ body: 'mine' }).select('owner').single()).data).toEqual({ owner: user })
  const all = await db.admin.query({ text: 'select count(*)::int as notes from public.notes', values: [] })
  expect(all.rows).toEqual([{ notes: 3 }])
})
