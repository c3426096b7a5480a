import { expect } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { ann, bob, claimsOf, refresh, refusalOf, signIn, signUp } from '../../../../test/cases/auth/people.ts'
import { challenge, codeOf, enrol, prove, verify, withFactor } from '../../../../test/cases/auth/second-factor.ts'
import { test } from '../../../../test/harness.ts'
import { createSoftwareAuthenticator } from '../../../../test/software-authenticator.ts'

const nobody = '0d6bd4c6-9d4f-4d0f-a7e8-5a7a3f5f2a11'

test('an authenticator app raises its session, and ends those that it leaves behind', async ({ db }) => {
  const auth = await startAuth(db, { siteUrl: 'https://app.example.com' })
  const first = await signUp(auth)
  const other = (await signIn(auth)).body
  const token = first.access_token

  const enrolled = await enrol(auth, token)
  expect(enrolled.body).toMatchObject({ type: 'totp', friendly_name: 'app', totp: { secret: expect.any(String) } })
  // A number and a moment are there even where there is none (auth §4).
  const [unused] = (await auth.call('GET', '/user', { token })).body.factors
  expect([unused.status, unused.phone, unused.last_challenged_at]).toEqual(['unverified', '', null])
  expect(enrolled.body.totp.uri).toContain('issuer=app.example.com')
  const factorId = enrolled.body.id
  const asked = await challenge(auth, token, factorId)
  expect(asked.body).toMatchObject({ type: 'totp', id: expect.any(String) })
  expect(asked.body.expires_at - Math.floor(Date.now() / 1000)).toBeGreaterThan(298)

  const wrong = await verify(auth, token, factorId, { challenge_id: asked.body.id, code: '000000' })
  expect(refusalOf(wrong)).toEqual([422, 'mfa_verification_failed'])
  // A wrong code does not use the challenge up.
  const code = codeOf(enrolled.body.totp.secret)
  const raised = await verify(auth, token, factorId, { challenge_id: asked.body.id, code })
  expect(raised.status).toBe(200)
  const claims = claimsOf(raised.body.access_token)
  expect(claims).toMatchObject({ aal: 'aal2', session_id: claimsOf(token).session_id })
  expect(claims.amr.map(({ method }: { method: string }) => method).sort()).toEqual(['password', 'totp'])
  expect(raised.body.refresh_token).not.toBe(first.refresh_token)
  expect(raised.body.user.factors).toMatchObject([{ id: factorId, status: 'verified', factor_type: 'totp' }])
  expect(JSON.stringify(raised.body)).not.toContain(enrolled.body.totp.secret)

  expect(refusalOf(await auth.call('GET', '/user', { token: other.access_token }))).toEqual([403, 'session_not_found'])
  const next = await refresh(auth, raised.body.refresh_token)
  expect(claimsOf(next.body.access_token).aal).toBe('aal2')

  const removed = await auth.call('DELETE', `/factors/${factorId}`, { token: next.body.access_token })
  expect(removed.body).toEqual({ id: factorId })
  const lowered = claimsOf((await refresh(auth, next.body.refresh_token)).body.access_token)
  expect(lowered.aal).toBe('aal1')
  expect(lowered.amr).toMatchObject([{ method: 'password' }])
})

test.for([
  ['an unknown type', { factor_type: 'sms' }, 400, 'validation_failed'],
  ['no type', { factor_type: '' }, 400, 'validation_failed'],
  ['a number for a type', { factor_type: 1 }, 400, 'bad_json'],
  ['phones, which are off', { factor_type: 'phone', phone: '4915112345678' }, 422, 'mfa_phone_enroll_not_enabled'],
  ['security keys, which are off', { factor_type: 'webauthn' }, 422, 'mfa_webauthn_enroll_not_enabled'],
  ['a name without end', { friendly_name: 'x'.repeat(256) }, 400, 'validation_failed'],
  ['an issuer without end', { issuer: 'x'.repeat(256) }, 400, 'validation_failed'],
  ['an issuer that no picture holds', { issuer: '花'.repeat(255) }, 400, 'validation_failed'],
] as const)('enrolling is refused for %s', async ([, body, status, code], { db }) => {
  const auth = await startAuth(db)
  const { access_token } = await signUp(auth)
  expect(refusalOf(await enrol(auth, access_token, body))).toEqual([status, code])
})

