import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { ana, anaSession, openWorld, session, tagged, window } from '../../../test/thread-world.ts'
import type { RecordingSummary } from '../../ground/model/recording.ts'
import type { RequestContext } from '../../ground/model/request.ts'

const orders = `
  create table orders (id int primary key, total numeric, card_token text);
  create table stock (id int primary key, amount int);
  insert into stock values (7, 12);
  create function take_stock() returns trigger language plpgsql as $$
    begin
      update stock set amount = amount - 1 where id = 7;
      return null;
    end $$;
  create trigger takes_stock after insert on orders for each row execute function take_stock()`

test('a tagged request stands in its session with its statement, its rows and the user', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  await db.load(orders)
  const context = await world.call(`insert into orders values (812, 10.00, 'tok_secret')`, {
    headers: tagged,
    query: 'select=id&apikey=sb_secret_x',
  })
  const path = `/requests/${context.id}`
  await expect
    .poll(async () => (await world.get(path)).body)
    .toMatchObject({
      request: {
        method: 'POST',
        status: 201,
        query: 'select=id&apikey=(redacted)',
        changes: 2,
        statements: 1,
        sessionId: session,
        person: { userId: ana, email: `${ana}@example.test`, distinctId: 'browser-1' },
      },
      statements: [{ role: 'service_role', rows: 1 }],
      changes: [
        { table: 'orders', operation: 'insert', key: { id: '812' }, new: { id: '812', total: '10.00' }, old: null },
        { table: 'stock', operation: 'update', old: { amount: '12' }, new: { amount: '11' }, columns: ['amount'] },
      ],
      session: { id: session, windowId: window, link: { channel: 'header', exact: true }, hasRecording: false },
    })

  const { body } = await world.get(`/sessions/${session}`)
  expect(body).toMatchObject({
    session: { requests: 1, changes: 2, person: { email: `${ana}@example.test` }, hasRecording: false, live: true },
    moments: [{ kind: 'request', requests: [{ id: context.id, changes: [{ table: 'orders' }, { table: 'stock' }] }] }],
    truncated: false,
  })
  expect((await world.get('/sessions?q=0000aa@example')).body).toMatchObject({
    sessions: [{ id: session }],
    next: null,
  })
  expect((await world.get('/sessions?q=nobody')).body).toMatchObject({ sessions: [] })
  expect((await world.get('/sessions?live=true&errors=true')).body).toMatchObject({ sessions: [] })
  expect((await world.get('/overview')).body).toMatchObject({
    peopleNow: 1,
    requestsLastHour: 1,
    changesLastHour: 3,
    sessionsToday: 1,
    latestSessions: [{ id: session }],
    firsts: { requestAt: context.startedAt.toISOString(), eventAt: null, recordingAt: null },
  })
  expect(world.linked).toEqual([{ distinctId: 'browser-1', userId: ana, at: context.startedAt }])

  // Analysts see what happened, and no value; viewers none of it.
  const hidden = [
    { table: 'orders', key: {}, new: {}, old: null },
    { table: 'stock', key: {}, old: {}, new: {}, columns: ['amount'] },
  ]
  expect((await world.get(path, 'analyst')).body).toMatchObject({ request: { query: '', changes: 2 }, changes: hidden })
  const seen = await world.get(`/sessions/${session}`, 'analyst')
  expect(seen.body).toMatchObject({ moments: [{ requests: [{ query: '', changes: hidden }] }] })
  expect(seen.text).not.toContain('"812"')
  const statuses = async (role: 'owner' | 'analyst' | 'viewer') =>
    Promise.all(
      [
        ...[path, '/requests', '/sessions', `/sessions/${session}`, '/overview', '/function-calls'],
        ...[
          `/sessions/${session}/recording`,
          `/sessions/${session}/picture`,
          `/changes?cause=${context.id}`,
          '/function-logs?name=f',
        ],
        ...[`/data/public/stock/history?key=${encodeURIComponent('{"id":"7"}')}`],
        ...['/data/public/stock/changes?column=id&value=7'],
      ].map(async (each) => (await world.get(each, role)).status),
    )
  // The session has no recording.
  const seenByAll = [200, 200, 200, 200, 200, 200, 404, 404]
  expect(await statuses('owner')).toEqual([...seenByAll, 200, 200, 200, 200])
  expect(await statuses('analyst')).toEqual([...seenByAll, 403, 403, 403, 403])
  expect(await statuses('viewer')).toEqual(Array.from({ length: 12 }, () => 403))
  await world.thread.close()
})

