import Fastify from 'fastify'
import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { operatorsDeps } from '../../../test/operators-deps.ts'
import { createSoftwareAuthenticator } from '../../../test/software-authenticator.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { accessPlugin } from './http/access-plugin.ts'
import { createOperators, operatorsPlugin, operatorsTables } from './index.ts'

const owner = { name: 'Ann', email: 'ann@example.com', password: 'a very good password' }
const { email, password } = owner

async function start(db: TestDatabase) {
  await db.migrate('operators', operatorsTables.postgres)
  let nowMs = Date.now()
  const operators = await createOperators({
    ...operatorsDeps(db.admin),
    now: () => new Date(nowMs),
  })
  const app = Fastify()
  app.decorateRequest('operator', null)
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send({ code: error.code }) : reply.send(error),
  )
  await app.register(operatorsPlugin(operators))
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', operators.guard)
    await guarded.register(accessPlugin(operators))
  })

  /** One browser, with its cookies. */
  const browser = (userAgent: string) => {
    const cookies = new Map<string, string>()
    return async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
      const headers = { 'user-agent': userAgent, cookie: [...cookies.values()].join('; ') }
      const answer = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) })
      for (const cookie of [answer.headers['set-cookie'] ?? []].flat())
        cookies.set(cookie.slice(0, cookie.indexOf('=')), cookie.split(';')[0] ?? '')
      return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
    }
  }
  const ann = browser('Firefox')
  await ann('POST', '/setup', { ...owner, token: await operators.setupLink() })
  const pass = (seconds: number) => {
    nowMs += seconds * 1000
  }
  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: nowMs })
  return {
    operators,
    browser,
    ann,
    pass,
    codeOf,
    signIn: (call: ReturnType<typeof browser>) => call('POST', '/session', { email, password }),
    /** Adds an authenticator app; answers its secret and the recovery codes. */
    async addApp(): Promise<{ secret: string; codes: string[] }> {
      const { secret } = (await ann('POST', '/access/totp')).body
      const { body } = await ann('POST', '/access/totp/confirm', { code: codeOf(secret) })
      pass(30)
      return { secret, codes: body.recoveryCodes }
    },
  }
}

test('an operator sees where they are signed in, and ends one session or all others', async ({ db }) => {
  const { ann, browser, signIn, pass } = await start(db)
  const [phone, tablet] = [browser('Phone'), browser('Tablet')]
  for (const call of [phone, tablet]) {
    pass(60)
    await signIn(call)
  }
  const listed = (await ann('GET', '/access')).body.sessions
  expect(listed.map(({ userAgent, isCurrent }: Record<string, unknown>) => [userAgent, isCurrent])).toEqual([
    ['Firefox', true],
    ['Tablet', false],
    ['Phone', false],
  ])
  expect(listed[0]).toMatchObject({ address: '127.0.0.1' })
  expect((await ann('DELETE', `/access/sessions/${listed[2].id}`)).status).toBe(204)
  expect((await phone('GET', '/session')).status).toBe(401)
  expect((await tablet('GET', '/session')).status).toBe(200)
  expect((await ann('DELETE', `/access/sessions/${uuidv7()}`)).body.code).toBe('CLEW_OPERATORS_NOT_FOUND')
  expect((await ann('DELETE', '/access/sessions')).status).toBe(204)
  expect((await tablet('GET', '/session')).status).toBe(401)
  expect((await ann('GET', '/access')).body.sessions).toHaveLength(1)
})

test('with an authenticator app the password alone opens nothing, and ends what it opened', async ({ db }) => {
  const { ann, browser, signIn, addApp, codeOf, pass } = await start(db)
  const before = browser('Before')
  await signIn(before)
  const { secret } = await addApp()
  expect((await before('GET', '/session')).status).toBe(401)

  const other = browser('Other')
  const { body } = await signIn(other)
  expect(body).toMatchObject({ operator: null, secondStep: { hasTotp: true, passkeyOptions: null } })
  expect((await other('GET', '/session')).status).toBe(401)
  const { ticket } = body.secondStep
  const second = (code: string) => other('POST', '/session/factor', { ticket, code })
  expect((await second('000000')).body.code).toBe('CLEW_OPERATORS_WRONG_PROOF')
  const code = codeOf(secret)
  expect((await second(code)).status).toBe(200)
  expect((await other('GET', '/session')).body.operator.email).toBe(email)
  // Neither the ticket nor the code is good again.
  expect((await second(code)).body.code).toBe('CLEW_OPERATORS_TICKET_OVER')
  const again = browser('Again')
  const next = (await signIn(again)).body.secondStep.ticket
  expect((await again('POST', '/session/factor', { ticket: next, code })).body.code).toBe('CLEW_OPERATORS_WRONG_PROOF')
  pass(301)
  const late = await again('POST', '/session/factor', { ticket: next, code: codeOf(secret) })
  expect(late.body.code).toBe('CLEW_OPERATORS_TICKET_OVER')
  expect((await ann('GET', '/access')).body.totpSince).not.toBeNull()
})

test('codes cannot be guessed on', async ({ db }) => {
  const { browser, signIn, addApp, codeOf } = await start(db)
  const { secret } = await addApp()
  const thief = browser('Thief')
  const { ticket } = (await signIn(thief)).body.secondStep
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => thief('POST', '/session/factor', { ticket, code: '000000' })),
  )
  expect(answers.filter(({ body }) => body.code === 'CLEW_OPERATORS_WRONG_PROOF')).toHaveLength(5)
  const right = await thief('POST', '/session/factor', { ticket, code: codeOf(secret) })
  expect(right.body.code).toBe('CLEW_OPERATORS_TICKET_OVER')
})