test('enrolling keeps to names, numbers and levels', async ({ db }) => {
  const auth = await startAuth(db, { mfaMaxEnrolledFactors: 3, mfaPhoneEnrollEnabled: true })
  const { access_token: low } = await signUp(auth)
  const phone = { factor_type: 'phone', friendly_name: 'phone' }
  expect(refusalOf(await enrol(auth, low, phone))).toEqual([400, 'validation_failed'])
  expect(refusalOf(await enrol(auth, low, { ...phone, phone: 'abc' }))).toEqual([400, 'validation_failed'])
  expect((await enrol(auth, low, { ...phone, phone: '+49 15112345678' })).body).toMatchObject({
    type: 'phone',
    phone: '4915112345678',
  })
  // The same number makes way for itself while it is unverified.
  expect((await enrol(auth, low, { ...phone, phone: '4915112345678' })).status).toBe(200)
  expect((await enrol(auth, low, { friendly_name: '' })).status).toBe(200)
  expect(refusalOf(await enrol(auth, low, { friendly_name: '' }))).toEqual([422, 'mfa_factor_name_conflict'])
  expect(refusalOf(await enrol(auth, low, { friendly_name: 'phone' }))).toEqual([422, 'mfa_factor_name_conflict'])
  const { session } = await withFactor(auth, low, 'third')
  // The unverified app went when this one was verified, so there is room for one more.
  const again = (await signIn(auth)).body.access_token
  expect(refusalOf(await enrol(auth, again, { friendly_name: 'x' }))).toEqual([403, 'insufficient_aal'])
  expect((await enrol(auth, session.access_token, { friendly_name: 'x' })).status).toBe(200)
  const full = await enrol(auth, session.access_token, { friendly_name: 'y' })
  expect(refusalOf(full)).toEqual([422, 'too_many_enrolled_mfa_factors'])
})

test.for([
  ['no id', 'x', { challenge_id: nobody, code: '1' }, 404, 'validation_failed'],
  ['an unknown factor', nobody, { challenge_id: nobody, code: '1' }, 404, 'mfa_factor_not_found'],
  ['no code', null, { challenge_id: nobody, code: '' }, 400, 'validation_failed'],
  ['a challenge that is no id', null, { challenge_id: 'x', code: '1' }, 400, 'bad_json'],
  ['no challenge', null, { code: '123456' }, 400, 'bad_json'],
  ['an unknown challenge', null, { challenge_id: nobody, code: '123456' }, 422, 'mfa_factor_not_found'],
] as const)('verifying is refused for %s', async ([, id, body, status, code], { db }) => {
  const auth = await startAuth(db)
  const { access_token } = await signUp(auth)
  const factor = (await enrol(auth, access_token)).body
  expect(refusalOf(await verify(auth, access_token, id ?? factor.id, body))).toEqual([status, code])
})