test('a row’s history names the session of each change, and says of plain SQL that it was that', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse)
  await db.load(orders)
  const context = await world.call('update stock set amount = 11 where id = 7', { headers: tagged })
  const untagged = await world.call('update stock set amount = 10 where id = 7', { user: null })
  await db.load('update stock set amount = 99 where id = 7')
  const path = `/data/public/stock/history?key=${encodeURIComponent('{"id":7}')}`
  await expect
    .poll(async () => (await world.get(path)).body)
    .toMatchObject({
      entries: [
        { change: { operation: 'update', new: { amount: '99' } }, cause: { kind: 'sql' } },
        {
          change: { new: { amount: '10' } },
          cause: { kind: 'request', requestId: untagged.id, method: 'POST', person: null },
        },
        {
          change: { old: { amount: '12' }, new: { amount: '11' } },
          cause: { kind: 'session', requestId: context.id, sessionId: session, atMs: 0, exact: true },
        },
        { change: { operation: 'insert', new: { amount: '12' } }, cause: { kind: 'sql' } },
      ],
    })
  const { body } = await world.get(`/sessions/${session}`)
  expect(body).toMatchObject({ session: { changes: 1 } })
  await world.thread.close()
})

test('a row whose key was changed keeps its history', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  await db.load(orders)
  await db.load('update stock set id = 8 where id = 7')
  const path = `/data/public/stock/history?key=${encodeURIComponent('{"id":"8"}')}`
  await expect
    .poll(async () => (await world.get(path)).body)
    .toMatchObject({
      entries: [{ change: { operation: 'update' } }, { change: { operation: 'insert', key: { id: '7' } } }],
    })
  await world.thread.close()
})

test('a transaction delivered twice is stored once', async ({ db, clickhouse }) => {
  const { thread, changes, get } = await openWorld(db, clickhouse)
  const transaction = {
    lsn: '16/B374D848',
    xid: 5,
    committedAt: new Date(),
    cause: null,
    changes: [
      {
        relation: { id: 0, keyNumbers: [] },
        schema: 'public',
        table: 'stock',
        operation: 'insert' as const,
        key: { id: '1' },
        old: null,
        new: { id: '1' },
        types: {},
      },
    ],
  }
  await changes.rowsChanged(transaction)
  await changes.rowsChanged(transaction)
  const { body } = await get(`/data/public/stock/history?key=${encodeURIComponent('{"id":"1"}')}`)
  expect(body).toMatchObject({ entries: [{ change: { id: '16/B374D848:0' } }] })
  expect((await get('/overview')).body).toMatchObject({ changesLastHour: 1 })
  await thread.close()
})

test('rows that another instance had stored are there once, however often they are brought along', async ({
  db,
  clickhouse,
}) => {
  const { thread, get } = await openWorld(db, clickhouse)
  const time = new Date().toISOString()
  const rows = {
    requests: [{ id: 'r', time, service: 'rest', method: 'POST', status: 201, session_id: session, writes: true }],
    statements: [{ request_id: 'r', ordinal: 0, time, text: 'insert', writes: true }],
    changes: [{ commit_time: time, lsn: '7', seq: 0, request_id: 'r', table_name: 'orders', operation: 'insert' }],
    function_logs: [{ id: 'l', time, name: 'receipt', request_id: 'r', kind: 'log', level: 'info', text: 'written' }],
    frames: [{ id: 'f', time, session_id: session, direction: 'in', kind: 'change', topic: 'counter' }],
  }
  const tables = ['requests', 'statements', 'changes', 'function_logs', 'frames'] as const
  for (const table of [...tables, ...tables])
    await thread.importRows[table](
      rows[table].map((row) => JSON.stringify(row)),
      'first',
    )
  expect((await get(`/sessions/${session}`)).body).toMatchObject({ session: { requests: 1, changes: 1 } })
  expect((await get('/requests/r')).body).toMatchObject({
    ...{ statements: [{ text: 'insert' }], changes: [{}], logs: [{ text: 'written' }] },
  })
  const frames = await clickhouse.query({ text: 'select id, topic from frames final', parameters: {} })
  expect(frames).toEqual([{ id: 'f', topic: 'counter' }])
  await thread.close()
})

