import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { followed, joined, listen, openRealtime } from '../../../../test/realtime-app.ts'

const [ann, bob] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

const table = `
  create table public.todos (
    id bigint primary key, owner uuid, title text, done boolean default false, tags text[], price numeric, body jsonb,
    at timestamptz
  );
  alter publication supabase_realtime add table public.todos;
`

test('rows arrive as they are inserted, updated and deleted, with their values as JSON', async ({ db }) => {
  await db.load(table)
  const { client } = await openRealtime(db)
  const heard = await listen(client().channel('any'), { event: '*', schema: 'public', table: 'todos' })
  await followed(db)
  await db.load(`
    insert into todos values (9007199254740993, '${ann}', 'grüß "x"', true, '{a,"b c",null}', 1.50, '{"n": [1]}', '2026-01-02 03:04:05+00')
  `)
  await db.load(`update todos set title = 'new', done = null`)
  await db.load('delete from todos')
  await expect.poll(() => heard.length).toBe(3)
  const columns = ['id', 'owner', 'title', 'done', 'tags', 'price', 'body', 'at']
  expect(heard[0]).toMatchObject({
    schema: 'public',
    table: 'todos',
    eventType: 'INSERT',
    commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    errors: null,
    new: {
      owner: ann,
      title: 'grüß "x"',
      done: true,
      tags: ['a', 'b c', null],
      price: 1.5,
      body: { n: [1] },
      at: '2026-01-02T03:04:05+00:00',
    },
    old: {},
  })
  expect(Object.keys(heard[0]?.new as object)).toEqual(columns)
  expect(heard[1]).toMatchObject({ eventType: 'UPDATE', new: { title: 'new', done: null } })
  // The owner of the table has left the replica identity as it is: its key.
  expect(Object.keys(heard[1]?.old as object)).toEqual(['id'])
  expect(heard[2]).toMatchObject({ eventType: 'DELETE', new: {} })
  expect(Object.keys(heard[2]?.old as object)).toEqual(['id'])
})

test('with full replica identity, which the owner has set, old rows are whole', async ({ db }) => {
  await db.load(table)
  await db.load('alter table public.todos replica identity full')
  const { client } = await openRealtime(db)
  const heard = await listen(client().channel('any'), { event: 'UPDATE', schema: 'public', table: 'todos' })
  await followed(db)
  await db.load(`insert into todos (id, title) values (1, 'before')`)
  await db.load(`update todos set title = 'after'`)
  await expect.poll(() => heard.length).toBe(1)
  expect(heard[0]).toMatchObject({ old: { id: 1, title: 'before', done: false }, new: { title: 'after' } })
})

test('policies decide whom a row reaches, and the key alone is told of a deleted one', async ({ db }) => {
  await db.load(table)
  await db.load(`
    alter table todos enable row level security;
    create policy own on todos for select to authenticated using (auth.uid() = owner);
  `)
  const { client } = await openRealtime(db)
  const open = async (who: string) => {
    const found = client(who)
    await found.setAuth()
    return listen(found.channel('any'), { event: '*', schema: 'public', table: 'todos' })
  }
  const [annHeard, bobHeard, anonHeard, serviceHeard] = await Promise.all([ann, bob, 'anon', 'service_role'].map(open))
  await followed(db)
  await db.load(`insert into todos (id, owner) values (1, '${ann}'), (2, '${bob}'), (3, null)`)
  await db.load(`update todos set owner = '${bob}' where id = 1`)
  await db.load(`delete from todos where id = 2`)
  const told = (heard: Record<string, unknown>[] | undefined) =>
    heard?.map(({ eventType, new: fresh, old }) => [
      eventType,
      ((eventType === 'DELETE' ? old : fresh) as { id: number }).id,
    ])
  await expect
    .poll(() => told(serviceHeard))
    .toEqual([
      ['INSERT', 1],
      ['INSERT', 2],
      ['INSERT', 3],
      ['UPDATE', 1],
      ['DELETE', 2],
    ])
  await expect.poll(() => told(anonHeard)).toEqual([['DELETE', 2]])
  const [annSaw, bobSaw] = [told(annHeard), told(bobHeard)]
  expect(annSaw).toContainEqual(['DELETE', 2])
  expect(annSaw).not.toContainEqual(['INSERT', 2])
  expect(annSaw).not.toContainEqual(['UPDATE', 1])
  expect(bobSaw).toContainEqual(['UPDATE', 1])
  expect(bobSaw).not.toContainEqual(['INSERT', 3])
  expect(bobHeard?.find(({ eventType }) => eventType === 'DELETE')?.old).toEqual({ id: 2 })
})

test.for([
  ['id=eq.2', [2]],
  ['id=neq.2', [1, 3]],
  ['id=gt.1', [2, 3]],
  ['id=in.(1,3)', [1, 3]],
  ['title=like.%b%', [2]],
  ['title=ilike.%B%', [2]],
  ['done=is.true', [1]],
  ['owner=is.null', [2, 3]],
  ['owner=not.is.null', [1]],
  ['title=eq."a,b"', [2]],
  ['id=gte.2,done=eq.false', [2, 3]],
  ['price=lt.10', [1]],
  ['at=gt.2026-01-01T12:00:00%2B02', [3]],
  ['title=match.^o.e$', [1]],
  ['title=imatch.^O', [1]],
  ['title=not.match."a,b"', [1]],
  ['id=gt.1,title=match.[[:punct:]]', [2]],
] as const)('the filter %s', async ([filter, ids], { db }) => {
  await db.load(table)
  const { client } = await openRealtime(db)
  const text = filter.replace('%2B', '+')
  const heard = await listen(client().channel('any'), {
    event: 'INSERT',
    schema: 'public',
    table: 'todos',
    filter: text,
  })
  const all = await listen(client().channel('all'), { event: 'INSERT', schema: 'public', table: 'todos' })
  await followed(db)
  await db.load(`
    insert into todos (id, owner, title, done, price, at) values
      (1, '${ann}', 'one', true, 9.5, '2026-01-01 09:00+00'), (2, null, 'a,b', false, 10, null),
      (3, null, null, false, null, '2026-01-01 11:00+00')
  `)
  await expect.poll(() => all.length).toBe(3)
  expect(heard.map((change) => (change.new as { id: number }).id)).toEqual(ids)
})

