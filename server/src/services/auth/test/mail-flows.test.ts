import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { test } from '../../../../test/harness.ts'

const email = 'ann@example.com'
const password = 'a good password'
const confirming = { emailEnableConfirmations: true, additionalRedirectUrls: ['http://localhost:5173/**'] }

const verify = (auth: TestAuth, body: object) => auth.call('POST', '/verify', { body })
const signUp = (auth: TestAuth, extra: object = {}) =>
  auth.call('POST', '/signup', { body: { email, password, ...extra } })

test('an address is confirmed by the code, once, under any number of attempts at the same time', async ({ db }) => {
  const auth = await startAuth(db, confirming)
  const { body } = await signUp(auth)
  expect(body).toMatchObject({ email, identities: [{ provider: 'email' }] })
  expect(body).not.toHaveProperty('access_token')
  expect(body.confirmation_sent_at).toBeDefined()
  const early = await auth.call('POST', '/token?grant_type=password', { body: { email, password } })
  expect([early.status, early.body.error_code]).toEqual([400, 'email_not_confirmed'])

  const token = await auth.codeFor(email)
  expect((await verify(auth, { type: 'signup', token, email: 'bob@example.com' })).body.error_code).toBe('otp_expired')
  expect((await verify(auth, { type: 'recovery', token, email })).body.error_code).toBe('otp_expired')
  const answers = await Promise.all(Array.from({ length: 8 }, () => verify(auth, { type: 'signup', token, email })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(7).fill(403)])
  const session = answers.find((answer) => answer.status === 200)?.body
  expect(session.user.user_metadata.email_verified).toBe(true)
  expect(session.user.identities[0].identity_data.email_verified).toBe(true)
})

test('signing up again tells nothing and changes nothing', async ({ db }) => {
  const auth = await startAuth(db, { ...confirming, emailMaxFrequencySeconds: 60 })
  await signUp(auth)
  const first = await auth.codeFor(email)
  expect((await signUp(auth)).body.error_code).toBe('over_email_send_rate_limit')
  auth.pass(61)
  expect((await signUp(auth, { password: 'the password of a thief', data: { a: 1 } })).status).toBe(200)
  const token = await auth.codeFor(email)
  expect((await verify(auth, { type: 'signup', token: first, email })).status).toBe(403)
  const { body } = await verify(auth, { type: 'email', token, email })
  expect(body.user.user_metadata).not.toHaveProperty('a')
  expect((await auth.call('POST', '/token?grant_type=password', { body: { email, password } })).status).toBe(200)

  const mails = (await auth.inbox.list({ start: 0, limit: 10 })).total
  const known = await signUp(auth)
  const fresh = await auth.call('POST', '/signup', { body: { email: 'new@example.com', password } })
  expect(Object.keys(known.body).sort()).toEqual(Object.keys(fresh.body).sort())
  expect(known.body).toMatchObject({ identities: [], role: '', email })
  expect(known.body.id).not.toBe(body.user.id)
  expect((await auth.inbox.search(`to:${email}`, { start: 0, limit: 10 })).mails).toHaveLength(mails)
})

test('a code signs a new user in, and a known one', async ({ db }) => {
  const auth = await startAuth(db)
  expect((await auth.call('POST', '/otp', { body: { email, create_user: false } })).body.error_code).toBe(
    'otp_disabled',
  )
  for (const round of [1, 2]) {
    const sent = await auth.call('POST', '/otp', { body: { email } })
    expect([round, sent.status, sent.body]).toEqual([round, 200, {}])
    const { status, body } = await verify(auth, {
      type: 'email',
      token: await auth.codeFor(email),
      email: 'ANN@example.com',
    })
    expect([status, body.user?.email]).toEqual([200, email])
    auth.pass(2)
  }
  const { rows } = await db.admin.query({ text: 'select count(*)::int as users from auth.users', values: [] })
  expect(rows).toEqual([{ users: 1 }])
})

test('a code lives as long as the setting says', async ({ db }) => {
  const auth = await startAuth(db)
  await auth.call('POST', '/otp', { body: { email } })
  auth.pass(3601)
  const late = await verify(auth, { type: 'email', token: await auth.codeFor(email), email })
  expect([late.status, late.body.error_code]).toEqual([403, 'otp_expired'])
})

test('asking for a new password tells nothing of who has an account', async ({ db }) => {
  const auth = await startAuth(db)
  await signUp(auth)
  const ask = (address: string) => auth.call('POST', '/recover', { body: { email: address } })
  for (const _ of [1, 2]) {
    const known = await ask(email)
    const unknown = await ask('nobody@example.com')
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  }
  const resent = await auth.call('POST', '/resend', { body: { type: 'signup', email: 'nobody@example.com' } })
  expect([resent.status, resent.body]).toEqual([200, {}])
  expect((await auth.inbox.list({ start: 0, limit: 10 })).total).toBe(1)
})

test('the link of a mail leads back with a session in the fragment, once', async ({ db }) => {
  const auth = await startAuth(db, confirming)
  await auth.call('POST', '/signup?redirect_to=http%3A%2F%2Flocalhost%3A5173%2Fin%3Fa%3Db', {
    body: { email, password },
  })
  const link = await auth.linkFor(email)
  const { status, headers } = await auth.call('GET', link)
  const location = new URL(String(headers.location))
  expect([status, location.origin, location.search]).toEqual([303, 'http://localhost:5173', '?a=b'])
  const fields = [...new URLSearchParams(location.hash.slice(1)).keys()]
  expect(fields).toEqual(['access_token', 'expires_at', 'expires_in', 'refresh_token', 'sb', 'token_type', 'type'])
  const again = await auth.call('GET', link)
  expect(again.status).toBe(303)
  expect(String(again.headers.location)).toBe(
    'http://localhost:5173/in?a=b#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
  )
})

