import Fastify from 'fastify'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { operatorsDeps } from '../../../../test/operators-deps.ts'
import { requestContext } from '../../../../test/request-context.ts'
import type { Mail } from '../../../engines/mail/index.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { teamRoutes } from '../http/team-routes.ts'
import { createOperators, operatorsPlugin, operatorsTables } from '../index.ts'

const owner = { name: 'Ann', email: 'ann@example.com', password: 'a very good password' }
const hourMs = 3_600_000

/** The routes of the team, and a browser in which the owner is signed in. */
async function open(db: TestDatabase, failingMail = false) {
  await db.migrate('operators', operatorsTables.postgres)
  let nowMs = Date.now()
  const mails: Mail[] = []
  const operators = await createOperators({
    ...operatorsDeps(db.admin),
    now: () => new Date(nowMs),
    project: 'Café <1>',
    consoleUrl: 'http://127.0.0.1:54323/console',
    mailer: {
      async send(mail) {
        if (failingMail) throw new Error('The mail server is gone.')
        mails.push(mail)
      },
    },
  })
  const app = Fastify()
  app.decorateRequest('operator', null)
  app.decorateRequest('requestContext', null)
  app.addHook('onRequest', async (request) => request.setDecorator('requestContext', requestContext({ id: uuidv7() })))
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send({ code: error.code }) : reply.send(error),
  )
  await app.register(operatorsPlugin(operators))
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', operators.guard)
    await guarded.register(teamRoutes(operators))
  })
  const browser = () => {
    const cookies = new Map<string, string>()
    return async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
      const headers = { cookie: [...cookies.values()].join('; ') }
      const answer = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) })
      for (const cookie of [answer.headers['set-cookie'] ?? []].flat())
        cookies.set(cookie.slice(0, cookie.indexOf('=')), cookie.split(';')[0] ?? '')
      return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
    }
  }
  const ann = browser()
  await ann('POST', '/setup', { ...owner, token: await operators.setupLink() })
  const invite = async (email: string, role: string) => {
    const { body } = await ann('POST', '/team/invitations', { email, role })
    return String(body.url).split('#')[1] ?? ''
  }
  /** A new operator, and their browser. */
  const join = async (email: string, role: string) => {
    const call = browser()
    const token = await invite(email, role)
    await call('POST', '/invitation/account', { token, name: 'Bo', password: 'another good password' })
    return call
  }
  const memberOf = async (email: string) => {
    const { body } = await ann('GET', '/team')
    return body.members.find((each: { email: string }) => each.email === email)
  }
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { ann, browser, invite, join, memberOf, mails, pass }
}

