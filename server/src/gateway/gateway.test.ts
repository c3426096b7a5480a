import { connect } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { startGateway, thing } from '../../test/gateway-app.ts'
import type { RequestContext, RequestRecord } from '../ground/model/request.ts'
import { consolePlugin, createProxyCheck, gatewayError } from './index.ts'

describe('what a service does not serve', () => {
  test.each(['/thing/nope', '/thing', '/thing/', '/thing/a/b'])(
    '%s is refused by it, to a browser too',
    async (url) => {
      const app = await startGateway(thing)
      const reply = await app.inject({ url, headers: { accept: 'text/html' } })
      expect([reply.statusCode, reply.body]).toEqual([404, 'the thing has no such page'])
    },
  )

  test('is not a page of the application below /health either', async () => {
    const app = await startGateway(thing)
    const reply = await app.inject({ url: '/health/nope', headers: { accept: 'text/html' } })
    expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'CLEW_GATEWAY_NOT_FOUND'])
  })

  test('every other address stays the application’s', async () => {
    const app = await startGateway(thing)
    expect((await app.inject({ url: '/thing/here' })).body).toBe('here')
    expect((await app.inject({ url: '/things', headers: { accept: 'text/html' } })).body).toBe('the application')
  })
})

test.each([
  ['/console', 'http://console.test/console'],
  ['/console/', 'http://console.test/console/'],
  ['/console/sessions/1?t=3', 'http://console.test/console/sessions/1?t=3'],
  ['/console//elsewhere.test', 'http://console.test/console//elsewhere.test'],
  ['/inbox/api/v1/messages', 'http://console.test/inbox/api/v1/messages'],
])('%s stands on the console’s origin', async (url, to) => {
  const app = await startGateway(thing)
  const reply = await app.inject(url)
  expect([reply.statusCode, reply.headers.location]).toEqual([302, to])
})

test.each([
  ['operator=secret', undefined],
  ['a=1; operator=secret; b=2', 'a=1; b=2'],
  ['operators=1', 'operators=1'],
])('an operator’s cookie is seen by nothing on the application’s port: %s', async (cookie, seen) => {
  const plugin: FastifyPluginAsync = async (app) => {
    app.get('/cookie', async (request) => ({ cookie: request.headers.cookie, raw: request.raw.headers.cookie }))
  }
  const ended: RequestRecord[] = []
  const app = await startGateway(plugin, { requestEnded: (record) => ended.push(record) })
  const reply = await app.inject({ url: '/thing/cookie', headers: { cookie } })
  expect(reply.json()).toEqual(seen === undefined ? {} : { cookie: seen, raw: seen })
  expect(ended[0]?.context.headers.cookie).toBe(seen)
})

test('files whose name begins with a dot are kept in, .well-known is not', async () => {
  const app = await startGateway(thing)
  expect((await app.inject('/.env')).statusCode).toBe(404)
  expect((await app.inject('/.well-known/security.txt')).body).toBe('Contact: us')
})

test.each(['/thing/here', '/nowhere'])('an unexpected body is not read at %s', async (url) => {
  const app = await startGateway(thing)
  const payload = `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`
  const reply = await app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })
  expect([reply.statusCode, reply.json().error.code]).toEqual([413, 'CLEW_GATEWAY_TOO_LARGE'])
})

test('JSON that is nested too deep is refused before it is parsed', async () => {
  const app = await startGateway(thing)
  const headers = { 'content-type': 'application/json' }
  const send = (depth: number) =>
    app.inject({ method: 'POST', url: '/thing/here', payload: `${'['.repeat(depth)}${']'.repeat(depth)}`, headers })
  expect((await send(200)).statusCode).toBe(200)
  const reply = await send(201)
  expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'CLEW_GATEWAY_TOO_DEEP'])
})

const noSnippet = { title: '', install: null, code: '' } as const
const facts = {
  project: 'x',
  mode: 'local',
  version: '1',
  apiUrl: '',
  inboxUrl: null,
  dbUrl: null,
  exampleUrl: null,
  publishableKey: '',
  anonKey: '',
  ingestToken: '',
  readiness: { sendsMail: false, hasDomain: false, ownKeys: false, asksConsent: false },
  snippets: { supabase: noSnippet, posthog: noSnippet, ssr: noSnippet, html: noSnippet },
  services: [],
} as const

test('a stranger’s body for the console is refused unread', async () => {
  const part: FastifyPluginAsync = async (app) => {
    app.post('/change', async () => 'changed')
  }
  const guarded = consolePlugin({
    open: async () => undefined,
    guard: async () => {
      throw gatewayError('CLEW_GATEWAY_NO_KEY')
    },
    parts: [part],
    facts,
    health: async () => [],
    changed: () => undefined,
  })
  const app = await startGateway(guarded)
  const headers = { 'content-type': 'application/json' }
  const reply = await app.inject({ method: 'POST', url: '/thing/change', payload: '{', headers })
  expect(reply.statusCode).toBe(401)
})