test('each recovery code signs in once; new ones end the earlier', async ({ db }) => {
  const { ann, browser, signIn, addApp } = await start(db)
  const { codes } = await addApp()
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  const enter = async (code: string) => {
    const call = browser('Other')
    const { ticket } = (await signIn(call)).body.secondStep
    return (await call('POST', '/session/factor', { ticket, code })).status
  }
  expect(await enter(codes[0]?.toUpperCase() ?? '')).toBe(200)
  expect(await enter(codes[0] ?? '')).toBe(403)
  expect((await ann('GET', '/access')).body.recoveryCodesLeft).toBe(9)
  const renewed = (await ann('POST', '/access/recovery-codes')).body.recoveryCodes
  expect(await enter(codes[1] ?? '')).toBe(403)
  expect(await enter(renewed[0])).toBe(200)
  const rows = await db.admin.query({
    text: 'select code_hash from clew_operators.operator_recovery_codes',
    values: [],
  })
  expect(JSON.stringify(rows.rows)).not.toContain(renewed[1])
})

test('a factor is changed only with a fresh proof of it', async ({ db }) => {
  const { ann, addApp, pass, codeOf } = await start(db)
  const { secret } = await addApp()
  const stored = await db.admin.query({ text: 'select sealed_secret from clew_operators.operator_totp', values: [] })
  expect(JSON.stringify(stored.rows)).not.toContain(secret)
  pass(601)
  const calls = [
    ['DELETE', '/access/totp'],
    ['POST', '/access/recovery-codes'],
    ['POST', '/access/passkeys/options'],
    ['DELETE', `/access/passkeys/${uuidv7()}`],
  ] as const
  for (const [method, url] of calls) expect((await ann(method, url)).body.code).toBe('CLEW_OPERATORS_PROOF_NEEDED')
  // The password is no proof of an account with a factor.
  expect((await ann('POST', '/access/proof', { password })).body.code).toBe('CLEW_OPERATORS_WRONG_PROOF')
  expect((await ann('POST', '/access/proof', { code: codeOf(secret) })).status).toBe(204)
  expect((await ann('DELETE', '/access/totp')).status).toBe(204)
  expect((await ann('GET', '/access')).body).toMatchObject({ totpSince: null, recoveryCodesLeft: 0 })
  pass(601)
  expect((await ann('POST', '/access/totp')).body.code).toBe('CLEW_OPERATORS_PROOF_NEEDED')
  expect((await ann('POST', '/access/proof', { password: 'wrong' })).body.code).toBe('CLEW_OPERATORS_WRONG_PROOF')
  expect((await ann('POST', '/access/proof', { password })).status).toBe(204)
  expect((await ann('POST', '/access/totp')).status).toBe(200)
})

test('a passkey is added, named, signs in as the second step, and is removed', async ({ db }) => {
  const { ann, browser, signIn } = await start(db)
  const device = createSoftwareAuthenticator('http://localhost:54323')
  const { ticket, options } = (await ann('POST', '/access/passkeys/options')).body
  const made = { ticket, credential: device.create(options), name: 'Laptop' }
  const added = await ann('POST', '/access/passkeys', made)
  expect([added.status, added.body.recoveryCodes.length]).toEqual([201, 10])
  expect((await ann('POST', '/access/passkeys', made)).body.code).toBe('CLEW_OPERATORS_WRONG_PROOF')
  const [passkey] = (await ann('GET', '/access')).body.passkeys
  expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null })
  expect((await ann('PATCH', `/access/passkeys/${passkey.id}`, { name: 'Old laptop' })).status).toBe(204)

  const other = browser('Other')
  const step = (await signIn(other)).body.secondStep
  expect(step.hasTotp).toBe(false)
  const answer = (credential: unknown) => other('POST', '/session/factor', { ticket: step.ticket, credential })
  const asked = step.passkeyOptions
  const wrong = [
    { id: made.credential.id },
    device.get(asked, { origin: 'http://evil.example' }),
    device.get(asked, { forged: true }),
    null,
  ]
  for (const credential of wrong) expect((await answer(credential)).body.code).toBe('CLEW_OPERATORS_WRONG_PROOF')
  expect((await answer(device.get(asked))).status).toBe(200)

  const { ceremony } = (await other('POST', '/access/proof/options')).body
  const proof = { ticket: ceremony.ticket, credential: device.get(ceremony.options) }
  expect((await other('POST', '/access/proof', proof)).status).toBe(204)
  expect((await other('GET', '/access')).body.passkeys[0]).toMatchObject({
    name: 'Old laptop',
    lastUsedAt: expect.any(String),
  })
  expect((await other('DELETE', `/access/passkeys/${passkey.id}`)).status).toBe(204)
  expect((await signIn(browser('Next'))).body.operator.email).toBe(email)
})

test('the machine’s owner takes the factors of an account away, and ends its sessions', async ({ db }) => {
  const { operators, ann, browser, signIn, addApp } = await start(db)
  await addApp()
  expect(await operators.resetFactors('nobody@example.com')).toBe(false)
  expect(await operators.resetFactors(' Ann@Example.com ')).toBe(true)
  expect((await ann('GET', '/session')).status).toBe(401)
  expect((await signIn(browser('Next'))).body.operator.email).toBe(email)
})
