import { expect } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { ana, noEvents, openWorld, session, tagged, type World } from '../../../../../test/thread-world.ts'
import type { HistoryEntry } from '../../schemas/history.ts'
import type { SessionSummary } from '../../schemas/session.ts'

const ben = '0199a1b2-0000-4000-8000-0000000000ba'
const eve = '0199a1b2-0000-4000-8000-0000000000ee'
const waiting = { timeout: 30_000 }

const users = {
  byId: async (ids: readonly string[]) => new Map(ids.map((id) => [id, { email: `${id}@example.test`, name: null }])),
  idsMatching: async (text: string) => [ana, ben, eve].filter((id) => `${id}@example.test`.includes(text)),
}

async function historyOf(world: World, id: number): Promise<HistoryEntry[]> {
  const { body } = await world.get(`/data/public/orders/history?key=${encodeURIComponent(JSON.stringify({ id }))}`)
  return (body as { entries: HistoryEntry[] }).entries
}

/** But for how long ago it was. */
async function sessionsOf(world: World, q: string): Promise<Omit<SessionSummary, 'quietMs'>[]> {
  const { body } = await world.get(`/sessions?q=${q}`)
  return (body as { sessions: SessionSummary[] }).sessions.map(({ quietMs: _, ...session }) => session)
}

test('two people at one browser: each change, each call and each part of the session is of its own', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse, { users })
  await db.load('create table orders (id int primary key, item text)')
  const beganAt = Date.now() - 60_000
  const at = (seconds: number): Date => new Date(beganAt + seconds * 1000)
  const call = (seconds: number, user: string | null, statement = 'select 1', path?: string) =>
    world.call(statement, { headers: tagged, user, at: at(seconds), ...(path === undefined ? {} : { path }) })
  await call(0, null)
  await call(5, ana, `insert into orders values (1, 'Espresso')`)
  await call(20, ana, 'select 1', '/auth/v1/logout')
  await call(25, null, `insert into orders values (2, 'Water')`)
  await call(30, null, 'select 1', '/auth/v1/token')
  await call(31, ben, `insert into orders values (3, 'Mocha')`)
  await call(50, ben)
  await world.thread.flush()
  await expect.poll(async () => (await sessionsOf(world, session))[0]?.changes, waiting).toBe(3)

  for (const [id, userId] of [
    [1, ana],
    [2, undefined],
    [3, ben],
  ] as const) {
    const [entry] = await historyOf(world, id)
    expect(entry?.cause).toMatchObject({ kind: 'session', sessionId: session, exact: true })
    expect(entry?.cause.kind === 'session' && entry.cause.person?.userId).toBe(userId)
  }
  const parts = [
    { fromMs: 0, toMs: 20_000, person: { userId: ana, email: `${ana}@example.test` }, exact: true },
    { fromMs: 20_000, toMs: 31_000, person: null },
    { fromMs: 31_000, toMs: 50_000, person: { userId: ben, email: `${ben}@example.test` }, exact: true },
  ]
  for (const q of [ana, ben, `${ana}@`, `${ben}@`]) {
    expect(await sessionsOf(world, q)).toMatchObject([{ id: session, people: parts }])
  }
  await world.thread.close()

  // What only read is forgotten after a week; who was there is not.
  await clickhouse.command({ text: 'truncate table requests', parameters: {} })
  const again = await openWorld(db, clickhouse, {
    users,
    events: {
      ...noEvents,
      starts: async () => [{ sessionId: session, startedAt: at(0), endedAt: at(1), errors: 0 }],
      summaries: async () => [summary(at(0), at(50))],
      signs: async () => [{ ...browser, from: at(0), to: at(50) }],
    },
  })
  expect(await sessionsOf(again, session)).toMatchObject([{ people: parts }])
  await again.thread.close()
})