test('a file that is sent to the console is left to the one that reads it, however it is read', async () => {
  const part: FastifyPluginAsync = async (app) => {
    app.addContentTypeParser('application/x-ndjson', (_request, body, done) => done(null, body))
    app.addContentTypeParser('application/gzip', (_request, body, done) => done(null, body.iterator()))
    app.addContentTypeParser('application/zip', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.post<{ Body: AsyncIterable<Buffer> | Buffer }>('/file', async ({ body }) => {
      const pieces: Uint8Array[] = []
      if (Buffer.isBuffer(body)) pieces.push(body)
      else for await (const piece of body) pieces.push(piece)
      return Buffer.concat(pieces).toString()
    })
  }
  const [open, guard] = [async () => undefined, async () => undefined]
  const plugin = consolePlugin({ open, guard, parts: [part], facts, health: async () => [], changed: () => undefined })
  const app = await startGateway(plugin)
  const payload = '{"text":"\\u0000 \\ud800"}'
  const send = (type: string) =>
    app.inject({ method: 'POST', url: '/thing/file', payload, headers: { 'content-type': type } })
  for (const type of ['application/x-ndjson', 'application/gzip', 'application/zip']) {
    const { statusCode, body } = await send(type)
    expect([type, statusCode, body]).toEqual([type, 200, payload])
  }
  expect((await send('application/json')).json().error).toMatchObject({ code: 'CLEW_GATEWAY_BAD_REQUEST' })
})

test('what the console changes is told of, once it is done', async () => {
  const answered: string[] = []
  const part: FastifyPluginAsync = async (app) => {
    app.get('/look', async () => 'nothing')
    app.post('/change', async () => {
      answered.push('handled')
      return 'changed'
    })
    app.delete('/refused', async () => {
      throw gatewayError('CLEW_GATEWAY_NO_KEY')
    })
  }
  const open: FastifyPluginAsync = async () => undefined
  const guard = async () => undefined
  const changed = () => void answered.push('told')
  const app = await startGateway(consolePlugin({ open, guard, parts: [part], facts, health: async () => [], changed }))
  for (const [method, path] of [
    ['GET', 'look'],
    ['DELETE', 'refused'],
    ['POST', 'change'],
  ] as const)
    await app.inject({ method, url: `/thing/${path}` })
  await expect.poll(() => answered).toEqual(['handled', 'told'])
})

test('a proxy that trusted_proxies does not name is shown to operators, and the instance stays ready', async () => {
  const proxyCheck = createProxyCheck(pino({ level: 'silent' }))
  const health = async () => proxyCheck.health()
  const plugin = consolePlugin({
    open: async () => undefined,
    guard: async () => undefined,
    parts: [],
    facts,
    health,
    changed: () => undefined,
  })
  const app = await startGateway(plugin, { proxyCheck, health })
  const engines = async () => (await app.inject('/thing/instance')).json().engines
  expect(await engines()).toEqual([])
  await app.inject({ url: '/thing/instance', headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(await engines()).toMatchObject([{ name: 'proxy', state: 'degraded' }])
  expect((await app.inject('/health/ready')).json()).toEqual({ status: 'ready' })
})

test('an address that cannot be read is refused in the one shape', async () => {
  const app = await startGateway(thing)
  const reply = await app.inject('/%ff')
  expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'CLEW_GATEWAY_BAD_REQUEST'])
})

test('a request whose client leaves is recorded: once it has left an answer, or its handler is done', async () => {
  const records: RequestRecord[] = []
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const plugin: FastifyPluginAsync = async (app) => {
    app.get('/wait', async (request) => {
      await released
      request.getDecorator<RequestContext>('requestContext').rows = 3
      return 'late'
    })
    app.get('/fail', async () => {
      await released
      throw new Error('too late')
    })
    app.get('/stream', async (_request, reply) => {
      const endless = new Readable({ read: () => undefined })
      endless.push('begun')
      return reply.send(endless)
    })
  }
  const app = await startGateway(plugin, { requestEnded: (record) => records.push(record) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const sockets = ['wait', 'fail', 'stream', 'missing'].map((path) => {
    const socket = connect(port, '127.0.0.1').resume()
    socket.write(`GET /thing/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
    return socket
  })
  const outcomes = () => records.map(({ context: { path, rows }, status }) => [path, status, rows])
  await expect.poll(outcomes).toEqual([['/thing/missing', 404, null]])
  await expect.poll(() => sockets[2]?.bytesRead).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
  await expect.poll(outcomes).toContainEqual(['/thing/stream', 499, null])
  expect(records).toHaveLength(2)
  release()
  await expect.poll(outcomes).toContainEqual(['/thing/wait', 499, 3])
  await expect.poll(outcomes).toContainEqual(['/thing/fail', 499, null])
  expect(records).toHaveLength(4)
})

test.each([
  ['by its origin', { apikey: 'sb_secret_x', origin: 'https://app.example' }, 401],
  ['by its name', { authorization: 'Bearer sb_secret_x', 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0' }, 401],
  ['with a key for browsers', { apikey: 'sb_publishable_x', origin: 'https://app.example' }, 200],
  ['that is no browser', { apikey: 'sb_secret_x', 'user-agent': 'node', 'sec-fetch-mode': 'cors' }, 200],
])('a secret key is refused from a browser: %s', async (_case, headers, status) => {
  const app = await startGateway(thing)
  const answer = await app.inject({ url: '/thing/here', headers })
  expect(answer.statusCode).toBe(status)
  if (status === 401) expect(answer.json()).toMatchObject({ code: 'CLEW_GATEWAY_SECRET_IN_BROWSER' })
  const inQuery = await app.inject({
    url: `/thing/here?apikey=${'apikey' in headers ? headers.apikey : ''}`,
    headers: { origin: 'null' },
  })
  expect(inQuery.statusCode).toBe('apikey' in headers && headers.apikey.startsWith('sb_secret') ? 401 : 200)
})

test.each([
  ['a trusted proxy', ['127.0.0.1'], '203.0.113.7'],
  ['anybody else', ['10.0.0.1'], '127.0.0.1'],
  ['nobody', [], '127.0.0.1'],
])('the client’s address is taken from the header of %s', async (_who, trustedProxies, address) => {
  const plugin: FastifyPluginAsync = async (app) => {
    app.get('/address', async (request) => request.ip)
  }
  const app = await startGateway(plugin, { trustedProxies, clientAddressHeader: 'CF-Connecting-IP' })
  const ask = async (headers: Record<string, string>) => (await app.inject({ url: '/thing/address', headers })).body
  expect(await ask({ 'cf-connecting-ip': '203.0.113.7', 'x-forwarded-for': '198.51.100.1' })).toBe(address)
  expect(await ask({ 'cf-connecting-ip': 'nonsense', 'x-forwarded-for': '198.51.100.1' })).toBe('127.0.0.1')
  expect(await ask({ 'x-forwarded-for': '198.51.100.1' })).toBe('127.0.0.1')
})

test('a missing key is refused in words of the gateway’s, not of the service that was not asked, and recorded', async () => {
  const records: RequestRecord[] = []
  const plugin: FastifyPluginAsync = async (app) => {
    app.setErrorHandler((_error, _request, reply) => reply.code(500).send('the thing’s own words'))
    app.get('/here', async () => 'here')
  }
  const app = await startGateway(async () => undefined, {
    mounts: [{ prefix: '/thing', service: 'thing', plugin, needsKey: () => true }],
    requestEnded: (record) => records.push(record),
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await fetch(`${url}/thing/here`, { headers: { origin: 'https://app.example' } })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({
    code: 'CLEW_GATEWAY_NO_KEY',
    message: expect.stringMatching(/^No API key/),
  })
  expect(answer.headers.get('access-control-allow-origin')).not.toBeNull()
  expect(records).toMatchObject([{ service: 'thing', status: 401, context: { errorCode: 'CLEW_GATEWAY_NO_KEY' } }])
})

test('the service role is refused from a browser by whatever key', async () => {
  const caller = { role: 'service_role', claims: {}, claimsJson: '{}', userId: null, authSessionId: null }
  const app = await startGateway(thing, { findCaller: () => ({ kind: 'caller', caller, token: null }) })
  const ask = async (headers: Record<string, string>) => (await app.inject({ url: '/thing/here', headers })).statusCode
  expect(await ask({ origin: 'http://localhost:5173' })).toBe(401)
  expect(await ask({ 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0' })).toBe(401)
  expect(await ask({ 'user-agent': 'node' })).toBe(200)
})

test('strangers learn whether it is ready, and nothing else', async () => {
  const engines = [{ name: 'PostgreSQL', state: 'down', detail: '18.1 in /var/lib/clew', pid: 7 } as const]
  const app = await startGateway(thing, { health: async () => engines, metricsToken: () => 'a token' })
  const ready = await app.inject('/health/ready')
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'not ready' }])
  for (const headers of [{}, { authorization: 'Bearer' }, { authorization: 'Bearer another' }])
    expect((await app.inject({ url: '/metrics', headers })).statusCode).toBe(401)
  const scraped = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer a token' } })
  expect([scraped.statusCode, scraped.body.includes('process_cpu_seconds_total')]).toEqual([200, true])
  const closed = await startGateway(thing)
  expect((await closed.inject({ url: '/metrics', headers: { authorization: 'Bearer null' } })).statusCode).toBe(401)
})

test('what a service answers is what it says it is', async () => {
  const app = await startGateway(thing)
  for (const url of ['/thing/here', '/thing/nope'])
    expect((await app.inject(url)).headers['x-content-type-options']).toBe('nosniff')
})

test('a page learns why an address is not served: its preflight passes, and the refusal is readable', async () => {
  const app = await startGateway(thing)
  for (const [url, status] of [
    ['/storage/v1/bucket', 501],
    ['/health/nope', 404],
  ] as const) {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'apikey, content-type' }
    const preflight = await app.inject({ method: 'OPTIONS', url, headers: { origin: 'https://app.test', ...asked } })
    expect([preflight.statusCode, preflight.headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'apikey, content-type',
      },
    ])
    const refused = await app.inject({ method: 'POST', url, headers: { origin: 'https://app.test' } })
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([status, '*'])
  }
})
