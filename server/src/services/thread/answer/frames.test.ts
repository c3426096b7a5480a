import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { ana, anaSession, openWorld, session, tagged } from '../../../../test/thread-world.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import type { FrameRecord } from '../../../ground/model/frame.ts'
import type { SessionDetail } from '../schemas/session.ts'

const ben = '0199a1b2-0000-4000-8000-0000000000bb'
const benSession = '0199a1b2-0000-7000-8000-000000000002'
const benTag = { 'x-posthog-session-id': benSession, 'x-posthog-distinct-id': 'browser-2' }

const frame = (given: Partial<FrameRecord>): FrameRecord => ({
  id: uuidv7(),
  at: new Date(),
  direction: 'received',
  kind: 'broadcast',
  topic: 'counter',
  event: 'ready',
  bytes: 80,
  connectionId: uuidv7(),
  tag: { sessionId: session, windowId: null, distinctId: 'browser-1', channel: 'cookie', exact: true },
  userId: ana,
  authSessionId: anaSession,
  cause: null,
  skipped: 0,
  ...given,
})

test('a row change that a socket received leads to the request that changed it, and back', async ({
  db,
  clickhouse,
}) => {
  const { thread, get, call } = await openWorld(db, clickhouse)
  await db.load('create table orders (id int primary key, status text)')
  const context = await call(`insert into orders values (1, 'ready')`, { headers: benTag, user: ben })
  await call('select 1', { headers: tagged, method: 'GET', status: 200 })
  const cause = { id: context.id, at: context.startedAt }
  const at = new Date(context.startedAt.getTime() + 7)
  thread.frameSeen(frame({ kind: 'change', event: 'insert public.orders', at, cause, skipped: 3 }))
  const moment = async () => {
    const { moments } = (await get(`/sessions/${session}`)).body as SessionDetail
    return moments.find(({ kind }) => kind === 'frame') ?? null
  }
  await expect.poll(moment).toMatchObject({
    label: 'insert public.orders',
    at: at.toISOString(),
    frame: {
      direction: 'received',
      kind: 'change',
      topic: 'counter',
      bytes: 80,
      delayMs: 7,
      skipped: 3,
      link: { channel: 'cookie', exact: true, foreign: false },
      cause: { kind: 'session', requestId: context.id, sessionId: benSession, person: { userId: ben } },
    },
  })
  const { moments } = (await get(`/sessions/${benSession}`)).body as SessionDetail
  expect(moments.flatMap(({ requests }) => requests)).toMatchObject([
    { id: context.id, reached: [{ sessionId: session, delayMs: 7, kind: 'change', person: { userId: ana } }] },
  ])
  await thread.close()
})

test('a broadcast leads to the message of another socket that it was, and back', async ({ db, clickhouse }) => {
  const { thread, get, call } = await openWorld(db, clickhouse)
  await call('select 1', { headers: tagged, method: 'GET', status: 200 })
  await call('select 1', { headers: benTag, user: ben, method: 'GET', status: 200 })
  const tag = {
    sessionId: benSession,
    windowId: null,
    distinctId: 'browser-2',
    channel: 'cookie',
    exact: true,
  } as const
  const sent = frame({ direction: 'sent', tag, userId: ben, authSessionId: ben })
  thread.frameSeen(sent)
  thread.frameSeen(frame({ cause: sent }))
  const frames = async (id: string) => {
    const { moments } = (await get(`/sessions/${id}`)).body as SessionDetail
    return moments.flatMap(({ frame: found }) => found ?? [])
  }
  await expect
    .poll(() => frames(session))
    .toMatchObject([{ cause: { kind: 'message', event: 'ready', sessionId: benSession, person: { userId: ben } } }])
  expect(await frames(benSession)).toMatchObject([
    { direction: 'sent', cause: null, reached: [{ sessionId: session, event: 'ready' }] },
  ])
  await thread.close()
})

test('a socket is of the session that its opening named, later of that of its sign-in’s calls', async ({
  db,
  clickhouse,
}) => {
  const { thread, call } = await openWorld(db, clickhouse)
  const opening = await call('select 1', { headers: { cookie: cookieOf(session) }, user: null, method: 'GET' })
  const find = thread.followSocket(opening)
  const inHours = (hours: number): Date => new Date(opening.startedAt.getTime() + hours * 3_600_000)
  expect(find?.(null, inHours(0.4))).toMatchObject({ sessionId: session, channel: 'cookie', exact: true })
  expect(find?.(null, inHours(0.6))).toBeNull()
  expect(find?.(anaSession, inHours(2))).toBeNull()
  await call('select 1', {
    headers: { ...tagged, 'x-posthog-session-id': benSession },
    at: inHours(1.9),
    method: 'GET',
  })
  expect(find?.(anaSession, inHours(2))).toMatchObject({ sessionId: benSession, channel: 'learnt', exact: true })
  const refusing = await call('select 1', { headers: { 'sec-gpc': '1', cookie: cookieOf(session) }, method: 'GET' })
  expect(thread.followSocket(refusing)).toBeNull()
  await thread.close()
})

const cookieOf = (id: string): string => {
  const state = { distinct_id: 'browser-1', $sesid: [Date.now(), id, Date.now()] }
  return `ph_phc_own_posthog=${encodeURIComponent(JSON.stringify(state))}`
}
