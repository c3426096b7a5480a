import { expect } from 'vitest'
import { type Answer, startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { ann, bob, claimsOf, refusalOf, signIn, signUp } from '../../../../test/cases/auth/people.ts'
import { withFactor } from '../../../../test/cases/auth/second-factor.ts'
import { test } from '../../../../test/harness.ts'
import {
  type CeremonyOptions,
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../../../test/software-authenticator.ts'

const origin = 'https://app.example.com'
const settings = { siteUrl: origin, passkeyEnabled: true, webauthnRpDisplayName: 'The App' }
const nobody = '0d6bd4c6-9d4f-4d0f-a7e8-5a7a3f5f2a11'

const begin = (auth: TestAuth, token: string): Promise<Answer> =>
  auth.call('POST', '/passkeys/registration/options', { token, body: {} })

const finish = (auth: TestAuth, token: string, challenge_id: string, credential: unknown): Promise<Answer> =>
  auth.call('POST', '/passkeys/registration/verify', { token, body: { challenge_id, credential } })

async function register(auth: TestAuth, token: string, authenticator: SoftwareAuthenticator): Promise<Answer> {
  const { body } = await begin(auth, token)
  return finish(auth, token, body.challenge_id, authenticator.create(body.options))
}

async function signInWith(
  auth: TestAuth,
  authenticator: SoftwareAuthenticator,
  with_: CeremonyOptions & { readonly change?: (credential: Answer['body']) => unknown } = {},
): Promise<Answer> {
  const { body } = await auth.call('POST', '/passkeys/authentication/options', { body: {} })
  const answer = authenticator.get(body.options, with_)
  return auth.call('POST', '/passkeys/authentication/verify', {
    body: { challenge_id: body.challenge_id, credential: with_.change?.(answer) ?? answer },
  })
}

test('a passkey is made, signs in without a name, is renamed and taken away', async ({ db }) => {
  const auth = await startAuth(db, settings)
  const { access_token: token, user } = await signUp(auth)
  const authenticator = createSoftwareAuthenticator(origin)
  const { body } = await begin(auth, token)
  expect(body.options).toMatchObject({
    rp: { id: 'app.example.com', name: 'The App' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    user: { name: ann.email, id: Buffer.from(user.id).toString('base64url') },
  })
  expect(body.expires_at).toBeGreaterThan(Date.now() / 1000 + 290)
  const made = await finish(auth, token, body.challenge_id, authenticator.create(body.options))
  expect(made.body).toMatchObject({ id: expect.any(String), created_at: expect.any(String) })
  const again = await finish(auth, token, body.challenge_id, authenticator.create(body.options))
  expect(refusalOf(again)).toEqual([400, 'webauthn_challenge_not_found'])

  const options = (await auth.call('POST', '/passkeys/authentication/options', { body: {} })).body.options
  expect(options).toMatchObject({ rpId: 'app.example.com', userVerification: 'preferred' })
  expect(options.allowCredentials ?? []).toEqual([])
  const signedIn = await signInWith(auth, authenticator)
  expect(signedIn.body.user.id).toBe(user.id)
  expect(claimsOf(signedIn.body.access_token)).toMatchObject({ aal: 'aal1', amr: [{ method: 'passkey' }] })

  const one = made.body.id
  expect((await auth.call('GET', '/passkeys', { token })).body).toMatchObject([
    { id: one, last_used_at: expect.any(String) },
  ])
  const named = await auth.call('PATCH', `/passkeys/${one}`, { token, body: { friendly_name: 'Laptop' } })
  expect(named.body).toMatchObject({ id: one, friendly_name: 'Laptop' })
  for (const name of ['', 'x'.repeat(121)]) {
    const refused = await auth.call('PATCH', `/passkeys/${one}`, { token, body: { friendly_name: name } })
    expect(refusalOf(refused)).toEqual([400, 'validation_failed'])
  }
  for (const id of ['x', nobody])
    expect(refusalOf(await auth.call('DELETE', `/passkeys/${id}`, { token }))).toEqual([404, 'validation_failed'])
  expect(await auth.call('DELETE', `/passkeys/${one}`, { token })).toMatchObject({ status: 204, body: '' })
  expect(refusalOf(await signInWith(auth, authenticator))).toEqual([400, 'webauthn_verification_failed'])
})

test.for([
  ['http://127.0.0.1:54321', 'localhost', 'http://localhost:54321'],
  ['http://[::1]:3000', 'localhost', 'http://localhost:3000'],
  ['https://app.example.com/start', 'app.example.com', 'https://app.example.com'],
] as const)('at the site %s a passkey is for %s', async ([siteUrl, rpId, from], { db }) => {
  const auth = await startAuth(db, { siteUrl, passkeyEnabled: true })
  const { access_token: token } = await signUp(auth)
  expect((await begin(auth, token)).body.options.rp).toEqual({ id: rpId, name: rpId })
  expect((await register(auth, token, createSoftwareAuthenticator(from))).status).toBe(200)
})

test.for([
  ['signed with another key', { forged: true }],
  ['made for another origin', { origin: 'https://app.example.com.evil.test' }],
  ['made for another domain', { rpId: 'example.com' }],
  ['whose counter stands still', { signCount: 1 }],
  [
    'whose user is another',
    {
      change: (credential: Answer['body']) => ({
        ...credential,
        response: { ...credential.response, userHandle: Buffer.from(nobody).toString('base64url') },
      }),
    },
  ],
  [
    'without a user',
    {
      change: ({ response: { userHandle, ...response }, ...credential }: Answer['body']) => ({
        ...credential,
        response,
      }),
    },
  ],
  [
    'of an unknown credential',
    { change: (credential: Answer['body']) => ({ ...credential, id: 'AAAA', rawId: 'AAAA' }) },
  ],
  ['that is empty', { change: () => ({}) }],
  ['made of other things', { change: () => ({ id: '', rawId: [], type: 1, response: [] }) }],
] as const)('an answer %s signs nobody in', async ([, with_], { db }) => {
  const auth = await startAuth(db, settings)
  const authenticator = createSoftwareAuthenticator(origin)
  await register(auth, (await signUp(auth)).access_token, authenticator)
  expect((await signInWith(auth, authenticator, { signCount: 1 })).status).toBe(200)
  const refused = await signInWith(auth, authenticator, { signCount: 2, ...with_ })
  expect(refused.status).toBe(400)
  expect(['webauthn_verification_failed', 'bad_json']).toContain(refused.body.error_code)
})

test('a challenge is for one ceremony, one user and some minutes', async ({ db }) => {
  const auth = await startAuth(db, settings)
  const { access_token: token } = await signUp(auth)
  const { access_token: foreign } = await signUp(auth, bob)
  const authenticator = createSoftwareAuthenticator(origin)
  const { body: mine } = await begin(auth, token)
  const credential = authenticator.create(mine.options)
  const stolen = await finish(auth, foreign, mine.challenge_id, credential)
  expect(refusalOf(stolen)).toEqual([400, 'webauthn_challenge_not_found'])
  const confused = await auth.call('POST', '/passkeys/authentication/verify', {
    body: { challenge_id: mine.challenge_id, credential },
  })
  expect(refusalOf(confused)).toEqual([400, 'webauthn_challenge_not_found'])
  auth.pass(301)
  expect(refusalOf(await finish(auth, token, mine.challenge_id, credential))).toEqual([
    400,
    'webauthn_challenge_expired',
  ])

  const { body: next } = await begin(auth, token)
  const wrong = authenticator.create(next.options, { origin: 'https://evil.test' })
  expect(refusalOf(await finish(auth, token, next.challenge_id, wrong))).toEqual([400, 'webauthn_verification_failed'])
  // Used up by the failure.
  const late = await finish(auth, token, next.challenge_id, authenticator.create(next.options))
  expect(refusalOf(late)).toEqual([400, 'webauthn_challenge_not_found'])
  for (const body of [{}, { challenge_id: 'x', credential: {} }, { challenge_id: nobody }]) {
    const refused = await auth.call('POST', '/passkeys/registration/verify', { token, body })
    expect(refusalOf(refused)).toEqual([400, 'validation_failed'])
  }
})

test('a credential is one user’s, and a user has so many', async ({ db }) => {
  const auth = await startAuth(db, { ...settings, passkeyMaxPerUser: 2 })
  const { access_token: token } = await signUp(auth)
  const authenticator = createSoftwareAuthenticator(origin)
  expect((await register(auth, token, authenticator)).status).toBe(200)
  expect((await begin(auth, token)).body.options.excludeCredentials).toHaveLength(1)
  const other = (await signUp(auth, bob)).access_token
  expect(refusalOf(await register(auth, other, authenticator))).toEqual([422, 'webauthn_credential_exists'])
  expect((await register(auth, token, createSoftwareAuthenticator(origin))).status).toBe(200)
  expect(refusalOf(await begin(auth, token))).toEqual([422, 'too_many_passkeys'])
})

test('who has a second factor needs it to add or take away a passkey', async ({ db }) => {
  const auth = await startAuth(db, settings)
  const { access_token } = await signUp(auth)
  const { body: passkey } = await register(auth, access_token, createSoftwareAuthenticator(origin))
  const { session } = await withFactor(auth, access_token)
  const low = (await signIn(auth)).body.access_token
  expect(refusalOf(await begin(auth, low))).toEqual([403, 'insufficient_aal'])
  expect(refusalOf(await auth.call('DELETE', `/passkeys/${passkey.id}`, { token: low }))).toEqual([
    403,
    'insufficient_aal',
  ])
  expect((await begin(auth, session.access_token)).status).toBe(200)
})

test.for([
  ['unconfirmed', 'email_confirmed_at = null', 403, 'email_not_confirmed'],
  ['banned', `banned_until = now() + interval '1 hour'`, 403, 'user_banned'],
] as const)('a user who is %s does not get in by passkey', async ([, change, status, code], { db }) => {
  const auth = await startAuth(db, settings)
  const authenticator = createSoftwareAuthenticator(origin)
  await register(auth, (await signUp(auth)).access_token, authenticator)
  await db.load(`update auth.users set ${change}`)
  expect(refusalOf(await signInWith(auth, authenticator))).toEqual([status, code])
})

test('users of single sign-on and anonymous ones have none', async ({ db }) => {
  const auth = await startAuth(db, { ...settings, enableAnonymousSignIns: true })
  const { access_token: anonymous } = await signUp(auth, {})
  expect(refusalOf(await begin(auth, anonymous))).toEqual([403, 'no_authorization'])
  const { access_token: token } = await signUp(auth)
  await db.load(`update auth.users set is_sso_user = true where email = '${ann.email}'`)
  expect(refusalOf(await begin(auth, token))).toEqual([422, 'validation_failed'])
})

test('switched off, there is nothing of it', async ({ db }) => {
  const auth = await startAuth(db)
  const { access_token: token } = await signUp(auth)
  expect(refusalOf(await begin(auth, token))).toEqual([404, 'passkey_disabled'])
  expect(refusalOf(await auth.call('GET', '/passkeys', { token }))).toEqual([404, 'passkey_disabled'])
  const options = await auth.call('POST', '/passkeys/authentication/options', { body: {} })
  expect(refusalOf(options)).toEqual([404, 'passkey_disabled'])
})

test('administrators see passkeys and take them away', async ({ db }) => {
  const auth = await startAuth(db, settings)
  const { access_token, user } = await signUp(auth)
  const { body: passkey } = await register(auth, access_token, createSoftwareAuthenticator(origin))
  const token = auth.apiKeys.serviceRoleKey
  const path = `/admin/users/${user.id}/passkeys`
  expect(refusalOf(await auth.call('GET', path, { token: access_token }))).toEqual([403, 'not_admin'])
  expect((await auth.call('GET', path, { token })).body).toMatchObject([{ id: passkey.id }])
  expect((await auth.call('DELETE', `${path}/${passkey.id}`, { token })).status).toBe(204)
  expect(refusalOf(await auth.call('DELETE', `${path}/${passkey.id}`, { token }))).toEqual([404, 'validation_failed'])
})
