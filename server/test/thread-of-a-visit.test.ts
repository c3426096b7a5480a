import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect } from 'vitest'
import { spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { schemaCompilers } from '../src/gateway/schema-compilers.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { analyticsSettings, analyticsTables, capturePlugin, createAnalytics } from '../src/services/analytics/index.ts'
import { createReplay, replaySettings, replayTables } from '../src/services/replay/index.ts'
import {
  createChangeStore,
  createThread,
  type Thread,
  threadSettings,
  threadTables,
} from '../src/services/thread/index.ts'
import { personMomentKinds } from '../src/services/thread/schemas/person-line.ts'
import { test } from './harness.ts'
import { refusedRowsIn } from './refused-rows.ts'
import { requestContext } from './request-context.ts'

interface Posted {
  readonly path: string
  readonly contentType: string
  readonly userAgent: string
  readonly receivedAt: number
  readonly body: unknown
}

interface Captured {
  readonly event: string
  readonly timestamp: string
  readonly properties: Readonly<Record<string, string>>
}

const file = new URL('./fixtures/recordings/order-form.json', import.meta.url)
const log = {
  info: () => undefined,
  warn: (details: object, message: string) => console.warn(message, details),
  error: (details: object, message: string) => console.error(message, details),
}

test('what a browser posted and what its click wrote are one thread', async ({ db, clickhouse, onTestFinished }) => {
  const posted = JSON.parse(await readFile(file, 'utf8')) as readonly Posted[]
  // The browser's clock is behind ours by as long as the recording is old.
  const behindMs = Date.now() - (posted.at(-1)?.receivedAt ?? 0) - 5000
  let aheadMs = 0
  /** Our clock, set for each message to when it arrived. */
  const now = (): Date => new Date(Date.now() + aheadMs)
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-spool-'))
  await db.migrate('analytics', analyticsTables.postgres)
  await db.migrate('thread', threadTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  await clickhouse.migrate('replay', replayTables.clickhouse)
  await clickhouse.migrate('thread', threadTables.clickhouse)
  const threads = createThreads()
  onTestFinished(() => threads.close())
  const replay = createReplay({ clickhouse, settings: readSettings(replaySettings, []).values })
  const token = posted.flatMap(({ body }) => (body as { api_key?: string }).api_key ?? [])[0] ?? ''
  const analytics = await createAnalytics({
    sql: db.admin,
    clickhouse,
    spoolDir,
    refused: refusedRowsIn(spoolDir),
    spoolSettings: { ...readSettings(spoolSettings, []).values, batchMs: 20 },
    ingestTokens: [token],
    isSecretKey: () => false,
    recordings: replay,
    threads,
    now,
    newId: () => uuidv7(),
    settings: readSettings(analyticsSettings, []).values,
    log,
  })
  const users = new Map([[ana, { email: 'ana@example.test', name: 'Ana' }]])
  const thread = await createThread({
    sql: db.admin,
    clickhouse,
    spoolDir,
    spoolSettings: readSettings(spoolSettings, []).values,
    refused: refusedRowsIn(spoolDir),
    now,
    newId: uuidv7,
    settings: readSettings(threadSettings, []).values,
    log,
    recordings: replay,
    events: { ...analytics.events, ofPerson: analytics.eventPages.ofIds },
    errors: { ofPerson: async () => [], ofSession: async () => new Map() },
    mails: { to: async () => [] },
    people: {
      byDistinctId: analytics.personsByDistinctId,
      byUserId: analytics.personsByUserId,
      idsOf: analytics.people.idsOf,
      distinctIdsMatching: analytics.distinctIdsMatching,
      linkUser: ({ distinctId, userId, at }) =>
        analytics.linkUser({
          distinctId,
          userId,
          at,
          profile: async () => ({ email: users.get(userId)?.email ?? null }),
        }),
    },
    changes: { gaps: db.changes.gaps, notRecorded: () => null },
    operators: { actionsOf: async () => new Map() },
    sends: { of: async () => [] },
    users: { byId: async () => users, idsMatching: async () => [ana] },
    ingestTokens: [token],
  })
  const changes = createChangeStore({
    refused: refusedRowsIn(spoolDir),
    clickhouse,
    settings: readSettings(threadSettings, []).values,
    log: (line) => console.warn(line),
  })
  db.changes.subscribe(changes.rowsChanged, { ahead: true })
  const app = Fastify({ schemaController: schemaCompilers })
  await app.register(capturePlugin(analytics))
  onTestFinished(async () => {
    await app.close()
    await thread.close()
    await changes.close()
    await analytics.close()
    await rm(spoolDir, { recursive: true, force: true })
  })
  await expect.poll(() => db.changes.health().state).toBe('up')

  for (const { path, contentType, userAgent, receivedAt, body } of posted) {
    aheadMs = receivedAt + behindMs - Date.now()
    const headers = { 'content-type': contentType, 'user-agent': userAgent }
    const { statusCode } = await app.inject({
      method: 'POST',
      url: withoutCompression(path),
      headers,
      body: JSON.stringify(body),
    })
    expect([path, statusCode]).toEqual([path, 200])
  }

  const events = posted.flatMap(({ body }) => (body as { batch?: readonly Captured[] }).batch ?? [])
  const click = events.find(({ properties }) => properties.$el_text === 'Place order')
  const { $session_id = '', $window_id = '', distinct_id = '' } = click?.properties ?? {}
  const startedAt = new Date(Date.parse(click?.timestamp ?? '') + behindMs + 4)
  const headers = {
    'user-agent': posted[0]?.userAgent ?? '',
    'x-posthog-session-id': $session_id,
    'x-posthog-window-id': $window_id,
    'x-posthog-distinct-id': distinct_id,
  }
  const context = requestContext({
    id: uuidv7(startedAt.getTime()),
    startedAt,
    method: 'POST',
    path: '/rest/v1/orders',
    headers,
    tag: thread.tagRequest(headers, 'auth-session', startedAt, '127.0.0.1'),
    identity: {
      kind: 'caller',
      token: null,
      caller: { role: 'authenticated', claims: {}, claimsJson: '{}', userId: ana, authSessionId: 'auth-session' },
    },
  })
  await db.load('create table orders (id int primary key, item text)')
  await db.session.run({
    role: 'service_role',
    settings: [],
    statement: { text: 'insert into orders values ($1, $2)', values: ['1', 'Flat white'] },
    readOnly: false,
    attribute: true,
    end: 'commit',
    context,
  })
  thread.requestEnded({ context, service: 'rest', durationMs: 18, status: 201, requestBytes: 9, responseBytes: 0 })

  const story = async (): Promise<readonly string[]> => {
    await thread.flush()
    const session = await thread.session($session_id).catch(() => null)
    return (session?.moments ?? []).flatMap(({ kind, label, requests }) => [
      `${kind} ${label}`,
      ...requests.flatMap(({ method, path, statements, changes }) => [
        `  ${method} ${path}`,
        ...statements.map(({ text, parameterTypes }) => `    ${text} (${parameterTypes.join()})`),
        ...changes.map(({ operation, table, new: row }) => `    ${operation} ${table} ${row?.item}`),
      ]),
    ])
  }
  await expect
    .poll(story)
    .toEqual([
      'page /',
      'click name',
      'input Name',
      'click password',
      'input Password',
      'click Place order',
      '  POST /rest/v1/orders',
      '    insert into orders values ($1, $2) (integer,text)',
      '    insert orders Flat white',
      'console order placed {"id":1}',
      'console Could not print the receipt',
      'page /orders/1',
      'page /orders/1',
      'click Order a coffee',
    ])

  const { session, moments, clock, windows } = await thread.session($session_id)
  expect(Math.abs(clock.offsetMs - behindMs)).toBeLessThan(100)
  expect(windows.map(({ id }) => id)).toEqual([$window_id])
  const clicked = moments.find(({ label }) => label === 'Place order')
  expect((clicked?.requests[0]?.atMs ?? 0) - (clicked?.atMs ?? 0)).toBeLessThan(100)
  expect(session).toMatchObject({ hasRecording: true, requests: 1, changes: 1, clicks: 4, entryPath: '/' })
  await expect
    .poll(async () => (await thread.sessions({ limit: 10, q: 'ana@' })).sessions)
    .toMatchObject([{ id: $session_id, person: { email: 'ana@example.test', userId: ana, distinctId: distinct_id } }])
  const { entries } = await thread.history({ schema: 'public', table: 'orders', key: '{"id":1}', limit: 10 })
  expect(entries[0]).toMatchObject({
    change: { operation: 'insert', new: { item: 'Flat white' } },
    cause: {
      kind: 'session',
      sessionId: $session_id,
      hasRecording: true,
      exact: true,
      atMs: clicked?.requests[0]?.atMs,
    },
  })

  await expectLine(thread, (await analytics.personsByUserId([ana])).get(ana)?.personId ?? '')

  // A stranger's call with the id of this session, by a token of their own.
  const stolen = {
    'x-posthog-session-id': $session_id,
    'x-posthog-window-id': $window_id,
    'x-posthog-distinct-id': 'd-eve',
  }
  thread.requestEnded({
    context: requestContext({
      id: uuidv7(startedAt.getTime() + 20),
      startedAt: new Date(startedAt.getTime() + 20),
      headers: stolen,
      tag: thread.tagRequest(stolen, 'session-of-eve', startedAt, '127.0.0.1'),
      identity: {
        kind: 'caller',
        token: null,
        caller: { role: 'authenticated', claims: {}, claimsJson: '{}', userId: eve, authSessionId: 'session-of-eve' },
      },
    }),
    service: 'rest',
    durationMs: 1,
    status: 200,
    requestBytes: 0,
    responseBytes: 0,
  })
  await thread.flush()
  const { session: after, moments: momentsAfter } = await thread.session($session_id)
  expect({ ...after, quietMs: 0 }).toEqual({ ...session, quietMs: 0 })
  expect(after.people).toMatchObject([
    { person: { userId: ana, personId: expect.any(String) }, fromMs: 0, exact: true },
  ])
  expect(momentsAfter.filter(({ requests }) => requests.some(({ link }) => link.foreign))).toMatchObject([
    { kind: 'request', requests: [{ link: { exact: false } }] },
  ])
  expect(await thread.overview()).toMatchObject({
    firsts: { requestAt: expect.any(String), eventAt: expect.any(String), recordingAt: expect.any(String) },
  })
})

const ana = '0199a1b2-0000-4000-8000-0000000000aa'
const eve = '0199a1b2-0000-4000-8000-0000000000ee'

/** The fixture's bodies are unpacked already. */
const withoutCompression = (path: string): string => path.replace(/[?&]compression=[^&]*/, (part) => part.slice(0, 1))

/** The line of the person's time, read in small pages, has it all once. */
async function expectLine(thread: Thread, personId: string): Promise<void> {
  const line: string[] = []
  let before: string | null = null
  do {
    const page = await thread.personLine({ personId, kinds: [...personMomentKinds], before, limit: 3 })
    line.push(
      ...page.moments.map(({ kind, event, request, change }) =>
        [kind, event?.label ?? event?.event, change?.table ?? request?.path].filter(Boolean).join(' '),
      ),
    )
    before = page.next
  } while (before !== null)
  expect(new Set(line).size).toBeGreaterThan(5)
  for (const once of ['request /rest/v1/orders', 'change orders', 'event Place order', 'session'])
    expect([once, line.filter((each) => each === once)]).toEqual([once, [once]])
  await expect(thread.personLine({ personId: ana, kinds: ['event'], before: null, limit: 3 })).rejects.toMatchObject({
    code: 'CLEW_THREAD_NO_PERSON',
  })
}
