import Fastify from 'fastify'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { operatorsDeps } from '../../../../test/operators-deps.ts'
import { requestContext } from '../../../../test/request-context.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { createOperators, operatorsPlugin, operatorsService, operatorsSettings, operatorsTables } from '../index.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const owner = { name: 'Ann', email: 'ann@example.com', password: 'a very good password' }

/** The console's API with an owner who is signed in, and two routes of which one takes tokens. */
async function open(db: TestDatabase) {
  await db.migrate('operators', operatorsTables.postgres)
  let nowMs = Date.now()
  const operators = await createOperators({
    ...operatorsDeps(db.admin),
    now: () => new Date(nowMs),
    settings: { ...readSettings(operatorsSettings, []).values, accessTokens: 2 },
  })
  const app = Fastify()
  app.decorateRequest('operator', null)
  app.decorateRequest('requestContext', null)
  app.addHook('onRequest', async (request) => request.setDecorator('requestContext', requestContext()))
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send({ code: error.code }) : reply.send(error),
  )
  await app.register(operatorsPlugin(operators))
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', operators.guard)
    for (const part of operatorsService(operators, log).console) await guarded.register(part)
    guarded.get('/taken', { config: { acceptsTokens: true } }, async (request) =>
      operators.actions.run(request, { name: 'thing.take', target: 'a thing' }, async () => ({})),
    )
  })
  const payload = { ...owner, token: await operators.setupLink() }
  const { headers } = await app.inject({ method: 'POST', url: '/setup', payload })
  const cookie = [headers['set-cookie'] ?? []]
    .flat()
    .map((text) => text.split(';')[0])
    .join('; ')
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, how: object, body?: object) => {
    const answer = await app.inject({ method, url, headers: { ...how }, ...(body && { payload: body }) })
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
  }
  return {
    cookie: { cookie },
    call,
    make: async (name: string, days = 30) => (await call('POST', '/access/tokens', { cookie }, { name, days })).body,
    pass: (seconds: number) => {
      nowMs += seconds * 1000
    },
    setRole: (role: string) =>
      db.admin.query({ text: 'update clew_operators.operators set role = $1', values: [role] }),
    stored: async () => JSON.stringify((await db.admin.query({ text: tokensText, values: [] })).rows),
    actions: async () => (await db.admin.query({ text: actionsText, values: [] })).rows,
  }
}
const tokensText = 'select * from clew_operators.access_tokens'
const actionsText = 'select action, operator_email as by, outcome from clew_operators.actions order by at, id'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('a token acts for its operator, where the route takes one, until it is revoked', async ({ db }) => {
  const { call, cookie, make, stored, actions } = await open(db)
  const { token } = await make('laptop')
  expect(token).toMatch(/^clew_pat_[\w-]{43}$/)
  expect(await stored()).not.toContain(token.slice(9))
  expect((await call('GET', '/taken', bearer(token))).status).toBe(200)
  expect(await actions()).toEqual([
    { action: 'token.create', by: owner.email, outcome: 'succeeded' },
    { action: 'thing.take', by: owner.email, outcome: 'succeeded' },
  ])
  // Nothing else opens, not even beside the session's cookie: least of all what makes further tokens.
  for (const [method, url, body] of [
    ['GET', '/access/tokens', undefined],
    ['POST', '/access/tokens', { name: 'more', days: 1 }],
    ['GET', '/actions', undefined],
  ] as const)
    expect((await call(method, url, { ...cookie, ...bearer(token) }, body)).body.code).toBe(
      'CLEW_OPERATORS_TOKEN_REFUSED',
    )
  const [listed] = (await call('GET', '/access/tokens', cookie)).body.tokens
  expect(listed).toMatchObject({ name: 'laptop', lastUsedAddress: '127.0.0.1' })
  expect((await call('DELETE', `/access/tokens/${listed.id}`, cookie)).status).toBe(204)
  expect((await call('DELETE', `/access/tokens/${listed.id}`, cookie)).status).toBe(404)
  expect((await call('GET', '/taken', bearer(token))).body.code).toBe('CLEW_OPERATORS_BAD_TOKEN')
  expect((await actions()).slice(2)).toEqual([
    { action: 'token.revoke', by: owner.email, outcome: 'succeeded' },
    { action: 'token.revoke', by: owner.email, outcome: 'failed' },
  ])
})

test('an operator who may make no token any more revokes the ones that are there', async ({ db }) => {
  const { call, cookie, make, setRole } = await open(db)
  await make('laptop')
  await setRole('viewer')
  const [listed] = (await call('GET', '/access/tokens', cookie)).body.tokens
  expect((await call('DELETE', `/access/tokens/${listed.id}`, cookie)).status).toBe(204)
})

test('a token has its operator’s role as it is now, and expires', async ({ db }) => {
  const { call, make, setRole, pass } = await open(db)
  const { token } = await make('laptop', 2)
  await setRole('analyst')
  expect((await call('GET', '/taken', bearer(token))).status).toBe(403)
  await setRole('developer')
  expect((await call('GET', '/taken', bearer(token))).status).toBe(200)
  pass(2 * 86_400 + 1)
  expect((await call('GET', '/taken', bearer(token))).body.code).toBe('CLEW_OPERATORS_BAD_TOKEN')
})

test('a token that was never made opens nothing', async ({ db }) => {
  const { call } = await open(db)
  for (const token of ['clew_pat_', 'clew_pat_of-nobody', 'Clew_pat_x'])
    expect((await call('GET', '/taken', bearer(token))).status).toBe(401)
})

test('a token is made with a recent proof, by owners and developers, up to a number', async ({ db }) => {
  const { call, cookie, make, pass, setRole } = await open(db)
  expect(await make('one')).toHaveProperty('token')
  expect(await make('two', 1)).toHaveProperty('token')
  expect(await make('three')).toEqual({ code: 'CLEW_OPERATORS_TOO_MANY_TOKENS' })
  await setRole('viewer')
  expect(await make('three')).toEqual({ code: 'CLEW_OPERATORS_FORBIDDEN' })
  await setRole('developer')
  pass(86_400 + 1)
  expect(await make('three')).toEqual({ code: 'CLEW_OPERATORS_PROOF_NEEDED' })
  await call('POST', '/access/proof', cookie, { password: owner.password })
  // The expired one made room.
  expect(await make('three')).toHaveProperty('token')
})
