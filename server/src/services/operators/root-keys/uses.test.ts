import Fastify from 'fastify'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { operatorsDeps } from '../../../../test/operators-deps.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { fixedRootKeys, type RootKeys } from '../../../ground/ids/root-keys.ts'
import { createOperators, type Operator, operatorsPlugin, operatorsTables } from '../index.ts'

const owner = { name: 'Ann', email: 'ann@example.com', password: 'a very good password' }
const [oneId = ''] = fixedRootKeys('one')().map(({ id }) => id)
const [twoId = ''] = fixedRootKeys('two')().map(({ id }) => id)

/** The team of an owner, whose root keys are replaced while it works. */
async function start(db: TestDatabase, ...first: readonly string[]) {
  await db.migrate('operators', operatorsTables.postgres)
  let roots: RootKeys = fixedRootKeys(...first)
  const operators = await createOperators({
    ...operatorsDeps(db.admin),
    roots: () => roots(),
  })
  const app = Fastify()
  app.decorateRequest('operator', null)
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send({ code: error.code }) : reply.send(error),
  )
  await app.register(operatorsPlugin(operators))
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', operators.guard)
    guarded.get('/me', async (request) => request.getDecorator<Operator>('operator'))
  })
  const post = async (url: string, body: object) => {
    const answer = await app.inject({ method: 'POST', url, payload: body, headers: { host: '127.0.0.1' } })
    const cookie = String([answer.headers['set-cookie'] ?? []].flat()[0]).split(';')[0] ?? ''
    return { status: answer.statusCode, cookie }
  }
  const signIn = (password = owner.password) => post('/session', { email: owner.email, password })
  const lookIn = async (cookie: string) =>
    (await app.inject({ url: '/me', headers: { host: '127.0.0.1', cookie } })).statusCode
  /** Names of what is under a root key. */
  const under = async (rootId: string) => {
    const counts = await Promise.all(
      operators.keyUses.map(async ({ name, count }) => ({ name, count: (await count()).get(rootId) ?? 0 })),
    )
    return Object.fromEntries(counts.flatMap(({ name, count }) => (count === 0 ? [] : [[name, count]])))
  }
  return {
    ...{ operators, post, signIn, lookIn, under },
    replace(...next: readonly string[]) {
      roots = fixedRootKeys(...next)
    },
  }
}

async function startTeam(db: TestDatabase) {
  const team = await start(db, 'one')
  const { cookie } = await team.post('/setup', { ...owner, token: await team.operators.setupLink() })
  const { rows } = await db.admin.query<Operator>({
    text: 'select id, name, email, role from clew_operators.operators',
    values: [],
  })
  const [operator] = rows
  if (operator === undefined) throw new Error('There is no owner.')
  const { token } = await team.operators.tokens.create(operator, { name: 'ci', purpose: 'command line', days: 30 })
  const use = () => team.operators.tokens.authenticate(token, '127.0.0.1', 'command line')
  return { ...team, cookie, use }
}

test('after a new root key passwords, sessions and tokens are good, and move to it when they are used', async ({
  db,
}) => {
  const { cookie, use, signIn, lookIn, under, replace } = await startTeam(db)
  const all = { 'passwords of operators': 1, 'sessions of operators': 1, 'access tokens': 1 }
  expect(await under(oneId)).toEqual(all)
  replace('two', 'one')
  expect((await signIn('guess')).status).toBe(401)
  expect(await under(oneId)).toEqual(all)
  expect((await signIn()).status).toBe(200)
  expect(await lookIn(cookie)).toBe(200)
  await use()
  expect(await under(oneId)).toEqual({})
  expect(await under(twoId)).toEqual({ ...all, 'sessions of operators': 2 })
  replace('two')
  expect([(await signIn()).status, await lookIn(cookie), (await use()).email]).toEqual([200, 200, owner.email])
})

test('what was not used ends with its root key, and nothing else', async ({ db }) => {
  const { cookie, use, operators, signIn, lookIn, under, replace } = await startTeam(db)
  replace('two', 'one')
  const { cookie: later } = await signIn()
  for (const { end } of operators.keyUses) await end(oneId)
  replace('two')
  expect(await lookIn(cookie)).toBe(401)
  expect(await lookIn(later)).toBe(200)
  await expect(use()).rejects.toMatchObject({ code: 'CLEW_OPERATORS_BAD_TOKEN' })
  expect(await under(oneId)).toEqual({})
})

test('a set-up link that was made before a new root key is good', async ({ db }) => {
  const { operators, post, replace } = await start(db, 'one')
  const token = await operators.setupLink()
  replace('two', 'one')
  expect((await post('/setup', { ...owner, token })).status).toBe(201)
})

test('what is from before root keys were named is named at the next start, and is good', async ({ db }) => {
  const { cookie, use } = await startTeam(db)
  for (const text of [
    `update clew_operators.operators set password_hash = regexp_replace(password_hash, '\\$[0-9a-f]{16}$', '')`,
    `update clew_operators.operator_sessions set token_hash = split_part(token_hash, '.', 2)`,
    `update clew_operators.access_tokens set token_hash = split_part(token_hash, '.', 2)`,
  ])
    await db.admin.query({ text, values: [] })
  await expect(use()).rejects.toThrow()
  const restarted = await start(db, 'two', 'one')
  expect(await restarted.under(oneId)).toMatchObject({ 'passwords of operators': 1, 'access tokens': 1 })
  expect([(await restarted.signIn()).status, await restarted.lookIn(cookie), (await use()).email]).toEqual([
    ...[200, 200, owner.email],
  ])
})