test('a user who is deleted while signed in was there until then', async ({ db, clickhouse }) => {
  await db.admin.query({ text: 'insert into auth.users (id) values ($1)', values: [ana] })
  const world = await openWorld(db, clickhouse, { users })
  const beganAt = Date.now() - 60_000
  const call = (seconds: number, user: string | null) =>
    world.call('select 1', { headers: tagged, user, at: new Date(beganAt + seconds * 1000) })
  await call(0, ana)
  await call(10, ana)
  await db.admin.query({ text: 'delete from auth.users where id = $1', values: [ana] })
  await call(120, null)
  await world.thread.flush()
  const people = async () => (await sessionsOf(world, session))[0]?.people
  await expect.poll(people, waiting).toHaveLength(2)
  const [until, after] = (await people()) ?? []
  expect(until).toMatchObject({ fromMs: 0, person: { userId: ana } })
  expect(after).toMatchObject({ fromMs: until?.toMs, toMs: 120_000, person: null })
  // The deletion was about a minute after the beginning.
  expect(until?.toMs).toBeGreaterThanOrEqual(60_000)
  expect(until?.toMs).toBeLessThan(110_000)
  await world.thread.close()
})

test('a service worker of two tabs: each of its calls is of its token’s user, in the session of its cookie', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse, { users })
  await db.load('create table orders (id int primary key, item text)')
  const beganAt = Date.now() - 60_000
  const benTab = { ...tagged, 'x-posthog-window-id': '0199a1b2-0000-7000-8000-00000000000b' }
  // It has no tab, so posthog-js adds nothing: the browser sends its cookie.
  const state = JSON.stringify({ distinct_id: 'browser-1', $sesid: [beganAt + 10_000, session, beganAt] })
  const worker = { cookie: `ph_phc_own_posthog=${encodeURIComponent(state)}` }
  const call = (seconds: number, user: string, headers: Readonly<Record<string, string>>, statement = 'select 1') =>
    world.call(statement, { headers, user, at: new Date(beganAt + seconds * 1000) })
  await call(0, ana, tagged)
  await call(1, ben, benTab)
  const calls = [
    await call(10, ana, worker, `insert into orders values (1, 'Espresso')`),
    await call(11, ben, worker, `insert into orders values (2, 'Mocha')`),
    await call(12, ana, worker, `insert into orders values (3, 'Water')`),
  ]
  await world.thread.flush()
  await expect.poll(async () => (await historyOf(world, 3)).length, waiting).toBe(1)
  for (const [index, userId] of [ana, ben, ana].entries()) {
    const [entry] = await historyOf(world, index + 1)
    expect(entry?.cause).toMatchObject({ requestId: calls[index]?.id, person: { userId } })
    expect((await world.get(`/requests/${calls[index]?.id}`)).body).toMatchObject({ request: { person: { userId } } })
  }
  const [found] = await sessionsOf(world, session)
  expect(new Set(found?.people.map(({ person }) => person?.userId))).toEqual(new Set([ana, ben]))
  await world.thread.close()
})

test('impersonation: what is done with another user’s token is that user’s; the session stays its own person’s', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse, { users })
  await db.load('create table orders (id int primary key, item text)')
  const beganAt = Date.now() - 60_000
  const call = (seconds: number, user: string, id: number) =>
    world.call(`insert into orders values (${id}, 'Espresso')`, {
      headers: tagged,
      user,
      at: new Date(beganAt + seconds * 1000),
    })
  await call(0, ana, 1)
  const borrowed = await call(10, ben, 2)
  await call(20, ana, 3)
  await world.thread.flush()
  await expect.poll(async () => (await historyOf(world, 3)).length, waiting).toBe(1)
  for (const [id, userId] of [
    [1, ana],
    [2, ben],
    [3, ana],
  ] as const)
    expect((await historyOf(world, id))[0]?.cause).toMatchObject({ person: { userId } })
  const [found] = await sessionsOf(world, session)
  expect(found?.people.map(({ person }) => person?.userId)).toEqual([ana])
  expect((await world.get(`/requests/${borrowed.id}`)).body).toMatchObject({
    request: { person: { userId: ben } },
    session: { id: session, link: { exact: false, foreign: true } },
  })
  await world.thread.close()
})

