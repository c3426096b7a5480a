import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { createCallerFinder } from '../src/gateway/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { type ApiKeys, localApiKeys } from '../src/ground/jwt/api-keys.ts'
import { createEs256Key, createKeySet, type KeySet } from '../src/ground/jwt/keys.ts'
import { createTokenVerifier } from '../src/ground/jwt/verify.ts'
import type { RequestContext } from '../src/ground/model/request.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import {
  type AuthDeps,
  type AuthSettings,
  authPlugin,
  authSettings,
  authTables,
  createAuth,
  type Sms,
  settleAuthSettings,
} from '../src/services/auth/index.ts'
import { createInbox, type Inbox, inboxPlugin, inboxTables } from '../src/services/inbox/index.ts'
import type { TestDatabase } from './harness.ts'

/** The service behind a port, as a gateway would mount it, with a clock of the test's. */
export interface TestAuth {
  readonly app: FastifyInstance
  readonly auth: ReturnType<typeof createAuth>
  readonly inbox: Inbox
  readonly keys: KeySet
  readonly apiKeys: ApiKeys
  /** Text messages that went out, newest last. */
  readonly messages: readonly Sms[]
  /** What every request did, newest last. */
  readonly contexts: readonly RequestContext[]
  /** Moves the clock on. */
  readonly pass: (seconds: number) => void
  /** A call without a client library, by one browser that keeps its cookies; `headers.cookie` is another browser's. */
  readonly call: (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: CallOptions,
  ) => Promise<Answer>
  /** The code in the newest mail to an address. */
  readonly codeFor: (address: string) => Promise<string>
  /** The link in the newest mail to an address, as a path of `app`. */
  readonly linkFor: (address: string) => Promise<string>
}

export interface CallOptions {
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  readonly body: any
}

/** bcrypt's least: a hash takes 1 ms of a core in place of 50. Tests of how long an answer takes name the product's own. */
const testHashCost = 4

/** Starts the service on a test's database. */
export async function startAuth(
  db: Pick<TestDatabase, 'migrate' | 'aside' | 'auth'>,
  settings: Partial<AuthSettings> = {},
  deps: Partial<AuthDeps> = {},
): Promise<TestAuth> {
  await db.migrate('auth', authTables.postgres)
  await db.migrate('mail', inboxTables.postgres)
  let offsetMs = 0
  const now = () => new Date(Date.now() + offsetMs)
  const newId = () => uuidv7()
  const apiKeys = localApiKeys()
  const keys = createKeySet({ signingKeys: [createEs256Key()], secret: apiKeys.jwtSecret })
  // As the product does: a mail written within a transaction must not wait for a connection that others hold.
  const inbox = createInbox({ sql: db.aside, now, newId })
  const values = { ...settleAuthSettings(readSettings(authSettings, []).values, false), ...settings }
  const messages: Sms[] = []
  const sendSms = async (sms: Sms) => ({ messageId: `message-${messages.push(sms)}` })
  const codeKey = randomBytes(32)
  const auth = createAuth({
    sql: db.auth,
    mail: inbox,
    sendSms,
    keys,
    codeKeys: () => [codeKey],
    now,
    newId,
    settings: values,
    passwordHashCost: testHashCost,
    ...deps,
  })
  const findCaller = createCallerFinder({
    verify: createTokenVerifier({ keys, now, cacheSize: 100, clockSkewSeconds: 30 }),
    apiKeys,
    keyRequired: false,
  })
  const contexts: RequestContext[] = []

  const app = Fastify()
  app.decorateRequest('requestContext', null)
  app.addHook('onRequest', async (request) => {
    const { apikey, authorization = null } = request.headers
    const identity = findCaller({ apikey: typeof apikey === 'string' ? apikey : null, authorization })
    const [path = '', query = ''] = request.url.split('?')
    const context: RequestContext = {
      id: newId(),
      startedAt: now(),
      method: request.method,
      path,
      query,
      headers: request.headers,
      // As a trusted proxy would say it.
      remoteAddress: String(request.headers['x-test-address'] ?? request.ip),
      identity,
      tag: null,
      signal: new AbortController().signal,
      causeId: null,
      statements: [],
      errorCode: null,
      rows: null,
    }
    contexts.push(context)
    request.setDecorator('requestContext', context)
  })
  await app.register(authPlugin(auth), { prefix: '/auth/v1' })
  await app.register(inboxPlugin(inbox), { prefix: '/inbox' })

  const cookies = new Map<string, string>()
  const newestFor = async (address: string) => {
    const { mails } = await inbox.search(`to:${address}`, { start: 0, limit: 1 })
    if (mails[0] === undefined) throw new Error(`No mail to ${address}.`)
    return mails[0].text
  }
  return {
    app,
    auth,
    inbox,
    keys,
    apiKeys,
    messages,
    contexts,
    pass: (seconds) => {
      offsetMs += seconds * 1000
    },
    async call(method, path, { body, token, headers } = {}) {
      const answer = await app.inject({
        method,
        url: `/auth/v1${path}`,
        headers: {
          host: new URL(values.externalUrl).host,
          cookie: [...cookies.values()].join('; '),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      keepCookies(cookies, answer.headers['set-cookie'])
      const isJson = String(answer.headers['content-type']).includes('json')
      return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.body }
    },
    codeFor: async (address) => /Code: (\d+)/.exec(await newestFor(address))?.[1] ?? '',
    async linkFor(address) {
      const link = /https?:\/\/\S+\/verify\?\S+/.exec(await newestFor(address))?.[0] ?? ''
      return link.replace(values.externalUrl, '')
    },
  }
}

function keepCookies(cookies: Map<string, string>, set: string | readonly string[] | undefined): void {
  for (const cookie of [set ?? []].flat()) {
    const [pair = ''] = cookie.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    if (cookie.includes('Max-Age=0')) cookies.delete(name)
    else cookies.set(name, pair)
  }
}
