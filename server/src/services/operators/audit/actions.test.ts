import Fastify from 'fastify'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { operatorsDeps } from '../../../../test/operators-deps.ts'
import { requestContext } from '../../../../test/request-context.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { actionRoutes } from '../http/action-routes.ts'
import { createOperators, operatorsPlugin, operatorsTables } from '../index.ts'

const personId = '0199a1b2-0000-4000-8000-0000000000aa'
const owner = { name: 'Ann', email: 'ann@example.com', password: 'a very good password' }

/** Routes that need each right, for an operator with this role. */
async function open(db: TestDatabase, role: string) {
  await db.migrate('operators', operatorsTables.postgres)
  let nowMs = Date.now()
  const operators = await createOperators({
    ...operatorsDeps(db.admin),
    now: () => new Date(nowMs),
  })
  const { actions } = operators
  const app = Fastify()
  app.decorateRequest('operator', null)
  app.decorateRequest('requestContext', null)
  app.addHook('onRequest', async (request) =>
    request.setDecorator('requestContext', requestContext({ id: String(request.headers['x-request-id'] ?? uuidv7()) })),
  )
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send({ code: error.code }) : reply.code(500).send({}),
  )
  await app.register(operatorsPlugin(operators))
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', operators.guard)
    await guarded.register(actionRoutes(actions))
    for (const right of ['look', 'read data', 'change', 'reveal', 'grant'] as const)
      guarded.get(`/${right.replace(' ', '-')}`, async (request) =>
        actions.run(request, { name: `thing.${right}`, target: 'a thing', right }, async () => ({})),
      )
    guarded.get('/proven', async (request) =>
      actions.run(request, { name: 'thing.prove', target: 'a thing', needsProof: true }, async () => ({})),
    )
    guarded.get('/person', async (request) => {
      await actions.look(request, { name: 'person.open', target: 'person p1', about: [personId, null] })
      return {}
    })
    guarded.get('/fails', async (request) =>
      actions.run(request, { name: 'thing.fail', target: 'a thing' }, async () => {
        throw new Error('It broke.')
      }),
    )
  })
  const { headers } = await app.inject({
    method: 'POST',
    url: '/setup',
    payload: { ...owner, token: await operators.setupLink() },
  })
  const cookie = [headers['set-cookie'] ?? []]
    .flat()
    .map((text) => text.split(';')[0])
    .join('; ')
  await db.admin.query({ text: 'update clew_operators.operators set role = $1', values: [role] })
  return {
    ofRequests: actions.ofRequests,
    forgetOld: actions.forgetOld,
    pass: (seconds: number) => {
      nowMs += seconds * 1000
    },
    async get(url: string, requestId = uuidv7()) {
      const answer = await app.inject({ url, headers: { cookie, 'x-request-id': requestId } })
      return { status: answer.statusCode, body: answer.json() }
    },
  }
}

test.for([
  ['owner', [200, 200, 200, 200, 200], 200],
  ['developer', [200, 200, 200, 403, 403], 403],
  ['analyst', [200, 403, 403, 403, 403], 403],
  ['viewer', [403, 403, 403, 403, 403], 403],
] as const)('the rights of %s', async ([role, statuses, log], { db }) => {
  const { get } = await open(db, role)
  const found = []
  for (const path of ['/look', '/read-data', '/change', '/reveal', '/grant']) found.push((await get(path)).status)
  expect(found).toEqual(statuses)
  expect((await get('/actions')).status).toBe(log)
})

test('each action is in the log, with who did it and how it ended; what was refused is not', async ({ db }) => {
  const { get, pass } = await open(db, 'owner')
  await get('/change')
  pass(1)
  expect((await get('/fails')).status).toBe(500)
  pass(3600)
  expect((await get('/proven')).body.code).toBe('CLEW_OPERATORS_PROOF_NEEDED')
  const { actions } = (await get('/actions')).body
  expect(actions).toMatchObject([
    { action: 'thing.fail', target: 'a thing', operator: owner.email, outcome: 'failed', problem: 'It broke.' },
    { action: 'thing.change', operator: owner.email, address: '127.0.0.1', outcome: 'succeeded', problem: null },
  ])
  const first = (await get('/actions?limit=1')).body
  expect((await get(`/actions?limit=1&before=${first.next}`)).body).toMatchObject({
    actions: [{ action: 'thing.change' }],
    next: null,
  })
  const namesOf = async (query: string) =>
    (await get(`/actions?${query}`)).body.actions.map(({ action }: { action: string }) => action)
  expect(await namesOf('action=thing.fail')).toEqual(['thing.fail'])
  expect(await namesOf(`operator=${owner.email}`)).toEqual(['thing.fail', 'thing.change'])
  expect(await namesOf('operator=nobody@example.com')).toEqual([])
  expect((await get('/actions/names')).body).toEqual({
    operators: [owner.email],
    actions: ['thing.change', 'thing.fail'],
  })
})

test('a request of the console is known by what it was made for', async ({ db }) => {
  const { get, ofRequests } = await open(db, 'owner')
  await get('/change', 'r1')
  await get('/actions', 'r2')
  expect(await ofRequests(['r1', 'r2', 'r3'])).toEqual(
    new Map([['r1', { id: expect.any(String), operator: owner.email, action: 'thing.change' }]]),
  )
})

test('what an operator looks at is in the log once in ten minutes, and found by the person it shows', async ({
  db,
}) => {
  const { get, pass, forgetOld } = await open(db, 'owner')
  const namesOf = async (query: string) =>
    (await get(`/actions?${query}`)).body.actions.map(({ action }: { action: string }) => action)
  await get('/change')
  pass(60)
  await get('/person')
  await get('/person')
  expect(await namesOf('kind=look')).toEqual(['person.open'])
  pass(601)
  await get('/person')
  expect(await namesOf('')).toEqual(['person.open', 'person.open', 'thing.change'])
  expect(await namesOf('kind=change')).toEqual(['thing.change'])
  expect(await namesOf(`about=${personId}`)).toEqual(['person.open', 'person.open'])
  const other = '0199a1b2-0000-4000-8000-0000000000bb'
  expect(await namesOf(`about=${other},${personId}`)).toHaveLength(2)
  expect(await namesOf(`about=${other}`)).toEqual([])
  // Half a minute less than two years after the first look.
  pass(730 * 86_400 - 661 + 30)
  await forgetOld()
  const { rows } = await db.admin.query<{ action: string }>({
    text: 'select action from clew_operators.actions',
    values: [],
  })
  expect(rows).toEqual([{ action: 'person.open' }, { action: 'person.open' }])
})
