import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect } from 'vitest'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { spoolSettings } from '../src/engines/spool/index.ts'
import { schemaCompilers } from '../src/gateway/schema-compilers.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import type { Identity } from '../src/ground/model/caller.ts'
import type { Exchange, RequestContext } from '../src/ground/model/request.ts'
import { noMasks } from '../src/ground/privacy/masks.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import {
  type ChangeStore,
  createChangeStore,
  createThread,
  type PeoplePort,
  type Thread,
  type ThreadDeps,
  threadConsole,
  threadSettings,
  threadTables,
} from '../src/services/thread/index.ts'
import type { TestDatabase } from './harness.ts'
import { recordedActions } from './operator-actions.ts'
import { refusedRowsIn } from './refused-rows.ts'

/** A user of the application, signed in by `anaSession`. */
export const ana = '0199a1b2-0000-4000-8000-0000000000aa'
export const anaSession = '0199a1b2-0000-4000-8000-0000000000ab'
/** A recorded session, of the tab `window`. */
export const session = '0199a1b2-0000-7000-8000-000000000001'
export const window = '0199a1b2-0000-7000-8000-00000000000a'
/** What posthog-js adds to a call in that tab. */
export const tagged = {
  'x-posthog-session-id': session,
  'x-posthog-window-id': window,
  'x-posthog-distinct-id': 'browser-1',
}

type Role = 'owner' | 'analyst' | 'viewer'
type Linked = Parameters<PeoplePort['linkUser']>[0]

/** The thread on real engines, with the calls that a browser would make. */
export interface World {
  readonly thread: Thread
  readonly changes: ChangeStore
  readonly linked: Linked[]
  /** Asks the console's API, as an owner where no role is named. */
  get(path: string, role?: Role): Promise<{ readonly status: number; readonly body: unknown; readonly text: string }>
  /** A request of the data API: runs the statement for the caller, ends, and is recorded. */
  call(statement: string, options?: CallOptions): Promise<RequestContext>
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly user?: string | null
  /** By default the user's only one. */
  readonly authSession?: string
  readonly path?: string
  readonly query?: string
  readonly at?: Date
  readonly method?: string
  readonly status?: number
  /** What the gateway copied. */
  readonly exchange?: Exchange
  /** The code that the service refused with. */
  readonly errorCode?: string
}

/** Analytics without events. */
export const noEvents: ThreadDeps['events'] = {
  ofSession: async () => [],
  offsetMs: async () => null,
  starts: async () => [],
  ofPerson: async () => [],
  sessionStarts: async () => [],
  summaries: async () => [],
  signs: async () => [],
  sessionsWithFlag: async () => [],
  sessionsByUrl: async () => [],
  sessionsByDistinctId: async () => [],
  sessionIdsSince: async () => [],
  distinctIdsSince: async () => [],
  visitorHours: async () => [],
  firstAt: async () => null,
}

/** The thread on real engines; what other rooms know is given as plain values. */
export async function openWorld(
  db: TestDatabase,
  clickhouse: ClickHouse,
  given: Partial<ThreadDeps> = {},
): Promise<World> {
  await db.migrate('thread', threadTables.postgres)
  await clickhouse.migrate('thread', threadTables.clickhouse)
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-thread-'))
  const refused = given.refused ?? refusedRowsIn(spoolDir)
  const linked: Linked[] = []
  const settings = readSettings(threadSettings, []).values
  const { masks = noMasks } = given
  const changes = createChangeStore({ clickhouse, settings, refused, masks, log: (line) => console.warn(line) })
  const thread = await createThread({
    sql: db.admin,
    clickhouse,
    spoolDir,
    spoolSettings: readSettings(spoolSettings, []).values,
    refused,
    now: () => new Date(),
    newId: uuidv7,
    settings,
    log: {
      warn: (details, message) => console.warn(message, details),
      error: (details, message) => console.error(message, details),
    },
    recordings: {
      starts: async () => [],
      sessionSummaries: async () => [],
      signs: async () => [],
      messages: async function* () {},
      fileLines: async function* () {},
      outline: async () => null,
      picture: async () => null,
      offsets: async () => null,
      sessionIdsSince: async () => [],
      distinctIdsSince: async () => [],
      firstAt: async () => null,
    },
    events: noEvents,
    people: {
      byDistinctId: async () => new Map(),
      byUserId: async () => new Map(),
      idsOf: async () => null,
      distinctIdsMatching: async () => [],
      linkUser: async (link) => linked.push(link),
    },
    errors: { ofPerson: async () => [], ofSession: async () => new Map() },
    mails: { to: async () => [] },
    changes: { gaps: db.changes.gaps, notRecorded: () => null },
    operators: { actionsOf: async () => new Map() },
    sends: { of: async () => [] },
    users: {
      byId: async (ids) => new Map(ids.map((id) => [id, { email: `${id}@example.test`, name: null }])),
      idsMatching: async (text) => (`${ana}@example.test`.includes(text) ? [ana] : []),
    },
    ingestTokens: ['phc_own'],
    ...given,
  })
  const leave = db.changes.subscribe(changes.rowsChanged, { ahead: true })
  await expect.poll(() => db.changes.health().state).toBe('up')
  const apps = new Map<Role, ReturnType<typeof Fastify>>()
  for (const role of ['owner', 'analyst', 'viewer'] as const) {
    const app = Fastify({ schemaController: schemaCompilers })
    await app.register(threadConsole(thread, recordedActions(role).actions))
    apps.set(role, app)
  }

  const get: World['get'] = async (path, role = 'owner') => {
    const app = apps.get(role) ?? Fastify()
    const { statusCode, payload, headers } = await app.inject(path)
    const isJson = String(headers['content-type']).startsWith('application/json')
    return { status: statusCode, body: isJson ? JSON.parse(payload) : null, text: payload }
  }
  const call: World['call'] = async (statement, options = {}) => {
    const { headers = {}, user = ana, query = '', method = 'POST', status = 201, path = '/rest/v1/orders' } = options
    const startedAt = options.at ?? new Date()
    const authSessionId = user === null ? null : (options.authSession ?? (user === ana ? anaSession : user))
    const context: RequestContext = {
      id: uuidv7(startedAt.getTime()),
      startedAt,
      method,
      path,
      query,
      headers,
      remoteAddress: '127.0.0.1',
      identity: callerOf(user, authSessionId),
      tag: thread.tagRequest(headers, authSessionId, startedAt, '127.0.0.1'),
      signal: new AbortController().signal,
      causeId: null,
      statements: [],
      errorCode: options.errorCode ?? null,
      rows: null,
    }
    await db.session.run({
      role: 'service_role',
      settings: [],
      statement: { text: statement, values: [] },
      readOnly: method === 'GET',
      attribute: true,
      end: 'commit',
      context,
    })
    const service = path.split('/')[1] ?? ''
    const record = { context, service, durationMs: 12.5, status, requestBytes: 10, responseBytes: 20 }
    const { exchange = null } = options
    thread.requestEnded({ ...record, exchange })
    return context
  }
  const close = async (): Promise<void> => {
    leave()
    await thread.close()
    await changes.close()
    await rm(spoolDir, { recursive: true, force: true })
  }
  return { thread: { ...thread, close }, changes, linked, get, call }
}

const callerOf = (userId: string | null, authSessionId: string | null): Identity => ({
  kind: 'caller',
  token: null,
  caller: { role: userId === null ? 'anon' : 'authenticated', claims: {}, claimsJson: '{}', userId, authSessionId },
})