test.for([
  [
    { table: 'missing' },
    /check Realtime is enabled for the given connect parameters: \[event: \*, schema: public, table: missing/,
  ],
  [{ table: 'private_notes' }, /check Realtime is enabled/],
  [{ table: 'todos', filter: 'nothing=eq.1' }, /invalid column for filter nothing/],
  [{ table: 'todos', filter: 'id=eq.one' }, /Exception: .*invalid input syntax for type bigint/],
  [{ table: 'todos', filter: 'id=about.1' }, /Error parsing `filter` params/],
  [{ table: 'todos', filter: 'title=match.(' }, /Exception: .*parentheses \(\) not balanced/],
  [{ table: 'todos', filter: 'id=match.1' }, /operator match needs a text column/],
  [{ table: 'todos', filter: 'title=like.%\\' }, /LIKE pattern must not end with escape character/],
  [{ table: 'todos', filter: `title=like.${'%a'.repeat(1000)}` }, /a pattern has at most 1000 characters/],
  [{ table: 'todos', filter: 'title=match.(a*)*\\1' }, /may not refer back/],
  [{ table: '*', filter: 'title=match.(a*)*\\1' }, /may not refer back/],
] as const)('what cannot be subscribed to is said: %j', async ([wish, message], { db }) => {
  await db.load(table)
  await db.load('create table private_notes (id int primary key)')
  const { client } = await openRealtime(db)
  const channel = client().channel('any')
  const told = new Promise((resolve) => channel.on('system', {}, resolve))
  channel.on('postgres_changes', { event: '*', schema: 'public', ...wish }, () => undefined)
  expect(await joined(channel)).toEqual({ status: 'SUBSCRIBED' })
  expect(await told).toMatchObject({ status: 'error', message: expect.stringMatching(message) })
})

test('what SQL sends reaches the members, and is replayed to those who come later', async ({ db }) => {
  await db.load(`create policy hear on realtime.messages for select to authenticated using (true)`)
  const { client } = await openRealtime(db)
  const [one, other] = [client(ann), client(bob)]
  await Promise.all([one.setAuth(), other.setAuth()])
  const live: unknown[] = []
  const channel = one
    .channel('news', { config: { private: true } })
    .on('broadcast', { event: '*' }, (each) => live.push(each))
  await joined(channel)
  await followed(db)
  const before = Date.now() - 1000
  await db.load(`select realtime.send('{"n": 1}', 'said', 'news'), realtime.send('{"n": 2}', 'said', 'elsewhere')`)
  await expect.poll(() => live).toHaveLength(1)
  expect(live[0]).toEqual({
    type: 'broadcast',
    event: 'said',
    payload: { n: 1, id: expect.any(String) },
    meta: { id: expect.any(String) },
  })
  const replayed: unknown[] = []
  const later = other
    .channel('news', { config: { private: true, broadcast: { replay: { since: before, limit: 10 } } } })
    .on('broadcast', { event: 'said' }, (each) => replayed.push(each))
  await joined(later)
  await expect.poll(() => replayed).toHaveLength(1)
  expect(replayed[0]).toMatchObject({ payload: { n: 1 }, meta: { replayed: true } })
})

test('what SQL sends while a member that asks for a replay joins reaches it, once', async ({ db }) => {
  await db.load(`create policy hear on realtime.messages for select to authenticated using (true)`)
  // The answer with the stored ones comes late: when another has been sent since.
  let isRead = (): void => undefined
  let answer = (): void => undefined
  const read = new Promise<void>((resolve) => {
    isRead = resolve
  })
  const answering = new Promise<void>((resolve) => {
    answer = resolve
  })
  const query: typeof db.admin.query = async (statement, context) => {
    const result = await db.admin.query<never>(statement, context)
    if (!statement.text.includes('from realtime.messages m')) return result
    isRead()
    await answering
    return result
  }
  const { client } = await openRealtime(db, { sql: { query } })
  const [one, other] = [client(ann), client(bob)]
  await Promise.all([one.setAuth(), other.setAuth()])
  const live: unknown[] = []
  await joined(
    one.channel('news', { config: { private: true } }).on('broadcast', { event: 'said' }, (each) => live.push(each)),
  )
  await followed(db)
  const send = (n: number) => db.load(`select realtime.send('{"n": ${n}}', 'said', 'news')`)
  const since = Date.now() - 1000
  await send(1)
  await expect.poll(() => live).toHaveLength(1)
  const heard: unknown[] = []
  const joining = joined(
    other
      .channel('news', { config: { private: true, broadcast: { replay: { since, limit: 10 } } } })
      .on('broadcast', { event: 'said' }, ({ payload }) => heard.push(payload.n)),
  )
  await read
  await send(2)
  await expect.poll(() => live).toHaveLength(2)
  answer()
  await joining
  await send(3)
  await expect.poll(() => heard.at(-1)).toBe(3)
  expect(heard).toEqual([1, 2, 3])
})
