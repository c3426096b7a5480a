import { expect } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { ann, bob, claimsOf, refresh, signIn, signUp } from '../../../../test/cases/auth/people.ts'
import { test } from '../../../../test/harness.ts'
import { localApiKeys } from '../../../ground/jwt/api-keys.ts'
import { signToken } from '../../../ground/jwt/sign.ts'

test('twenty tabs that refresh at once get the same new token', async ({ db }) => {
  const auth = await startAuth(db)
  const { refresh_token } = await signUp(auth)
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(auth, refresh_token)))
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200))
  const [next] = new Set(answers.map((answer) => answer.body.refresh_token))
  expect(new Set(answers.map((answer) => answer.body.refresh_token)).size).toBe(1)
  auth.pass(3600)
  expect((await refresh(auth, refresh_token)).body.refresh_token).toBe(next)
})

test('a refresh token of the past ends the session, and the end survives the error', async ({ db }) => {
  const auth = await startAuth(db)
  const { refresh_token: first, access_token } = await signUp(auth)
  const second = (await refresh(auth, first)).body.refresh_token
  const third = (await refresh(auth, second)).body.refresh_token
  auth.pass(11)
  const replayed = await refresh(auth, first)
  expect([replayed.status, replayed.body.error_code]).toEqual([400, 'refresh_token_already_used'])
  for (const token of [second, third])
    expect((await refresh(auth, token)).body.error_code).toBe('refresh_token_already_used')
  expect((await auth.call('GET', '/user', { token: access_token })).status).toBe(200)
})

test.for([
  ['aaaaaaaaaaaa', 'refresh_token_not_found'],
  ['too-short', 'validation_failed'],
  ['AAAAAAAAAAAA', 'validation_failed'],
  ['', 'validation_failed'],
  ["' or 1=1 --a", 'validation_failed'],
])('the refresh token %s is refused with %s', async ([token = '', code], { db }) => {
  const auth = await startAuth(db)
  const answer = await refresh(auth, token)
  expect([answer.status, answer.body.error_code]).toEqual([400, code])
})

test('a session that is too old or was idle too long is refreshed no more', async ({ db }) => {
  const auth = await startAuth(db, { sessionTimeboxSeconds: 1000, sessionInactivityTimeoutSeconds: 500 })
  let { refresh_token } = await signUp(auth)
  auth.pass(400)
  refresh_token = (await refresh(auth, refresh_token)).body.refresh_token
  auth.pass(501)
  expect((await refresh(auth, refresh_token)).body.msg).toBe('Invalid Refresh Token: Session Expired (Inactivity)')
  auth.pass(200)
  expect((await refresh(auth, refresh_token)).body.msg).toBe('Invalid Refresh Token: Session Expired')
})

test('signing out ends the sessions it names, at once', async ({ db }) => {
  const auth = await startAuth(db)
  const one = await signUp(auth)
  const two = (await signIn(auth)).body
  const three = (await signIn(auth)).body
  const statusOf = async (session: { access_token: string }) =>
    (await auth.call('GET', '/user', { token: session.access_token })).status
  const out = (scope: string, session: { access_token: string }) =>
    auth.call('POST', `/logout${scope}`, { token: session.access_token })
  expect((await out('?scope=nonsense', one)).status).toBe(400)
  expect(await out('?scope=local', one)).toMatchObject({ status: 204, body: '' })
  expect([await statusOf(one), await statusOf(two), await statusOf(three)]).toEqual([403, 200, 200])
  await out('?scope=others', two)
  expect([await statusOf(two), await statusOf(three)]).toEqual([200, 403])
  await out('', two)
  const gone = await auth.call('GET', '/user', { token: two.access_token })
  expect(gone.body.error_code).toBe('session_not_found')
  expect((await refresh(auth, two.refresh_token)).body.error_code).toBe('refresh_token_not_found')
})

test('a token is looked at for what it is', async ({ db }) => {
  const auth = await startAuth(db)
  const mine = await signUp(auth)
  const other = await signUp(auth, bob)
  const exp = Math.floor(Date.now() / 1000) + 600
  const make = (claims: object) =>
    signToken({ exp, aud: 'authenticated', role: 'authenticated', ...claims }, auth.keys.signing)
  const ask = async (token?: string) => {
    const { status, body } = await auth.call('GET', '/user', token === undefined ? {} : { token })
    return [status, body.error_code]
  }
  expect(await ask()).toEqual([401, 'no_authorization'])
  expect(await ask('x.y.z')).toEqual([403, 'bad_jwt'])
  expect(await ask(localApiKeys().anonKey)).toEqual([403, 'bad_jwt'])
  expect(await ask(make({ sub: 'x' }))).toEqual([400, 'bad_jwt'])
  expect(await ask(make({ sub: crypto.randomUUID() }))).toEqual([403, 'user_not_found'])
  expect(await ask(make({ sub: mine.user.id, session_id: 'x' }))).toEqual([403, 'bad_jwt'])
  expect(await ask(make({ sub: mine.user.id }))).toEqual([200, undefined])
  expect(await ask(make({ sub: mine.user.id, exp: undefined }))).toEqual([403, 'bad_jwt'])
  const { session_id } = claimsOf(other.access_token)
  expect(await ask(make({ sub: mine.user.id, session_id }))).toEqual([403, 'session_not_found'])
  await db.load(`update auth.users set banned_until = now() + interval '1 hour' where email = '${ann.email}'`)
  expect(await ask(mine.access_token)).toEqual([403, 'user_banned'])
  expect((await refresh(auth, mine.refresh_token)).body.error_code).toBe('user_banned')
  expect((await signIn(auth)).body.error_code).toBe('user_banned')
  auth.pass(3601)
  // The gateway's leeway is not this service's.
  expect(await ask(other.access_token)).toEqual([403, 'bad_jwt'])
})

test('changing the password ends the other sessions and keeps this one', async ({ db }) => {
  const auth = await startAuth(db)
  const one = await signUp(auth)
  const two = (await signIn(auth)).body
  const change = (secret: string) => auth.call('PUT', '/user', { token: two.access_token, body: { password: secret } })
  expect((await change(ann.password)).body.error_code).toBe('same_password')
  expect((await change('')).body.error_code).toBe('weak_password')
  expect((await change('a better password')).status).toBe(200)
  expect((await auth.call('GET', '/user', { token: one.access_token })).status).toBe(403)
  expect((await auth.call('GET', '/user', { token: two.access_token })).status).toBe(200)
  expect((await signIn(auth)).status).toBe(400)
  expect((await signIn(auth, { ...ann, password: 'a better password' })).status).toBe(200)
})