test('a challenge is answered once, in time, from where it was asked', async ({ db }) => {
  const auth = await startAuth(db)
  const { access_token: token } = await signUp(auth)
  const { body: factor } = await enrol(auth, token)
  const code = codeOf(factor.totp.secret)

  const elsewhere = (await challenge(auth, token, factor.id)).body.id
  const answer = await auth.app.inject({
    method: 'POST',
    url: `/auth/v1/factors/${factor.id}/verify`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: { challenge_id: elsewhere, code },
    remoteAddress: '203.0.113.9',
  })
  expect([answer.statusCode, answer.json().error_code]).toEqual([422, 'mfa_ip_address_mismatch'])

  const late = (await challenge(auth, token, factor.id)).body.id
  auth.pass(301)
  const tooLate = () => verify(auth, token, factor.id, { challenge_id: late, code: codeOf(factor.totp.secret, 301) })
  expect(refusalOf(await tooLate())).toEqual([422, 'mfa_challenge_expired'])
  expect(refusalOf(await tooLate())).toEqual([422, 'mfa_factor_not_found'])

  const once = (await challenge(auth, token, factor.id)).body.id
  const body = { challenge_id: once, code: codeOf(factor.totp.secret, 301) }
  const both = await Promise.all([verify(auth, token, factor.id, body), verify(auth, token, factor.id, body)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  const raised = both.find(({ status }) => status === 200)?.body.access_token
  expect(refusalOf(await verify(auth, raised, factor.id, body))).toEqual([422, 'mfa_ip_address_mismatch'])
})

test('a phone gets a code by text message, not too often', async ({ db }) => {
  const auth = await startAuth(db, { mfaPhoneEnrollEnabled: true, mfaPhoneVerifyEnabled: true })
  const { access_token: token } = await signUp(auth)
  const { body: factor } = await enrol(auth, token, { factor_type: 'phone', phone: '4915112345678' })
  const asked = await challenge(auth, token, factor.id, { channel: 'sms' })
  expect(asked.body).toMatchObject({ type: 'phone' })
  const sent = auth.messages.at(-1)
  expect(sent).toMatchObject({ phone: '4915112345678', message: `Your code is ${sent?.otp}` })
  const stored = await db.admin.query({ text: 'select otp_code from auth.mfa_challenges', values: [] })
  expect(JSON.stringify(stored.rows)).not.toContain(sent?.otp)
  expect(refusalOf(await challenge(auth, token, factor.id))).toEqual([429, 'over_sms_send_rate_limit'])
  const answer = (code: string) => verify(auth, token, factor.id, { challenge_id: asked.body.id, code })
  expect(refusalOf(await answer('not it'))).toEqual([422, 'mfa_verification_failed'])
  const raised = await answer(sent?.otp ?? '')
  expect(claimsOf(raised.body.access_token)).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/phone' }, {}] })
  const again = await enrol(auth, raised.body.access_token, {
    factor_type: 'phone',
    friendly_name: 'same',
    phone: '4915112345678',
  })
  expect(refusalOf(again)).toEqual([422, 'mfa_verified_factor_exists'])
})

const origin = 'https://app.example.com'
const keys = { siteUrl: origin, mfaWebAuthnEnrollEnabled: true, mfaWebAuthnVerifyEnabled: true }

test('a security key is made by its first challenge and asked for by later ones', async ({ db }) => {
  const auth = await startAuth(db, keys)
  const session = await signUp(auth)
  const authenticator = createSoftwareAuthenticator(origin)
  const { body: factor } = await enrol(auth, session.access_token, { factor_type: 'webauthn' })
  const token = session.access_token
  const made = (await challenge(auth, token, factor.id)).body
  expect(made.webauthn).toMatchObject({
    type: 'create',
    credential_options: { publicKey: { rp: { id: 'app.example.com' } } },
  })
  const create = authenticator.create(made.webauthn.credential_options.publicKey)
  const body = (type: string, credential_response: unknown, challenge_id = made.id) => ({
    challenge_id,
    webauthn: { type, credential_response },
  })
  for (const wrong of [
    { challenge_id: made.id },
    body('other', create),
    body('create', undefined),
    body('request', create),
  ])
    expect(refusalOf(await verify(auth, token, factor.id, wrong))).toEqual([400, 'validation_failed'])
  const foreign = authenticator.create(made.webauthn.credential_options.publicKey, { origin: 'https://evil.example' })
  expect(refusalOf(await verify(auth, token, factor.id, body('create', foreign)))).toEqual([
    422,
    'mfa_verification_failed',
  ])
  const raised = await verify(auth, token, factor.id, body('create', create))
  expect(claimsOf(raised.body.access_token)).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/webauthn' }, {}] })

  const again = (await signIn(auth)).body.access_token
  const asked = (await challenge(auth, again, factor.id)).body
  expect(asked.webauthn.type).toBe('request')
  const options = asked.webauthn.credential_options.publicKey
  const forged = body('request', authenticator.get(options, { forged: true }), asked.id)
  expect(refusalOf(await verify(auth, again, factor.id, forged))).toEqual([422, 'mfa_verification_failed'])
  // Another key cannot be put in the place of one that is verified.
  const other = body(
    'create',
    createSoftwareAuthenticator(origin).create(made.webauthn.credential_options.publicKey),
    asked.id,
  )
  expect(refusalOf(await verify(auth, again, factor.id, other))).toEqual([400, 'validation_failed'])
  const good = await verify(auth, again, factor.id, body('request', authenticator.get(options), asked.id))
  expect(claimsOf(good.body.access_token).aal).toBe('aal2')
  // A counter that went back says that the key was copied.
  const third = (await challenge(auth, again, factor.id)).body
  const copied = authenticator.get(third.webauthn.credential_options.publicKey, { signCount: 1 })
  expect(refusalOf(await verify(auth, again, factor.id, body('request', copied, third.id)))).toEqual([
    422,
    'mfa_verification_failed',
  ])
})

test('administrators see, rename and take away factors', async ({ db }) => {
  const auth = await startAuth(db)
  const { access_token, user } = await signUp(auth)
  const { id } = await withFactor(auth, access_token)
  const token = auth.apiKeys.serviceRoleKey
  const path = `/admin/users/${user.id}/factors`
  expect(refusalOf(await auth.call('GET', path, { token: access_token }))).toEqual([403, 'not_admin'])
  expect((await auth.call('GET', path, { token })).body).toMatchObject([
    { id, status: 'verified', friendly_name: 'app' },
  ])
  const renamed = await auth.call('PUT', `${path}/${id}`, { token, body: { friendly_name: 'work' } })
  expect(renamed.body).toMatchObject({ id, friendly_name: 'work' })
  expect(refusalOf(await auth.call('DELETE', `${path}/${nobody}`, { token }))).toEqual([404, 'mfa_factor_not_found'])
  expect(refusalOf(await auth.call('GET', `/admin/users/${nobody}/factors`, { token }))).toEqual([
    404,
    'user_not_found',
  ])
  expect(refusalOf(await auth.call('GET', '/admin/users/x/factors', { token }))).toEqual([404, 'validation_failed'])
  expect((await auth.call('DELETE', `${path}/${id}`, { token })).body).toMatchObject({ id })
  expect((await auth.call('GET', path, { token })).body).toEqual([])
})

test('the second factor’s hook sees every try, and its refusal signs the user out', async ({ db }) => {
  const auth = await startAuth(db, { hookMfaVerificationAttemptUri: 'pg-functions://postgres/public/judge' })
  await db.load(`
    create function public.judge(event jsonb) returns jsonb language sql as $$
      select case when (event ->> 'valid')::boolean then '{"decision":"continue"}'::jsonb
        else '{"decision":"reject","message":"Too often."}'::jsonb end $$;
    grant execute on function public.judge to supabase_auth_admin;`)
  const { access_token: token } = await signUp(auth)
  const { session, id } = await withFactor(auth, token)
  const refused = await prove(auth, session.access_token, id, '000000')
  expect([...refusalOf(refused), refused.body.msg]).toEqual([403, 'mfa_verification_rejected', 'Too often.'])
  expect(refusalOf(await auth.call('GET', '/user', { token: session.access_token }))).toEqual([
    403,
    'session_not_found',
  ])
})

test('challenges and answers are limited by address', async ({ db }) => {
  const auth = await startAuth(db, { rateLimitByAddress: true })
  const { access_token: token } = await signUp(auth, bob)
  const { body: factor } = await enrol(auth, token)
  const { body: asked } = await challenge(auth, token, factor.id)
  const tries = []
  for (let count = 0; count < 31; count++)
    tries.push((await verify(auth, token, factor.id, { challenge_id: asked.id, code: '000000' })).status)
  expect(tries.slice(0, 30)).toEqual(Array(30).fill(422))
  expect(tries[30]).toBe(429)
  auth.pass(4)
  expect(refusalOf(await verify(auth, token, factor.id, { challenge_id: asked.id, code: '000000' }))).toEqual([
    422,
    'mfa_verification_failed',
  ])
})

test('signed refresh tokens of before do not become tokens of the second level', async ({ db }) => {
  const auth = await startAuth(db, { refreshTokenAlgorithmVersion: 2, refreshTokenReuseIntervalSeconds: 0 })
  const first = await signUp(auth, ann)
  const { session } = await withFactor(auth, first.access_token)
  auth.pass(1)
  expect(refusalOf(await refresh(auth, first.refresh_token))).toEqual([400, 'refresh_token_already_used'])
  expect(refusalOf(await refresh(auth, session.refresh_token))).toEqual([400, 'refresh_token_not_found'])
})
