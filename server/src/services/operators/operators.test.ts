import { createHash, scryptSync } from 'node:crypto'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { operatorsDeps } from '../../../test/operators-deps.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { fixedRootKeys } from '../../ground/ids/root-keys.ts'
import { localApiKeys } from '../../ground/jwt/api-keys.ts'
import { readSettings } from '../../ground/settings/read.ts'
import {
  createOperators,
  type Operator,
  type OperatorsSettings,
  operatorsOnly,
  operatorsPlugin,
  operatorsSettings,
  operatorsTables,
} from './index.ts'

const owner = { name: 'Ann', email: 'Ann@Example.com', password: 'a very good password' }
const dayMs = 86_400_000
const plain = { isSecure: false, hasOwnHost: false }
const ownHost = { isSecure: true, hasOwnHost: true }

async function start(
  db: TestDatabase,
  cookieScope = plain,
  settings: Partial<OperatorsSettings> = {},
  roots = fixedRootKeys('a pepper of the tests'),
) {
  await db.migrate('operators', operatorsTables.postgres)
  let nowMs = Date.now()
  const operators = await createOperators({
    ...operatorsDeps(db.admin),
    now: () => new Date(nowMs),
    settings: { ...readSettings(operatorsSettings, []).values, ...settings },
    cookieScope,
    roots,
  })
  const app = Fastify()
  app.decorateRequest('operator', null)
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ServiceError) return reply.code(error.status).headers(error.headers).send({ code: error.code })
    return reply.send(error)
  })
  await app.register(operatorsPlugin(operators))
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', operators.guard)
    guarded.get('/me', async (request) => request.getDecorator<Operator>('operator'))
    guarded.post('/change', async () => 'changed')
  })
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    options: { body?: object; cookie?: string; headers?: Record<string, string> } = {},
  ) => {
    const { body, cookie, headers } = options
    const answer = await app.inject({
      method,
      url,
      headers: { ...(cookie === undefined ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
    const [setCookie = ''] = [answer.headers['set-cookie'] ?? []].flat()
    const isJson = String(answer.headers['content-type']).includes('json')
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, setCookie, headers: answer.headers }
  }
  return {
    operators,
    call,
    pass: (ms: number) => {
      nowMs += ms
    },
    cookieOf: (setCookie: string) => setCookie.split(';')[0] ?? '',
  }
}

test('of many who use the set-up link at once, one becomes the owner', async ({ db }) => {
  const { operators, call, cookieOf } = await start(db)
  expect((await call('GET', '/setup')).body).toEqual({ state: 'unclaimed', project: 'Café' })
  const token = await operators.setupLink()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      call('POST', '/setup', { body: { ...owner, token, email: `o${index}@x.y` } }),
    ),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 410, 410, 410, 410, 410])
  const winner = answers.find((answer) => answer.status === 201)
  expect(winner?.body.operator).toMatchObject({ name: 'Ann', role: 'owner' })
  expect(winner?.setCookie).toMatch(
    /^clew_operator=[\w-]+; Max-Age=2592000; Path=\/console; HttpOnly; SameSite=Strict$/,
  )
  expect((await call('GET', '/me', { cookie: cookieOf(winner?.setCookie ?? '') })).body.role).toBe('owner')
  expect((await call('GET', '/setup')).body.state).toBe('claimed')
  expect(await operators.setupLink()).toBeNull()
  const { rows } = await db.admin.query({ text: 'select password_hash from clew_operators.operators', values: [] })
  expect(JSON.stringify(rows)).not.toContain(owner.password)
})

test('the set-up link ends with the next one, and with time', async ({ db }) => {
  const { operators, call, pass } = await start(db)
  const claim = async (token: string | null) => (await call('POST', '/setup', { body: { ...owner, token } })).status
  const first = await operators.setupLink()
  const second = await operators.setupLink()
  expect(await claim(first)).toBe(410)
  expect(await claim('guessed')).toBe(410)
  pass(dayMs)
  expect(await claim(second)).toBe(410)
  expect(await claim(await operators.setupLink())).toBe(201)
})

test.for([
  [{ name: ' ' }, 400],
  [{ email: 'ann' }, 400],
  [{ password: 'short' }, 400],
  [{ password: 1 }, 400],
] as const)('the owner is not made from %j', async ([field, status], { db }) => {
  const { operators, call } = await start(db)
  const token = await operators.setupLink()
  expect((await call('POST', '/setup', { body: { ...owner, token, ...field } })).status).toBe(status)
  expect((await call('POST', '/setup', { body: { ...owner, token } })).status).toBe(201)
})