test('a call with the id of another session is shown as such, and changes nothing of it', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse, { users })
  await db.load('create table orders (id int primary key, item text)')
  await world.call(`insert into orders values (1, 'Espresso')`, { headers: tagged })
  await world.thread.flush()
  await expect.poll(async () => (await sessionsOf(world, session))[0]?.changes, waiting).toBe(1)
  const before = await sessionsOf(world, session)
  const [entryBefore] = await historyOf(world, 1)

  const forged = await world.call(`insert into orders values (2, 'Poison')`, {
    headers: { ...tagged, 'x-posthog-distinct-id': 'browser-of-eve' },
    user: eve,
    path: '/rest/v1/forged',
    at: new Date(Date.now() + 5000),
    status: 500,
  })
  await world.thread.flush()
  await expect.poll(async () => (await historyOf(world, 2))[0]?.cause, waiting).toMatchObject({ requestId: forged.id })
  expect((await historyOf(world, 2))[0]?.cause).toMatchObject({
    kind: 'request',
    person: { userId: eve },
    foreign: true,
    why: expect.stringContaining('another browser'),
  })
  expect((await world.get(`/requests/${forged.id}`)).body).toMatchObject({
    request: { person: { userId: eve } },
    session: { id: session, link: { exact: false, foreign: true } },
  })
  expect(await sessionsOf(world, session)).toEqual(before)
  expect((await historyOf(world, 1))[0]).toEqual(entryBefore)
  for (const q of [eve, `${eve}@`, 'browser-of-eve', 'forged', forged.id])
    expect(await sessionsOf(world, q)).toEqual([])
  await world.thread.close()
})

test('after a sign-out the browser belongs to no user, in its next session too', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse, {
    users,
    people: {
      ...noPeople,
      byDistinctId: async (ids) => new Map(ids.map((id) => [id, { ...person, userId: ana }])),
    },
  })
  const later = { ...tagged, 'x-posthog-session-id': '0199a1b2-0000-7000-8000-000000000002' }
  await world.call('select 1', { headers: tagged })
  await world.call('select 1', { headers: tagged, path: '/auth/v1/logout', query: 'scope=global' })
  const context = await world.call('select 1', { headers: later, user: null })
  const lone = await world.call('select 1', { headers: { 'x-posthog-distinct-id': 'browser-1' }, user: null })
  await world.thread.flush()
  for (const { id } of [context, lone])
    await expect
      .poll(async () => (await world.get(`/requests/${id}`)).body, waiting)
      .toMatchObject({ request: { person: null } })
  expect(await sessionsOf(world, later['x-posthog-session-id'])).toMatchObject([
    { person: { userId: null, email: null, name: null }, people: [{ person: null }] },
  ])
  await world.thread.close()
})

test('a browser that opted out is tied to no session; its token’s user is known all the same', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse, { users })
  const context = await world.call('select 1', { headers: { ...tagged, 'sec-gpc': '1' } })
  await world.thread.flush()
  await expect
    .poll(async () => (await world.get(`/requests/${context.id}`)).body, waiting)
    .toMatchObject({ request: { sessionId: null, person: { userId: ana, distinctId: '' } }, session: null })
  expect(world.linked).toEqual([])
  await world.thread.close()
})

test('a server’s call links no browser with a user', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse, { users })
  await world.call('select 1', { headers: { ...tagged, 'user-agent': 'node' } })
  await world.thread.flush()
  expect(world.linked).toEqual([])
  await world.thread.close()
})

const person = { personId: '0199a1b2-0000-7000-8000-00000000000d', userId: null, email: null, name: 'Ana' }
const noPeople = {
  byDistinctId: async () => new Map(),
  byUserId: async () => new Map(),
  idsOf: async () => null,
  distinctIdsMatching: async () => [],
  linkUser: async () => undefined,
}
const browser = {
  sessionId: session,
  windowId: tagged['x-posthog-window-id'],
  distinctId: 'browser-1',
  userAgent: null,
}
const summary = (startedAt: Date, endedAt: Date) => ({
  sessionId: session,
  distinctId: 'browser-1',
  startedAt,
  endedAt,
  lastReceivedAt: endedAt,
  events: 1,
  pageviews: 1,
  autocaptureClicks: 0,
  exceptions: 0,
  exceptionLines: [],
  firstUrl: null,
  browser: null,
  os: null,
  device: null,
  countryCode: null,
  city: null,
  signs: [{ ...browser, from: startedAt, to: endedAt }],
})