test('a thousand transactions are stored together, within seconds', async ({ db, clickhouse }) => {
  const { thread } = await openWorld(db, clickhouse)
  await db.load('create table marks (id int primary key)')
  const text = 'do $$ begin for id in 1..1000 loop insert into public.marks values (id); commit; end loop; end $$'
  await db.admin.query({ text, values: [] })
  const stored = async (): Promise<unknown> => {
    const [row] = await clickhouse.query({
      text: 'select uniqExact(lsn) as n, min(seq) as s from changes',
      parameters: {},
    })
    return row
  }
  await expect.poll(stored).toEqual({ n: '1000', s: 0 })
  await thread.close()
})

test('no secret is stored: not of columns, not of query strings', async ({ db, clickhouse }) => {
  const { thread, call } = await openWorld(db, clickhouse)
  await db.load(`${orders}; create table people (id int primary key, email text, password text, api_key text)`)
  const secret = 'planted-secret'
  await call(`insert into people values (1, 'ana@example.test', '${secret}', '${secret}')`, {
    query: `token=${secret}&access_token=${secret}&apikey=${secret}`,
    headers: { ...tagged, authorization: `Bearer ${secret}`, apikey: secret, cookie: `sb=${secret}` },
  })
  await call(`update people set password = '${secret}-2' where id = 1`)
  const count = async (): Promise<number> => {
    await thread.flush()
    const [row] = await clickhouse.query<{ n: string }>({ text: 'select count() as n from changes', parameters: {} })
    return Number(row?.n)
  }
  await expect.poll(count).toBe(3)
  for (const table of ['requests', 'changes']) {
    const rows = await clickhouse.query({ text: `select * from ${table}`, parameters: {} })
    expect(JSON.stringify(rows)).not.toContain(secret)
  }
  const [changed] = await clickhouse.query({
    text: `select columns, new from changes where operation = 'update'`,
    parameters: {},
  })
  expect(changed).toEqual({ columns: ['password'], new: '{"id":"1","email":"ana@example.test"}' })
  await thread.close()
})

test('an untagged call of a signed-in user is tied to the session of the tagged ones, also after a restart', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse)
  await db.load(orders)
  expect(world.thread.tagRequest({}, anaSession, new Date(), '127.0.0.1')).toBeNull()
  await world.call('select 1', { headers: tagged, method: 'GET' })
  const inferred = { sessionId: session, windowId: null, distinctId: 'browser-1', channel: 'learnt', exact: true }
  expect(world.thread.tagRequest({}, anaSession, new Date(), '127.0.0.1')).toEqual(inferred)
  expect(world.thread.tagRequest({}, 'another', new Date(), '127.0.0.1')).toBeNull()
  await world.thread.close()

  const again = await openWorld(db, clickhouse)
  expect(again.thread.tagRequest({}, anaSession, new Date(), '127.0.0.1')).toEqual(inferred)
  await again.thread.close()
})

