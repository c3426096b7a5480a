import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { refusalOf } from '../../../../test/cases/auth/people.ts'
import { test } from '../../../../test/harness.ts'
import { sendNoSms } from '../model/sms.ts'

const phone = '4915112345678'
const password = 'a good password'
const confirming = { smsEnableSignup: true, smsEnableConfirmations: true }

const signUp = (auth: TestAuth, extra: object = {}) =>
  auth.call('POST', '/signup', { body: { phone: '+49 1511 2345678', password, ...extra } })
const signIn = (auth: TestAuth) =>
  auth.call('POST', '/token?grant_type=password', { body: { phone: '+4915112345678', password } })
const verify = (auth: TestAuth, body: object) => auth.call('POST', '/verify', { body: { type: 'sms', phone, ...body } })
const sent = (auth: TestAuth) => auth.messages.at(-1)

test('a number is confirmed by the code that was sent to it, once', async ({ db }) => {
  const auth = await startAuth(db, { ...confirming, smsTemplate: 'Use {{ .Code }} here' })
  const { status, body } = await signUp(auth, { data: { name: 'Ann' } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ phone, email: '', app_metadata: { provider: 'phone', providers: ['phone'] } })
  expect(body.identities).toMatchObject([{ provider: 'phone', id: body.id }])
  expect(body).not.toHaveProperty('access_token')
  expect(refusalOf(await signIn(auth))).toEqual([400, 'phone_not_confirmed'])
  const message = sent(auth)
  expect(message).toMatchObject({ phone, channel: 'sms', userId: body.id, message: `Use ${message?.otp} here` })
  const token = message?.otp ?? ''
  expect(refusalOf(await verify(auth, { token, type: 'phone_change' }))).toEqual([403, 'otp_expired'])
  const answers = await Promise.all([1, 2, 3].map(() => verify(auth, { token, phone: `+${phone}` })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403, 403])
  const session = answers.find((answer) => answer.status === 200)?.body
  expect(session.user.phone_confirmed_at).toBeDefined()
  expect(session.user.user_metadata.name).toBe('Ann')
  expect((await signIn(auth)).body.user.id).toBe(body.id)
})

test('a code by message dies after a minute', async ({ db }) => {
  const auth = await startAuth(db, confirming)
  await signUp(auth)
  auth.pass(61)
  expect(refusalOf(await verify(auth, { token: sent(auth)?.otp }))).toEqual([403, 'otp_expired'])
})

test('without confirmations a number gives a session at once', async ({ db }) => {
  const auth = await startAuth(db, { smsEnableSignup: true })
  expect((await signUp(auth)).body).toMatchObject({ token_type: 'bearer', user: { phone } })
  expect(auth.messages).toEqual([])
  expect(refusalOf(await signUp(auth))).toEqual([422, 'user_already_exists'])
})

test.for([
  ['phone sign-up that is off', {}, '/signup', { phone, password }, 400, 'phone_provider_disabled'],
  ['a phone code that is off', {}, '/otp', { phone }, 400, 'phone_provider_disabled'],
  ['resending that is off', {}, '/resend', { type: 'sms', phone }, 400, 'phone_provider_disabled'],
  [
    'a phone password that is off',
    {},
    '/token?grant_type=password',
    { phone, password },
    422,
    'phone_provider_disabled',
  ],
  ['no number', confirming, '/signup', { phone: '0123', password }, 400, 'validation_failed'],
  ['letters', confirming, '/otp', { phone: '+49 abc' }, 400, 'validation_failed'],
  ['another channel', confirming, '/otp', { phone, channel: 'pigeon' }, 400, 'validation_failed'],
  ['a channel nobody serves', confirming, '/otp', { phone, channel: 'whatsapp' }, 400, 'validation_failed'],
  ['PKCE', confirming, '/signup', { phone, password, code_challenge: 'x'.repeat(43) }, 400, 'validation_failed'],
  ['a new number where none is wanted', confirming, '/otp', { phone, create_user: false }, 422, 'otp_disabled'],
  ['a hash instead of a code', confirming, '/verify', { type: 'sms', token_hash: 'x' }, 400, 'validation_failed'],
] as const)('refused: %s', async ([, settings, path, body, status, code], { db }) => {
  const auth = await startAuth(db, settings)
  expect(refusalOf(await auth.call('POST', path, { body }))).toEqual([status, code])
})