test('an operator signs in, is known by the cookie alone, and signs out', async ({ db }) => {
  const { operators, call, cookieOf } = await start(db, ownHost)
  await call('POST', '/setup', { body: { ...owner, token: await operators.setupLink() } })
  const wrong = await call('POST', '/session', { body: { email: owner.email, password: 'not this one' } })
  const unknown = await call('POST', '/session', { body: { email: 'nobody@example.com', password: 'x' } })
  expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
  expect(wrong.body.code).toBe('CLEW_OPERATORS_WRONG_CREDENTIALS')

  const { email, password } = owner
  const signedIn = await call('POST', '/session', { body: { email, password } })
  expect(signedIn.body.operator.email).toBe('ann@example.com')
  expect(signedIn.setCookie).toContain('; Secure')
  const cookie = cookieOf(signedIn.setCookie)
  expect((await call('GET', '/session', { cookie: `a=b; ${cookie}; c=d` })).body).toEqual({
    operator: signedIn.body.operator,
  })

  const { serviceRoleKey } = localApiKeys()
  for (const headers of [
    { authorization: `Bearer ${serviceRoleKey}`, apikey: serviceRoleKey },
    { cookie: '__Host-clew_operator=' },
    // A name that any neighbouring host could have planted.
    { cookie: cookie.replace('__Host-', '') },
  ])
    expect((await call('GET', '/me', { headers })).body.code).toBe('CLEW_OPERATORS_SIGNED_OUT')
  expect((await call('GET', '/me', { cookie: `__Host-clew_operator=${'a'.repeat(43)}` })).status).toBe(401)

  const out = await call('DELETE', '/session', { cookie })
  expect([out.status, out.setCookie]).toEqual([
    204,
    '__Host-clew_operator=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict',
  ])
  expect((await call('GET', '/session', { cookie })).status).toBe(401)
})

test('a call must come from the console’s own pages, also one that only reads', async ({ db }) => {
  const { operators, call, cookieOf } = await start(db)
  const { setCookie } = await call('POST', '/setup', { body: { ...owner, token: await operators.setupLink() } })
  const cookie = cookieOf(setCookie)
  const cases: readonly (readonly [Record<string, string>, number])[] = [
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' }, 403],
    [{ origin: 'http://console.example', host: 'console.example' }, 200],
    [{ origin: 'http://console.example.evil.tld', host: 'console.example' }, 403],
    [{ origin: 'null', host: 'console.example' }, 403],
    [{}, 200],
  ]
  for (const [headers, status] of cases) {
    expect([headers, (await call('POST', '/change', { cookie, headers })).status]).toEqual([headers, status])
    expect([headers, (await call('GET', '/me', { cookie, headers })).status]).toEqual([headers, status])
    expect([headers, (await call('GET', '/session', { cookie, headers })).status]).toEqual([headers, status])
  }
  // Opened as a whole by a link from the application, which cannot read what it opened.
  const opened = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  expect((await call('GET', '/me', { cookie, headers: opened })).status).toBe(200)
  expect((await call('GET', '/me', { cookie, headers: { ...opened, 'sec-fetch-dest': 'iframe' } })).status).toBe(403)
  expect((await call('POST', '/change', { cookie, headers: opened })).status).toBe(403)
})

test('on a host that it shares with the application, the cookie goes to the console’s path only', async ({ db }) => {
  const { operators, call } = await start(db, { isSecure: true, hasOwnHost: false })
  const { setCookie } = await call('POST', '/setup', { body: { ...owner, token: await operators.setupLink() } })
  expect(setCookie).toMatch(/^__Secure-clew_operator=[\w-]+; .*Path=\/console; HttpOnly; Secure; SameSite=Strict$/)
})

test('a session lives for thirty days from the last visit', async ({ db }) => {
  const { operators, call, pass, cookieOf } = await start(db)
  const { setCookie } = await call('POST', '/setup', { body: { ...owner, token: await operators.setupLink() } })
  const cookie = cookieOf(setCookie)
  expect((await call('GET', '/me', { cookie })).setCookie).toBe('')
  pass(29 * dayMs)
  expect((await call('GET', '/me', { cookie })).setCookie).toContain('Max-Age=2592000')
  pass(29 * dayMs)
  expect((await call('GET', '/me', { cookie })).status).toBe(200)
  pass(30 * dayMs)
  expect((await call('GET', '/me', { cookie })).status).toBe(401)
})

