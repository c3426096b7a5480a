import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { type Answer, startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { ann, bob, from, post, refusalOf, signUp } from '../../../../test/cases/auth/people.ts'
import { test } from '../../../../test/harness.ts'
import type { AuthSettings } from '../index.ts'

const phone = '4915112345678'
const day = 86_400
const limited = { otpMaxWrongGuesses: 3 }
const recover = async (auth: TestAuth, place = 1) => {
  await post(auth, '/recover', { email: ann.email }, from(place))
  return auth.codeFor(ann.email)
}
const tryRecovery = (auth: TestAuth, token: string, place = 1) =>
  post(auth, '/verify', { type: 'recovery', email: ann.email, token }, from(place))

/** Each kind of code that is sent: how it is asked for, and how one is typed. */
interface Kind {
  readonly settings: Partial<AuthSettings>
  readonly ask: (auth: TestAuth, token: string) => Promise<string>
  readonly type: (auth: TestAuth, token: string, code: string) => Promise<Answer>
}

const sms = (auth: TestAuth) => auth.messages.at(-1)?.otp ?? ''
const kinds: Readonly<Record<string, Kind>> = {
  'a sign-up': {
    settings: { emailEnableConfirmations: true },
    async ask(auth) {
      auth.pass(2)
      await post(auth, '/signup', bob)
      return auth.codeFor(bob.email)
    },
    type: (auth, _, token) => post(auth, '/verify', { type: 'email', email: bob.email, token }),
  },
  'a new address': {
    settings: {},
    async ask(auth, token) {
      auth.pass(2)
      await auth.call('PUT', '/user', { token, body: { email: bob.email } })
      return auth.codeFor(bob.email)
    },
    type: (auth, _, token) => post(auth, '/verify', { type: 'email_change', email: bob.email, token }),
  },
  'a new password': {
    settings: { securePasswordChange: true, jwtExpirySeconds: 7 * day },
    async ask(auth, token) {
      auth.pass(day + 1)
      await auth.call('GET', '/reauthenticate', { token })
      return auth.codeFor(ann.email)
    },
    type: (auth, token, nonce) => auth.call('PUT', '/user', { token, body: { password: `of ${nonce}`, nonce } }),
  },
  'a number': {
    settings: { smsEnableSignup: true, smsEnableConfirmations: true },
    async ask(auth) {
      auth.pass(6)
      await post(auth, '/otp', { phone })
      return sms(auth)
    },
    type: (auth, _, token) => post(auth, '/verify', { type: 'sms', phone, token }),
  },
  'another number': {
    settings: { smsEnableSignup: true, smsEnableConfirmations: true },
    async ask(auth, token) {
      auth.pass(6)
      await auth.call('PUT', '/user', { token, body: { phone } })
      return sms(auth)
    },
    type: (auth, _, token) => post(auth, '/verify', { type: 'phone_change', phone, token }),
  },
}

test.for(Object.keys(kinds))(
  '%s: three wrong codes make the code void, and the next one is good',
  async (name, { db }) => {
    const { settings, ask, type } = kinds[name] as Kind
    const auth = await startAuth(db, { ...settings, ...limited })
    await asConfirmed(auth)
    const { access_token: token } = (await post(auth, '/token?grant_type=password', ann)).body
    const voided = await ask(auth, token)
    for (let guess = 0; guess < 3; guess++)
      expect((await type(auth, token, 'wrong1')).status).toBeGreaterThanOrEqual(403)
    expect((await type(auth, token, voided)).status).toBeGreaterThanOrEqual(403)
    expect((await type(auth, token, await ask(auth, token))).status).toBe(200)
  },
)

const asConfirmed = (auth: TestAuth) =>
  auth.call('POST', '/admin/users', { token: auth.apiKeys.serviceRoleKey, body: { ...ann, email_confirm: true } })

test('wrong guesses from another address do not void the code for its recipient', async ({ db }) => {
  const auth = await startAuth(db, limited)
  await signUp(auth)
  const code = await recover(auth)
  for (let guess = 0; guess < 40; guess++) await tryRecovery(auth, 'guess', 2 + guess)
  expect((await tryRecovery(auth, code, 99)).status).toBe(429)
  expect((await tryRecovery(auth, code)).status).toBe(200)
})

test('of codes that are tried at once each is counted', async ({ db }) => {
  const auth = await startAuth(db, limited)
  await signUp(auth)
  const code = await recover(auth)
  await Promise.all(Array.from({ length: 12 }, (_, guess) => tryRecovery(auth, `wrong${guess}`)))
  expect(refusalOf(await tryRecovery(auth, code))).toEqual([403, 'otp_expired'])
})

test('the hash of a link cannot be made from the code and the address, which nothing would count', async ({ db }) => {
  const auth = await startAuth(db)
  await signUp(auth)
  const guessed = createHash('sha224')
    .update(`${ann.email}${await recover(auth)}`)
    .digest('hex')
  for (const token_hash of [guessed, `pkce_${guessed}`])
    expect(refusalOf(await post(auth, '/verify', { type: 'recovery', token_hash }))).toEqual([403, 'otp_expired'])
})

test('a provider that keeps the codes is asked about no more of them', async ({ db }) => {
  const asked: string[] = []
  const checkSmsCode = async ({ code }: { readonly code: string }) => asked.push(code) > 0 && code === '777777'
  const settings = { ...limited, smsEnableSignup: true, smsEnableConfirmations: true }
  const auth = await startAuth(db, settings, { checkSmsCode })
  const type = (token: string) => post(auth, '/verify', { type: 'sms', phone, token })
  expect((await type('777777')).status).toBe(403)
  await post(auth, '/otp', { phone })
  await Promise.all(Array.from({ length: 9 }, () => type('000000')))
  expect([(await type('777777')).status, asked.length]).toEqual([403, 3])
  auth.pass(6)
  await post(auth, '/otp', { phone })
  expect((await type('777777')).status).toBe(200)
})

test('a code sent to a second factor is void after as many wrong ones, and the next challenge is good', async ({
  db,
}) => {
  const auth = await startAuth(db, { ...limited, mfaPhoneEnrollEnabled: true, mfaPhoneVerifyEnabled: true })
  const { access_token: token } = await signUp(auth)
  const { body: factor } = await auth.call('POST', '/factors', { token, body: { factor_type: 'phone', phone } })
  const ask = async () => (await auth.call('POST', `/factors/${factor.id}/challenge`, { token })).body.id as string
  const answer = (challenge_id: string, code: string) =>
    auth.call('POST', `/factors/${factor.id}/verify`, { token, body: { challenge_id, code } })
  const first = await ask()
  await Promise.all(Array.from({ length: 9 }, () => answer(first, '000000')))
  expect(refusalOf(await answer(first, sms(auth)))).toEqual([422, 'mfa_challenge_expired'])
  auth.pass(61)
  expect((await answer(await ask(), sms(auth))).status).toBe(200)
})

test('who knows a password and guesses codes delays no call where the factor was used before', async ({ db }) => {
  const auth = await startAuth(db)
  const { access_token: token } = await signUp(auth)
  const { body: factor } = await auth.call('POST', '/factors', { token, body: { factor_type: 'totp' } })
  const { body: asked } = await auth.call('POST', `/factors/${factor.id}/challenge`, { token, headers: from(1) })
  const answer = (place: number) => {
    const body = { challenge_id: asked.id, code: '000000' }
    return auth.call('POST', `/factors/${factor.id}/verify`, { token, body, headers: from(place) })
  }
  const used = `update auth.sessions set factor_id = '${factor.id}', ip = '198.51.100.1'`
  await db.admin.query({ text: used, values: [] })
  for (let guess = 0; guess < 30; guess++) await answer(2 + guess)
  expect(refusalOf(await answer(99))).toEqual([429, 'over_request_rate_limit'])
  expect(refusalOf(await answer(1))).toEqual([422, 'mfa_verification_failed'])
})

test('a stranger’s number asked for again and again tells nothing, and is sent nothing', async ({ db }) => {
  const auth = await startAuth(db, { smsEnableSignup: true, smsEnableConfirmations: true, smsMaxFrequencySeconds: 60 })
  for (const type of ['phone_change', 'phone_change', 'sms', 'sms']) {
    const { status, body } = await post(auth, '/resend', { type, phone: '4915100000000' })
    expect([status, body]).toEqual([200, {}])
  }
  expect(auth.messages).toEqual([])
})