test('an invitation is mailed, says what it is for, and creates one account of its role', async ({ db }) => {
  const { ann, browser, mails } = await open(db)
  const made = await ann('POST', '/team/invitations', { email: ' Bo@Example.com ', role: 'analyst' })
  expect(made).toMatchObject({ status: 201, body: { isMailed: true } })
  expect(made.body.url).toMatch(/^http:\/\/127\.0\.0\.1:54323\/console\/join#[\w-]{20,}$/)
  expect(mails).toMatchObject([{ to: 'bo@example.com', text: expect.stringContaining(made.body.url) }])
  expect(mails[0]?.html).toContain('Caf\u00e9 &#60;1&#62;')
  const token = made.body.url.split('#')[1]
  const bo = browser()
  expect((await bo('POST', '/invitation', { token })).body).toEqual({
    email: 'bo@example.com',
    role: 'analyst',
    invitedBy: owner.email,
  })
  const join = { token, name: 'Bo', password: 'another good password' }
  expect((await bo('POST', '/invitation/account', { ...join, password: 'short' })).body.code).toBe(
    'CLEW_OPERATORS_INVALID',
  )
  const answers = await Promise.all(Array.from({ length: 4 }, () => bo('POST', '/invitation/account', join)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410])
  expect((await bo('GET', '/session')).body.operator).toMatchObject({ email: 'bo@example.com', role: 'analyst' })
  const { body } = await ann('GET', '/team')
  expect(body.invitations).toEqual([])
  expect(body.members).toMatchObject([
    { email: owner.email, role: 'owner', hasSecondFactor: false },
    { email: 'bo@example.com', role: 'analyst', lastSeenAt: expect.any(String) },
  ])
  const { rows } = await db.admin.query({ text: 'select action, target from clew_operators.actions', values: [] })
  expect(rows).toEqual([{ action: 'operator.invite', target: 'Bo@Example.com as analyst' }])
})

test('an invitation ends with time, with the next one, and when it is withdrawn', async ({ db }) => {
  const { ann, browser, invite, pass } = await open(db)
  const look = async (token: string) => (await browser()('POST', '/invitation', { token })).status
  const first = await invite('bo@example.com', 'developer')
  const second = await invite('bo@example.com', 'viewer')
  expect([await look(first), await look(second), await look('guessed')]).toEqual([410, 200, 410])
  const { body } = await ann('GET', '/team')
  expect(body.invitations).toMatchObject([{ email: 'bo@example.com', role: 'viewer', invitedBy: owner.email }])
  expect((await ann('DELETE', `/team/invitations/${body.invitations[0].id}`)).status).toBe(204)
  expect((await ann('DELETE', `/team/invitations/${body.invitations[0].id}`)).body.code).toBe(
    'CLEW_OPERATORS_NOT_FOUND',
  )
  expect(await look(second)).toBe(410)
  const third = await invite('bo@example.com', 'viewer')
  pass(72 * hourMs)
  expect(await look(third)).toBe(410)
})

test('an operator is not invited again, and the link is there although no mail leaves', async ({ db }) => {
  const { ann } = await open(db, true)
  expect((await ann('POST', '/team/invitations', { email: 'ANN@example.com', role: 'viewer' })).body.code).toBe(
    'CLEW_OPERATORS_IS_MEMBER',
  )
  expect((await ann('POST', '/team/invitations', { email: 'no address', role: 'viewer' })).body.code).toBe(
    'CLEW_OPERATORS_INVALID',
  )
  expect((await ann('POST', '/team/invitations', { email: 'bo@example.com', role: 'viewer' })).body).toMatchObject({
    isMailed: false,
    url: expect.stringContaining('#'),
  })
})

test('a role holds from the next request on, and a removed operator is signed out', async ({ db }) => {
  const { ann, join, memberOf } = await open(db)
  const bo = await join('bo@example.com', 'analyst')
  expect((await bo('GET', '/team')).status).toBe(200)
  const { id } = await memberOf('bo@example.com')
  expect((await ann('PATCH', `/team/members/${id}`, { role: 'viewer' })).status).toBe(204)
  expect((await bo('GET', '/team')).body.code).toBe('CLEW_OPERATORS_FORBIDDEN')
  expect((await ann('DELETE', `/team/members/${id}`)).status).toBe(204)
  expect((await bo('GET', '/team')).status).toBe(401)
  expect((await ann('DELETE', `/team/members/${id}`)).body.code).toBe('CLEW_OPERATORS_NOT_FOUND')
})

test('an operator who is erased has a pseudonym in the audit log, where they acted and where others acted on them', async ({
  db,
}) => {
  const { ann, join, memberOf } = await open(db)
  const bo = await join('bo@example.com', 'owner')
  await bo('POST', '/team/invitations', { email: 'jabo@example.com', role: 'viewer' })
  await ann('POST', '/team/invitations', { email: 'Cy@example.com', role: 'viewer' })
  const { id } = await memberOf('bo@example.com')
  expect((await ann('PATCH', `/team/members/${id}`, { role: 'developer' })).status).toBe(204)
  expect((await ann('DELETE', `/team/members/${id}?erase=true`)).status).toBe(204)
  const name = `former operator ${id.slice(-8)}`
  const { rows } = await db.admin.query<{ entry: string }>({
    text: `select operator_email || '|' || address || '|' || action || '|' || target as entry
      from clew_operators.actions`,
    values: [],
  })
  const entries = [
    `${owner.email}|127.0.0.1|operator.invite|${name} as owner`,
    `${name}||operator.invite|jabo@example.com as viewer`,
    `${owner.email}|127.0.0.1|operator.invite|Cy@example.com as viewer`,
    `${owner.email}|127.0.0.1|operator.role|${name} to developer`,
    `${owner.email}|127.0.0.1|operator.remove|${name}`,
  ]
  expect(rows.map(({ entry }) => entry).sort()).toEqual(entries.sort())
  const { invitations } = (await ann('GET', '/team')).body
  expect(invitations.map(({ invitedBy }: { invitedBy: string }) => invitedBy).sort()).toEqual([owner.email, name])
})

test('an operator who is removed and not erased stays in the audit log by their address', async ({ db }) => {
  const { ann, join, memberOf } = await open(db)
  await join('bo@example.com', 'viewer')
  const { id } = await memberOf('bo@example.com')
  expect((await ann('DELETE', `/team/members/${id}`)).status).toBe(204)
  const text = `select target from clew_operators.actions where action = 'operator.remove'`
  expect((await db.admin.query({ text, values: [] })).rows).toEqual([{ target: 'bo@example.com' }])
})

test('of two owners who remove each other one stays, and the last can neither go nor be demoted', async ({ db }) => {
  const { ann, join, memberOf } = await open(db)
  const bo = await join('bo@example.com', 'owner')
  const [annId, boId] = [(await memberOf(owner.email)).id, (await memberOf('bo@example.com')).id]
  const outcomes = await Promise.all([
    ann('PATCH', `/team/members/${boId}`, { role: 'developer' }),
    bo('PATCH', `/team/members/${annId}`, { role: 'developer' }),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual([204, expect.toBeOneOf([403, 409])])
  const [stays, stayingId] = outcomes[0]?.status === 204 ? [ann, annId] : [bo, boId]
  const refused = { status: 409, body: { code: 'CLEW_OPERATORS_LAST_OWNER' } }
  expect(await stays('PATCH', `/team/members/${stayingId}`, { role: 'viewer' })).toMatchObject(refused)
  expect(await stays('DELETE', `/team/members/${stayingId}`)).toMatchObject(refused)
})

test('only owners manage the team, after a recent proof of who they are', async ({ db }) => {
  const { ann, join, memberOf, pass } = await open(db)
  const bo = await join('bo@example.com', 'developer')
  const { id } = await memberOf(owner.email)
  const forbidden = { status: 403, body: { code: 'CLEW_OPERATORS_FORBIDDEN' } }
  expect(await bo('POST', '/team/invitations', { email: 'x@y.z', role: 'owner' })).toMatchObject(forbidden)
  expect(await bo('PATCH', `/team/members/${id}`, { role: 'viewer' })).toMatchObject(forbidden)
  expect(await bo('DELETE', `/team/members/${id}`)).toMatchObject(forbidden)
  pass(hourMs)
  expect((await ann('POST', '/team/invitations', { email: 'x@y.z', role: 'owner' })).body.code).toBe(
    'CLEW_OPERATORS_PROOF_NEEDED',
  )
})