test('a click of a recording leads to its request; the recording is streamed line by line', async ({
  db,
  clickhouse,
}) => {
  const clickedAt = Date.now()
  const offsetMs = 3_600_000
  const events = [
    { type: 4, timestamp: clickedAt - offsetMs - 500, data: { href: 'http://a.test/menu' } },
    { type: 3, timestamp: clickedAt - offsetMs, data: { source: 2, type: 2, id: 7 } },
  ]
  const summary: RecordingSummary = {
    sessionId: session,
    distinctId: 'browser-1',
    startedAt: new Date(clickedAt - 500),
    endedAt: new Date(clickedAt),
    lastActiveAt: new Date(),
    activeMs: 500,
    pages: 1,
    clicks: 1,
    consoleErrors: 0,
    errorLines: [],
    firstUrl: 'http://a.test/menu',
    browser: 'Chrome',
    os: 'Linux',
    device: 'Desktop',
    signs: [],
  }
  const world = await openWorld(db, clickhouse, {
    recordings: {
      starts: async () => [{ sessionId: session, startedAt: summary.startedAt, endedAt: summary.endedAt, errors: 0 }],
      sessionSummaries: async (ids) => (ids.includes(session) ? [summary] : []),
      signs: async () => [],
      messages: async function* (_, options) {
        yield JSON.stringify({ windowId: window, offsetMs: options.offsetMs, events })
      },
      fileLines: async function* () {},
      outline: async () => null,
      picture: async (id) => (id === session ? JSON.stringify({ windowId: window, events: events.slice(0, 2) }) : null),
      offsets: async (id) => (id === session ? [offsetMs, offsetMs + 40] : null),
      sessionIdsSince: async () => [session],
      distinctIdsSince: async () => ['browser-1'],
      firstAt: async () => new Date(clickedAt),
    },
  })
  await db.load(orders)
  const context = await world.call('insert into orders values (1, 2, null)', {
    headers: tagged,
    at: new Date(clickedAt + 20),
  })
  await world.thread.flush()
  expect((await world.get(`/sessions/${session}`)).body).toMatchObject({
    session: { hasRecording: true, clicks: 1, entryPath: '/menu', browser: 'Chrome' },
    clock: { offsetMs, spreadMs: 40, samples: 2 },
    moments: [
      { kind: 'page', label: '/menu', atMs: 0, requests: [] },
      { kind: 'click', atMs: 500, requests: [{ id: context.id }] },
    ],
  })
  const { text } = await world.get(`/sessions/${session}/recording`)
  expect(text.split('\n').map((line) => (line === '' ? null : JSON.parse(line)))).toEqual([
    { windowId: window, offsetMs, events },
    null,
  ])
  const picture = await world.get(`/sessions/${session}/picture`)
  expect(JSON.parse(picture.text)).toEqual({ windowId: window, events: [events[0], events[1]] })
  await world.thread.close()
})

test('lists go on where the page before ended', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  const sessionIds = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc']
  const contexts: RequestContext[] = []
  for (const id of sessionIds) {
    contexts.push(await world.call('select 1', { headers: { 'x-posthog-session-id': id }, method: 'GET', status: 200 }))
    // Sessions are told apart by their starts, to the millisecond.
    await expect.poll(() => Date.now()).toBeGreaterThan(contexts.at(-1)?.startedAt.getTime() ?? 0)
  }
  await world.call('select 1', { user: null, status: 404 })
  await world.thread.flush()
  const newest = [...contexts].reverse().map(({ id }) => id)

  const first = (await world.get('/requests?limit=2&status=2xx')).body as { next: string; requests: { id: string }[] }
  expect(first.requests.map(({ id }) => id)).toEqual(newest.slice(0, 2))
  const second = await world.get(`/requests?limit=2&status=200&method=get&service=rest&before=${first.next}`)
  expect(second.body).toMatchObject({ requests: [{ id: newest[2] }], next: null })
  expect((await world.get(`/requests?session=bbbbbbbb`)).body).toMatchObject({ requests: [{ sessionId: 'bbbbbbbb' }] })
  expect((await world.get('/requests?status=404')).body).toMatchObject({
    requests: [{ person: null, sessionId: null }],
  })

  const seen: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const { body } = await world.get(`/sessions?limit=1${next === '' ? '' : `&before=${next}`}`)
    const page = body as { next: string | null; sessions: { id: string }[] }
    seen.push(...page.sessions.map(({ id }) => id))
    next = page.next
  }
  expect(seen).toEqual([...sessionIds].reverse())
  await world.thread.close()
})

test('missing records are answered as not found', async ({ db, clickhouse }) => {
  const { get, thread } = await openWorld(db, clickhouse)
  const answers = {
    '/sessions/nope': [404, 'CLEW_THREAD_SESSION_NOT_FOUND'],
    '/sessions/nope/recording': [404, 'CLEW_THREAD_RECORDING_NOT_FOUND'],
    '/sessions/nope/picture': [404, 'CLEW_THREAD_RECORDING_NOT_FOUND'],
    [`/requests/${ana}`]: [404, 'CLEW_THREAD_REQUEST_NOT_FOUND'],
    '/data/public/stock/history?key=7x': [400, 'CLEW_THREAD_BAD_KEY'],
    '/data/public/stock/history?key=%7B%7D': [400, 'CLEW_THREAD_BAD_KEY'],
    '/requests?status=banana': [400, 'FST_ERR_VALIDATION'],
  }
  for (const [path, [status, code]] of Object.entries(answers)) {
    const answer = await get(path)
    expect([path, answer.status, answer.body]).toEqual([path, status, expect.objectContaining({ code })])
  }
  await thread.close()
})
