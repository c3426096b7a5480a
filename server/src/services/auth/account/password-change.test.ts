import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { ann, refusalOf, signIn, signUp } from '../../../../test/cases/auth/people.ts'
import { test } from '../../../../test/harness.ts'

const wanted = 'the next password'
const day = 86_400
const change = (auth: TestAuth, token: string, more: object = {}) =>
  auth.call('PUT', '/user', { token, body: { password: wanted, ...more } })

test('late in a session a new password needs a code that was sent for it, once', async ({ db }) => {
  const auth = await startAuth(db, {
    securePasswordChange: true,
    jwtExpirySeconds: 7 * day,
    emailMaxFrequencySeconds: 60,
  })
  const { access_token: token } = await signUp(auth)
  expect((await change(auth, token)).status).toBe(200)
  auth.pass(day + 1)
  const late = (more: object = {}) => change(auth, token, { password: 'one more password', ...more })
  expect(refusalOf(await late())).toEqual([400, 'reauthentication_needed'])
  expect(refusalOf(await late({ nonce: '000000' }))).toEqual([422, 'reauthentication_not_valid'])
  expect((await auth.call('GET', '/reauthenticate', { token })).body).toEqual({})
  expect(refusalOf(await auth.call('GET', '/reauthenticate', { token }))).toEqual([429, 'over_email_send_rate_limit'])
  const nonce = (await auth.codeFor(ann.email)) || ''
  expect((await late({ nonce })).status).toBe(200)
  expect(refusalOf(await late({ nonce, password: 'and another one' }))).toEqual([422, 'reauthentication_not_valid'])
})

test('a code for it dies with time', async ({ db }) => {
  const auth = await startAuth(db, { securePasswordChange: true, jwtExpirySeconds: 7 * day })
  const { access_token: token } = await signUp(auth)
  auth.pass(day + 1)
  await auth.call('GET', '/reauthenticate', { token })
  auth.pass(3601)
  expect(refusalOf(await change(auth, token, { nonce: await auth.codeFor(ann.email) }))).toEqual([
    422,
    'reauthentication_not_valid',
  ])
})

test('who has a phone only is sent the code there', async ({ db }) => {
  const auth = await startAuth(db, { smsEnableSignup: true, securePasswordChange: true, jwtExpirySeconds: 7 * day })
  const { access_token: token } = await signUp(auth, { phone: '4915112345678', password: ann.password })
  auth.pass(day + 1)
  expect((await auth.call('GET', '/reauthenticate', { token })).body).toEqual({ message_id: 'message-1' })
  expect((await change(auth, token, { nonce: auth.messages[0]?.otp })).status).toBe(200)
})

test('reauthenticating needs an address, and a user', async ({ db }) => {
  const auth = await startAuth(db, { enableAnonymousSignIns: true })
  const { access_token: token } = await signUp(auth, {})
  expect(refusalOf(await auth.call('GET', '/reauthenticate', { token }))).toEqual([400, 'validation_failed'])
  expect(refusalOf(await auth.call('GET', '/reauthenticate'))).toEqual([401, 'no_authorization'])
})

test('the current password is asked for, unless a link or code opened the session', async ({ db }) => {
  const auth = await startAuth(db, { requireCurrentPassword: true })
  const { access_token: token } = await signUp(auth)
  expect(refusalOf(await change(auth, token))).toEqual([400, 'current_password_required'])
  expect(refusalOf(await change(auth, token, { current_password: 'x' }))).toEqual([400, 'current_password_invalid'])
  expect((await change(auth, token, { current_password: ann.password })).status).toBe(200)
  expect(refusalOf(await change(auth, token, { current_password: wanted }))).toEqual([422, 'same_password'])
  await auth.call('POST', '/recover', { body: { email: ann.email } })
  const code = { type: 'recovery', email: ann.email, token: await auth.codeFor(ann.email) }
  const { body } = await auth.call('POST', '/verify', { body: code })
  expect((await change(auth, body.access_token, { password: 'a third password' })).status).toBe(200)
})

test('a sign-in says when the password would be too weak by now', async ({ db }) => {
  await signUp(await startAuth(db))
  const auth = await startAuth(db, { minimumPasswordLength: 40 })
  const { status, body } = await signIn(auth)
  expect([status, body.weak_password.reasons]).toEqual([200, ['length']])
})

test('passwords that were brought along are accepted as they are', async ({ db }) => {
  const auth = await startAuth(db)
  const hashes = [
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    '$2y$05$/OK.fbVrR/bpIqNJ5ianF.o./n25XVfpJ4GWZ1xA.4RWSZ5g7g2ZG',
  ]
  for (const [index, password_hash] of hashes.entries()) {
    const email = `import${index}@example.com`
    const made = await auth.call('POST', '/admin/users', {
      token: auth.apiKeys.serviceRoleKey,
      body: { email, password_hash, email_confirm: true },
    })
    expect(made.status).toBe(200)
  }
  expect((await signIn(auth, { email: 'import0@example.com', password: 'password' })).status).toBe(200)
  expect((await signIn(auth, { email: 'import1@example.com', password: 'wrong' })).status).toBe(400)
})

test('too many sign-ins at a time are rejected, not queued without end', async ({ db }) => {
  // A hash takes so long that the others come meanwhile.
  const auth = await startAuth(db, { passwordHashConcurrency: 1, passwordHashQueue: 1 }, { passwordHashCost: 12 })
  await signUp(auth)
  const answers = await Promise.all(Array.from({ length: 6 }, () => signIn(auth)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(statuses).toContain(429)
  expect(answers.find(({ status }) => status === 429)?.body.error_code).toBe('over_request_rate_limit')
})