test('a code signs a new number in, and a known one; asking too often is rejected', async ({ db }) => {
  const auth = await startAuth(db, { ...confirming, smsProvider: 'twilio' })
  for (const round of [1, 2]) {
    const asked = await auth.call('POST', '/otp', { body: { phone, channel: 'whatsapp' } })
    expect([asked.status, asked.body]).toEqual([200, { message_id: `message-${round}` }])
    expect(sent(auth)?.channel).toBe('whatsapp')
    expect(refusalOf(await auth.call('POST', '/otp', { body: { phone } }))).toEqual([429, 'over_sms_send_rate_limit'])
    expect((await verify(auth, { token: sent(auth)?.otp })).status).toBe(200)
    auth.pass(6)
  }
})

test('a code is sent again to a user who waits for it, and the answer does not show who does', async ({ db }) => {
  const auth = await startAuth(db, confirming)
  await signUp(auth)
  auth.pass(6)
  const resend = (body: object) => auth.call('POST', '/resend', { body })
  const answered = await resend({ type: 'sms', phone })
  expect(answered.body).toEqual({ message_id: 'message-2' })
  expect((await resend({ type: 'sms', phone: '4915100000000' })).body).toEqual({})
  const session = (await verify(auth, { token: sent(auth)?.otp })).body
  expect((await resend({ type: 'sms', phone })).body).toEqual({})
  expect((await resend({ type: 'phone_change', phone })).body).toEqual({})
  const change = { token: session.access_token, body: { phone: '+491600000000' } }
  expect((await auth.call('PUT', '/user', change)).body).toMatchObject({ phone, new_phone: '491600000000' })
  auth.pass(6)
  expect((await resend({ type: 'phone_change', phone: `+${phone}` })).body).toEqual({ message_id: 'message-4' })
  expect(sent(auth)?.phone).toBe('491600000000')
  const typed = { type: 'phone_change', phone: '491600000000', token: sent(auth)?.otp }
  const changed = (await verify(auth, typed)).body.user
  expect(changed).toMatchObject({ phone: '491600000000', identities: [{ identity_data: { phone: '491600000000' } }] })
  expect(changed).not.toHaveProperty('new_phone')
})

test('a number of another user is no number to change to', async ({ db }) => {
  const auth = await startAuth(db, { smsEnableSignup: true })
  await signUp(auth)
  const { body } = await auth.call('POST', '/signup', { body: { email: 'ann@example.com', password } })
  const to = (number: string) =>
    auth.call('PUT', '/user', { token: body.access_token, body: { phone: number, data: { a: 1 } } })
  expect(refusalOf(await to(phone))).toEqual([422, 'phone_exists'])
  const { body: changed } = await to('491600000000')
  expect(changed).toMatchObject({ phone: '491600000000', app_metadata: { providers: ['email', 'phone'] } })
})

test('an anonymous user becomes a lasting one by a number', async ({ db }) => {
  const auth = await startAuth(db, { ...confirming, enableAnonymousSignIns: true })
  const { body } = await auth.call('POST', '/signup', { body: {} })
  await auth.call('PUT', '/user', { token: body.access_token, body: { phone, password } })
  const { body: session } = await verify(auth, { type: 'phone_change', token: sent(auth)?.otp })
  expect(session.user).toMatchObject({ id: body.user.id, is_anonymous: false, phone })
  expect((await signIn(auth)).status).toBe(200)
})

test('test numbers are sent nothing, and their code is right as often as it is typed', async ({ db }) => {
  const tested = { ...confirming, smsTestOtp: [`${phone}=123456`], smsTestOtpValidUntil: '2100-01-01T00:00:00Z' }
  const auth = await startAuth(db, tested)
  expect((await auth.call('POST', '/otp', { body: { phone } })).body).toEqual({ message_id: 'test-otp' })
  expect(auth.messages).toEqual([])
  expect((await verify(auth, { token: '654321' })).status).toBe(403)
  for (const _round of [1, 2]) expect((await verify(auth, { token: '123456' })).status).toBe(200)
})

test('where no message can be sent nothing is stored, and another try is possible', async ({ db }) => {
  const auth = await startAuth(db, confirming, { sendSms: sendNoSms })
  for (const _round of [1, 2])
    expect(refusalOf(await auth.call('POST', '/otp', { body: { phone } }))).toEqual([422, 'sms_send_failed'])
  const { rows } = await db.admin.query({ text: 'select 1 from auth.users', values: [] })
  expect(rows).toEqual([])
})

test('a provider that makes its own codes is asked about them', async ({ db }) => {
  const auth = await startAuth(db, confirming, { checkSmsCode: async ({ code }) => code === '777777' })
  await signUp(auth)
  expect((await verify(auth, { token: sent(auth)?.otp })).status).toBe(403)
  expect((await verify(auth, { token: '777777' })).status).toBe(200)
})
