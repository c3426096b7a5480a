import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { type SpoolSettings, spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import type { Forget } from '../src/ground/privacy/withdrawal.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import {
  type Analytics,
  analyticsSettings,
  analyticsTables,
  capturePlugin,
  createAnalytics,
  createConsents,
} from '../src/services/analytics/index.ts'
import { authTables } from '../src/services/auth/index.ts'
import { createReplay, replaySettings, replayTables } from '../src/services/replay/index.ts'
import { test as base } from './harness.ts'
import { refusedRowsIn } from './refused-rows.ts'
import { ana, openWorld, type World } from './thread-world.ts'

const token = 'phc_consent'
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Capture, thread and erasures on both engines. */
export const test = base
  .extend('tables', async ({ db, clickhouse }) => {
    await db.migrate('auth', authTables.postgres)
    await db.migrate('analytics', analyticsTables.postgres)
    await clickhouse.migrate('analytics', analyticsTables.clickhouse)
    await clickhouse.migrate('replay', replayTables.clickhouse)
  })
  .extend('open', async ({ db, clickhouse, tables }, { onCleanup }) => {
    expect(tables).toBeUndefined()
    const closing: (() => Promise<unknown>)[] = []
    onCleanup(async () => {
      for (const close of closing.reverse()) await close()
    })
    return async (
      consent: 'required' | 'not_required',
      consentMetadata: string | null = null,
      reasonToWait: (distinctIds: readonly string[]) => Promise<string | null> = async () => null,
      forget: readonly Forget[] = [],
    ): Promise<Opened> => {
      const spoolDir = await mkdtemp(join(tmpdir(), 'clew-consent-'))
      const threads = createThreads()
      const spool: SpoolSettings = { ...readSettings(spoolSettings, []).values, batchMs: 20 }
      let world: World | null = null
      const analytics = await createAnalytics({
        ...{ sql: db.admin, listen: db.listen, clickhouse, threads },
        ...{ spoolDir, spoolSettings: spool, refused: refusedRowsIn(spoolDir) },
        ...{ ingestTokens: [token], isSecretKey: () => false, now: () => new Date(), newId: uuidv7, log: silent },
        recordings: createReplay({ clickhouse, settings: readSettings(replaySettings, []).values }),
        forget: [async (ids, before) => world?.thread.forget(ids, before), ...forget],
        reasonToWait,
        settleMs: 50,
        settings: { ...readSettings(analyticsSettings, []).values, consent, consentMetadata },
      })
      world = await openWorld(db, clickhouse, {
        consent: createConsents(db.admin, consent === 'required'),
        people: {
          ...{ byDistinctId: analytics.personsByDistinctId, byUserId: analytics.personsByUserId },
          idsOf: analytics.people.idsOf,
          ...{ distinctIdsMatching: analytics.distinctIdsMatching, linkUser: analytics.linkUser },
        },
      })
      const app = Fastify()
      await app.register(capturePlugin(analytics), { prefix: '/ingest' })
      analytics.erasures.start()
      const { thread } = world
      closing.push(
        () => rm(spoolDir, { recursive: true, force: true }),
        () => threads.close(),
        () => thread.close(),
        analytics.close,
        () => app.close(),
      )
      const post = async (path: string, body: object): Promise<number> =>
        (await app.inject({ method: 'POST', url: `/ingest${path}`, payload: { api_key: token, ...body } })).statusCode
      return { ...world, analytics, post, app }
    }
  })

export interface Opened extends World {
  readonly analytics: Analytics
  readonly app: FastifyInstance
  post(path: string, body: object): Promise<number>
}

/**
 * What a browser does in a session: an event, what it measured, a recording, and a request of a signed-in user.
 *
 * @param set what it says of its visitor
 * @returns the session
 */
export async function visit(
  { post, app, call }: Opened,
  id: string,
  user: string | null = ana,
  set: object = { name: id },
): Promise<string> {
  const session = uuidv7()
  // How far the page before was seen.
  const before = { $prev_pageview_pathname: '/', $prev_pageview_max_content_percentage: 0.5 }
  const theirs = { distinct_id: id, $session_id: session, $window_id: session }
  const properties = { ...theirs, $set: set, ...before }
  const page = { event: '$pageview', uuid: uuidv7(), properties }
  const $groups = { company: 'acme' }
  const measured = {
    event: '$web_vitals',
    uuid: uuidv7(),
    properties: { ...theirs, $web_vitals_LCP_value: 900, $groups },
  }
  expect(await post('/batch/', { batch: [page, measured] })).toBe(200)
  const data = [{ type: 4, data: { href: 'https://a.test/', width: 1, height: 1 }, timestamp: Date.now() }]
  const message = { event: '$snapshot', properties: { ...properties, token, $snapshot_data: [data[0], data[0]] } }
  const recorded = await app.inject({ method: 'POST', url: '/ingest/s/', payload: [message] })
  expect(recorded.statusCode).toBe(200)
  const headers = { 'x-posthog-session-id': session, 'x-posthog-window-id': session, 'x-posthog-distinct-id': id }
  await call('select 1', { headers, user })
  return session
}