test('a link never leads to an address that is not allowed', async ({ db }) => {
  const auth = await startAuth(db)
  await signUp(auth)
  const options = { body: { email }, headers: { referer: 'https://evil.example', 'x-forwarded-host': 'evil.example' } }
  await auth.call('POST', '/recover?redirect_to=https%3A%2F%2Fevil.example', options)
  const link = await auth.linkFor(email)
  expect(link).not.toContain('evil')
  const { headers } = await auth.call(
    'GET',
    link.replace(/redirect_to=[^&]*/, 'redirect_to=https%3A%2F%2Fevil.example'),
  )
  expect(String(headers.location)).toMatch(/^http:\/\/127\.0\.0\.1:3000#access_token=.*type=recovery$/)
})

test('a link with a token that the database cannot hold leads back like any other that is wrong', async ({ db }) => {
  const auth = await startAuth(db)
  const { status, headers } = await auth.call('GET', '/verify?token=a%00b&type=signup')
  expect([status, String(headers.location)]).toEqual([
    303,
    expect.stringContaining('#error=access_denied&error_code=otp_expired'),
  ])
})

test('a new address needs the word of both, in either order', async ({ db }) => {
  const auth = await startAuth(db)
  const { body } = await signUp(auth)
  const token = body.access_token
  await auth.call('POST', '/signup', { body: { email: 'taken@example.com', password } })
  const put = (address: string) => auth.call('PUT', '/user', { token, body: { email: address } })
  expect((await put('Taken@example.com')).body.error_code).toBe('email_exists')
  expect((await put('New@example.com')).body).toMatchObject({ email, new_email: 'new@example.com' })
  const change = async (address: string) =>
    verify(auth, { type: 'email_change', token: await auth.codeFor(address), email: address })
  const first = await change('new@example.com')
  expect(first.body).toMatchObject({ code: '200', msg: expect.stringContaining('other email') })
  expect((await change('new@example.com')).body.error_code).toBe('otp_expired')
  const again = await auth.call('GET', '/user', { token })
  expect(again.body.email).toBe(email)
  const second = await change(email)
  expect(second.body.user).toMatchObject({ id: body.user.id, email: 'new@example.com' })
  expect(second.body.user).not.toHaveProperty('new_email')
  expect(second.body.user.identities).toMatchObject([{ email: 'new@example.com' }])
})

test('a change of address dies with a change of the password', async ({ db }) => {
  const auth = await startAuth(db, { emailDoubleConfirmChanges: false })
  const { body } = await signUp(auth)
  const put = (fields: object) => auth.call('PUT', '/user', { token: body.access_token, body: fields })
  await put({ email: 'new@example.com' })
  const code = await auth.codeFor('new@example.com')
  await put({ password: 'a better password' })
  const late = await verify(auth, { type: 'email_change', token: code, email: 'new@example.com' })
  expect(late.body.error_code).toBe('otp_expired')
})

test.for(['', '?token=x', '?type=signup'])(
  'a link without its parameters (%s) is refused as JSON',
  async (query, { db }) => {
    const auth = await startAuth(db)
    const { status, body } = await auth.call('GET', `/verify${query}`)
    expect([status, body.error_code]).toEqual([400, 'validation_failed'])
  },
)

test('a PKCE link leads back with a code, which its own browser exchanges once', async ({ db }) => {
  const auth = await startAuth(db)
  const verifier = 'v'.repeat(60)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  await auth.call('POST', '/otp', { body: { email, code_challenge, code_challenge_method: 's256' } })
  const { headers } = await auth.call('GET', await auth.linkFor(email))
  const location = new URL(String(headers.location))
  expect(location.hash).toBe('')
  const auth_code = location.searchParams.get('code')
  const exchange = (code_verifier: string) =>
    auth.call('POST', '/token?grant_type=pkce', { body: { auth_code, code_verifier } })
  expect((await exchange(code_challenge)).body.error_code).toBe('bad_code_verifier')
  const answers = await Promise.all([exchange(verifier), exchange(verifier)])
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404])
  expect(answers.find((answer) => answer.status === 200)?.body.user.email).toBe(email)
})

test.for([
  [{ token: '123456', email }, 'validation_failed'],
  [{ type: 'nonsense', token: '123456', email }, 'validation_failed'],
  [{ type: 'constructor', token: '123456', email }, 'validation_failed'],
  [{ type: 'email' }, 'validation_failed'],
  [{ type: 'email', token: '123456' }, 'validation_failed'],
  [{ type: 'email', token: '123456', token_hash: 'x' }, 'validation_failed'],
  [{ type: 'email', token_hash: 'x', email }, 'validation_failed'],
  [{ type: 'email', token: '123456', email: 'ann' }, 'validation_failed'],
  [{ type: 'email', token: ['123456'], email }, 'bad_json'],
  [{ type: 'email', token_hash: { $ne: '' } }, 'bad_json'],
  [{ type: 'email', token_hash: '%' }, 'otp_expired'],
  [{ type: 'email', token_hash: 'x'.repeat(900_000) }, 'otp_expired'],
] as const)('verifying %j is refused with %s', async ([body, code], { db }) => {
  const auth = await startAuth(db)
  expect((await verify(auth, body)).body.error_code).toBe(code)
})