test('pages for operators are refused to all others', async ({ db }) => {
  const { operators, call, cookieOf } = await start(db)
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send(error.code) : reply.send(error),
  )
  const pages: FastifyPluginAsync = async (scope) => {
    scope.get('/', async () => 'a mail')
    scope.post('/', async () => 'written')
  }
  await app.register(operatorsOnly(operators, pages), { prefix: '/p' })
  const { setCookie } = await call('POST', '/setup', { body: { ...owner, token: await operators.setupLink() } })
  expect((await app.inject('/p/')).statusCode).toBe(401)
  // Refused unread: a stranger's body is not worth the time of parsing it.
  const broken = { method: 'POST', url: '/p/', payload: '{', headers: { 'content-type': 'application/json' } } as const
  expect((await app.inject(broken)).body).toBe('CLEW_OPERATORS_SIGNED_OUT')
  expect((await app.inject({ url: '/p/', headers: { cookie: cookieOf(setCookie) } })).body).toBe('a mail')
})

test('a browser that signed in before is not kept out by strangers at its address', async ({ db }) => {
  const { operators, call } = await start(db, plain, { attemptsPerAccount: 2, attemptsPerAddress: 4 })
  const { headers } = await call('POST', '/setup', { body: { ...owner, token: await operators.setupLink() } })
  const device = String([headers['set-cookie'] ?? []].flat()[1]).split(';')[0] ?? ''
  expect(device).toMatch(/^clew_operator_device=/)
  const signIn = (password: string, cookie?: string) =>
    call('POST', '/session', { body: { email: owner.email, password }, ...(cookie === undefined ? {} : { cookie }) })
  for (let guess = 0; guess < 6; guess++) await signIn('guess')
  expect((await signIn(owner.password)).status).toBe(429)
  // Made up, or of another account.
  expect((await signIn(owner.password, 'clew_operator_device=aaaaaaaaaaaaaaaaaaaaaa.bbbb')).status).toBe(429)
  expect((await signIn(owner.password, device)).status).toBe(200)
  expect((await signIn('guess', device)).status).toBe(401)
  expect((await signIn('guess', device)).status).toBe(429)
})

test('who reads the tables has nothing to try passwords or tokens with', async ({ db }) => {
  const { operators, call } = await start(db)
  const link = (await operators.setupLink()) ?? ''
  const stored = async (text: string) => JSON.stringify((await db.admin.query({ text, values: [] })).rows)
  const plainHash = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(await stored('select token_hash from clew_operators.setup_tokens')).not.toContain(plainHash(link))
  const { setCookie } = await call('POST', '/setup', { body: { ...owner, token: link } })
  const token = setCookie.slice(setCookie.indexOf('=') + 1, setCookie.indexOf(';'))
  expect(await stored('select token_hash from clew_operators.operator_sessions')).not.toContain(plainHash(token))
  const [, , n, r, p, salt = '', hash] = (await stored('select password_hash as h from clew_operators.operators'))
    .replaceAll('"', '$')
    .split('$')
    .slice(2)
  const options = { N: Number(n), r: Number(r), p: Number(p), maxmem: 2 ** 28 }
  const derived = scryptSync(owner.password, Buffer.from(salt, 'base64url'), 32, options)
  expect(hash).not.toBe(derived.toString('base64url'))
})

test('a password hashed before the pepper is keyed at the next start, and is good', async ({ db }) => {
  const { operators, call } = await start(db)
  await call('POST', '/setup', { body: { ...owner, token: await operators.setupLink() } })
  const salt = Buffer.from('0123456789abcdef')
  const older = scryptSync(owner.password, salt, 32, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 28 })
  const hash = `scrypt$32768$8$3$${salt.toString('base64url')}$${older.toString('base64url')}`
  await db.admin.query({ text: 'update clew_operators.operators set password_hash = $1', values: [hash] })
  const { email, password } = owner
  expect((await call('POST', '/session', { body: { email, password } })).status).toBe(401)
  const restarted = await start(db)
  expect((await restarted.call('POST', '/session', { body: { email, password } })).status).toBe(200)
  const { rows } = await db.admin.query({ text: 'select password_hash from clew_operators.operators', values: [] })
  expect(JSON.stringify(rows)).not.toContain(older.toString('base64url'))
})

test('guessing a password is slowed down', async ({ db }) => {
  const { operators, call, pass } = await start(db, plain, { attemptsPerAccount: 2 })
  await call('POST', '/setup', { body: { ...owner, token: await operators.setupLink() } })
  const guess = (email: string) => call('POST', '/session', { body: { email, password: 'guess' } })
  const statuses = await Promise.all(Array.from({ length: 3 }, async () => (await guess(owner.email)).status))
  expect(statuses.sort()).toEqual([401, 401, 429])
  const refused = await guess(' ANN@example.com ')
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '450'])
  expect((await guess('bob@example.com')).status).toBe(401)
  pass(450_000)
  expect((await guess(owner.email)).status).toBe(401)
})
