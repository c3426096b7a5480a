import { expect } from 'vitest'
import type { Answer, TestAuth } from '../../../auth-service.ts'
import type { AuthCase } from '../case.ts'
import { ann, bob, claimsOf, refusalOf, signIn, signUp } from '../people.ts'
import { challenge, createClient, exchange, form, redirectUri, request, settings, verifier } from './application.ts'

/** Says yes in a user's name; answers the code. */
async function approve(auth: TestAuth, id: string, token: string): Promise<string> {
  expect((await auth.call('GET', `/oauth/authorizations/${id}`, { token })).status).toBe(200)
  const answer = await auth.call('POST', `/oauth/authorizations/${id}/consent`, { token, body: { action: 'approve' } })
  expect(answer.status).toBe(200)
  return new URL(answer.body.redirect_url).searchParams.get('code') ?? ''
}

/** From nothing to a client's tokens for a new user. */
async function grant(auth: TestAuth, scope = 'openid email') {
  const client = await createClient(auth)
  const session = await signUp(auth)
  const code = await approve(auth, await request(auth, client.client_id, { scope }), session.access_token)
  const answer = await exchange(auth, client, { grant_type: 'authorization_code', code, code_verifier: verifier })
  expect(answer.status).toBe(200)
  return { client, session, code, tokens: answer.body }
}

const fault = (answer: Answer): unknown => {
  expect(answer.status).toBe(400)
  return answer.body.error
}

/** Consent, codes and tokens of the OAuth 2.1 server (auth §20). */
export const oauthServerCases: readonly AuthCase[] = [
  {
    row: '20',
    rule: 'consent shows who asks for what, and belongs to the first user who looks',
    settings,
    async run(auth) {
      const client = await createClient(auth, { client_uri: 'https://shop.example/' })
      const first = await signUp(auth)
      const second = await signUp(auth, bob)
      const id = await request(auth, client.client_id)
      const path = `/oauth/authorizations/${id}`
      const shown = await auth.call('GET', path, { token: first.access_token })
      expect(shown).toMatchObject({ status: 200 })
      expect(shown.body).toEqual({
        authorization_id: id,
        redirect_uri: redirectUri,
        client: { id: client.client_id, name: 'Shop', uri: 'https://shop.example/' },
        user: { id: first.user.id, email: ann.email },
        scope: 'openid email',
      })
      const other = { token: second.access_token, body: { action: 'approve' } }
      const gone = [404, 'oauth_authorization_not_found']
      expect(refusalOf(await auth.call('GET', path, { token: second.access_token }))).toEqual(gone)
      expect(refusalOf(await auth.call('POST', `${path}/consent`, other))).toEqual(gone)
      expect(refusalOf(await auth.call('GET', '/oauth/authorizations/%00', { token: first.access_token }))).toEqual(
        gone,
      )
      const foreign = { token: first.access_token, headers: { origin: 'https://evil.example' } }
      expect(refusalOf(await auth.call('GET', path, foreign))).toEqual([400, 'validation_failed'])
    },
  },
  {
    row: '20',
    rule: 'a request that was not looked at cannot be consented to, nor one that is over',
    settings,
    async run(auth) {
      const client = await createClient(auth)
      const { access_token: token } = await signUp(auth)
      const consent = async (id: string, action: string) =>
        refusalOf(await auth.call('POST', `/oauth/authorizations/${id}/consent`, { token, body: { action } }))
      const unseen = await request(auth, client.client_id)
      expect(await consent(unseen, 'approve')).toEqual([404, 'oauth_authorization_not_found'])
      expect(await consent(unseen, 'maybe')).toEqual([400, 'validation_failed'])
      const decided = await request(auth, client.client_id)
      await approve(auth, decided, token)
      expect(await consent(decided, 'deny')).toEqual([400, 'validation_failed'])
      expect(refusalOf(await auth.call('GET', `/oauth/authorizations/${decided}`, { token }))).toEqual([
        400,
        'validation_failed',
      ])
      const late = await request(auth, client.client_id)
      auth.pass(601)
      expect(refusalOf(await auth.call('GET', `/oauth/authorizations/${late}`, { token }))).toEqual([
        404,
        'oauth_authorization_not_found',
      ])
    },
  },
  {
    row: '20',
    rule: 'a denied consent is answered to the client',
    settings,
    async run(auth) {
      const client = await createClient(auth)
      const { access_token: token } = await signUp(auth)
      const id = await request(auth, client.client_id)
      await auth.call('GET', `/oauth/authorizations/${id}`, { token })
      const { body } = await auth.call('POST', `/oauth/authorizations/${id}/consent`, {
        token,
        body: { action: 'deny' },
      })
      const { searchParams } = new URL(body.redirect_url)
      expect(searchParams.get('error')).toBe('access_denied')
      expect(searchParams.get('state')).toBe('the state')
      expect(searchParams.get('code')).toBeNull()
    },
  },
  {
    row: '20',
    rule: 'what was agreed to before is not asked again, more is',
    settings,
    async run(auth) {
      const { client, session } = await grant(auth, 'openid email')
      const { access_token: token } = session
      const look = async (scope: string) =>
        (await auth.call('GET', `/oauth/authorizations/${await request(auth, client.client_id, { scope })}`, { token }))
          .body
      const again = await look('email')
      expect(new URL(again.redirect_url).searchParams.get('code')).toBeTruthy()
      expect((await look('email phone')).redirect_url).toBeUndefined()
    },
  },
  {
    row: '20',
    rule: 'tokens name their client and scopes, and carry nothing of the user beside the ID token',
    settings,
    async run(auth) {
      const { client, session, tokens } = await grant(auth)
      expect(Object.keys(tokens).sort()).toEqual([
        'access_token',
        'expires_in',
        'id_token',
        'refresh_token',
        'token_type',
      ])
      expect(claimsOf(tokens.access_token)).toMatchObject({
        sub: session.user.id,
        client_id: client.client_id,
        scope: 'openid email',
        amr: [{ method: 'oauth_provider/authorization_code' }],
      })
      const id = claimsOf(tokens.id_token)
      expect(id).toMatchObject({
        iss: 'http://127.0.0.1:54321/auth/v1',
        sub: session.user.id,
        aud: client.client_id,
        nonce: 'the nonce',
        email: ann.email,
        email_verified: true,
      })
      expect(id.exp - id.iat).toBe(3600)
      expect(id.name).toBeUndefined()
    },
  },
  {
    row: '20',
    rule: 'without the scope openid there is no ID token',
    settings,
    run: async (auth) => expect((await grant(auth, 'email')).tokens.id_token).toBeUndefined(),
  },
  {
    row: '35.17',
    rule: 'a code is exchanged once, by its own client, with the verifier',
    settings,
    async run(auth) {
      const client = await createClient(auth)
      const other = await createClient(auth)
      const { access_token } = await signUp(auth)
      const code = await approve(
        auth,
        await request(auth, client.client_id, { resource: 'https://api.example/' }),
        access_token,
      )
      const good = { grant_type: 'authorization_code', code, code_verifier: verifier }
      const bad: readonly (readonly [typeof client, Readonly<Record<string, string>>, string])[] = [
        [client, { ...good, code: '' }, 'invalid_request'],
        [client, { ...good, code: 'nonsense' }, 'invalid_grant'],
        [client, { ...good, code_verifier: '' }, 'invalid_grant'],
        [client, { ...good, code_verifier: challenge }, 'invalid_grant'],
        [client, { ...good, redirect_uri: 'https://shop.example/' }, 'invalid_grant'],
        [client, { ...good, resource: 'https://other.example/' }, 'invalid_grant'],
        [client, { ...good, grant_type: '' }, 'invalid_request'],
        [client, { ...good, grant_type: 'password' }, 'unsupported_grant_type'],
        [other, good, 'invalid_grant'],
      ]
      for (const [by, fields, error] of bad) expect(fault(await exchange(auth, by, fields))).toBe(error)
      const full = { ...good, redirect_uri: redirectUri, resource: 'https://api.example/' }
      const answers = await Promise.all([1, 2, 3].map(() => exchange(auth, client, full)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
      expect(fault(await exchange(auth, client, full))).toBe('invalid_grant')
    },
  },
  {
    row: '20',
    rule: 'a code ends with its request',
    settings,
    async run(auth) {
      const client = await createClient(auth)
      const { access_token } = await signUp(auth)
      const code = await approve(auth, await request(auth, client.client_id), access_token)
      auth.pass(601)
      const late = { grant_type: 'authorization_code', code, code_verifier: verifier }
      expect(fault(await exchange(auth, client, late))).toBe('invalid_grant')
    },
  },
  {
    row: '20',
    rule: 'a client proves itself only in the way it registered for',
    settings,
    async run(auth) {
      const spent = { grant_type: 'authorization_code', code: 'x' }
      const byBasic = await createClient(auth)
      const byPost = await createClient(auth, { token_endpoint_auth_method: 'client_secret_post' })
      const open = await createClient(auth, { client_type: 'public' })
      const { client_id, client_secret } = byPost
      const ways: readonly (readonly [string, Promise<Answer>, string])[] = [
        ['basic', exchange(auth, byBasic, spent), 'invalid_grant'],
        ['post', auth.call('POST', '/oauth/token', form({ ...spent, client_id, client_secret })), 'invalid_grant'],
        ['JSON', auth.call('POST', '/oauth/token', { body: { ...spent, client_id, client_secret } }), 'invalid_grant'],
        ['open', auth.call('POST', '/oauth/token', form({ ...spent, client_id: open.client_id })), 'invalid_grant'],
        ['basic for post', exchange(auth, byPost, spent), 'invalid_credentials'],
        ['no secret', auth.call('POST', '/oauth/token', form({ ...spent, client_id })), 'invalid_credentials'],
        ['wrong secret', exchange(auth, { ...byBasic, client_secret: 'x' }, spent), 'invalid_credentials'],
        ['a secret too many', exchange(auth, { ...open, client_secret: 'x' }, spent), 'invalid_credentials'],
        ['no client', auth.call('POST', '/oauth/token', form(spent)), 'invalid_credentials'],
        ['no uuid', exchange(auth, { ...byBasic, client_id: 'shop' }, spent), 'invalid_credentials'],
      ]
      for (const [way, answer, code] of ways) {
        const { status, body } = await answer
        expect([way, status, body.error ?? body.error_code]).toEqual([way, 400, code])
      }
      const twice = `grant_type=refresh_token&client_id=${open.client_id}&client_id=${client_id}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      expect(refusalOf(await auth.call('POST', '/oauth/token', { body: twice, headers }))).toEqual([
        400,
        'validation_failed',
      ])
    },
  },
  {
    row: '8',
    rule: 'a client’s session is refreshed by that client only, an ordinary one never by a client',
    settings,
    async run(auth) {
      const { client, session, tokens } = await grant(auth)
      const other = await createClient(auth)
      const refreshToken = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
      const ordinary = { grant_type: 'refresh_token', refresh_token: session.refresh_token }
      expect(fault(await exchange(auth, other, refreshToken))).toBe('invalid_client')
      expect(fault(await exchange(auth, client, ordinary))).toBe('invalid_client')
      expect(fault(await auth.call('POST', '/token?grant_type=refresh_token', { body: refreshToken }))).toBe(
        'invalid_client',
      )
      expect(fault(await exchange(auth, client, { grant_type: 'refresh_token' }))).toBe('invalid_request')
      const renewed = await exchange(auth, client, refreshToken)
      expect(renewed.status).toBe(200)
      expect(renewed.headers['cache-control']).toBe('no-store')
      expect(Object.keys(renewed.body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type'])
      expect(claimsOf(renewed.body.access_token)).toMatchObject({ client_id: client.client_id, scope: 'openid email' })
    },
  },
  {
    row: '20',
    rule: 'userinfo says what the scopes let it say',
    settings,
    async run(auth) {
      const { session, tokens } = await grant(auth, 'email profile phone')
      const { id } = session.user
      const info = async (token: string) => (await auth.call('GET', '/oauth/userinfo', { token })).body
      expect(await info(session.access_token)).toEqual({ sub: id })
      expect(await info(tokens.access_token)).toMatchObject({
        sub: id,
        email: ann.email,
        email_verified: true,
        name: ann.email,
        user_metadata: { email: ann.email },
        phone_verified: false,
        updated_at: expect.any(Number),
      })
      expect(refusalOf(await auth.call('GET', '/oauth/userinfo'))).toEqual([401, 'no_authorization'])
    },
  },
  {
    row: '20',
    rule: 'a grant is listed and taken back, and with it the client’s sessions',
    settings,
    async run(auth) {
      const { client, session, tokens } = await grant(auth)
      const { access_token: token } = session
      const path = '/user/oauth/grants'
      const listed = await auth.call('GET', path, { token })
      expect(listed.body).toEqual([
        {
          client: { id: client.client_id, name: 'Shop' },
          scopes: ['openid', 'email'],
          granted_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ])
      const revoke = (query: string) => auth.call('DELETE', `${path}${query}`, { token })
      expect(refusalOf(await revoke(''))).toEqual([400, 'validation_failed'])
      expect(refusalOf(await revoke('?client_id=shop'))).toEqual([400, 'validation_failed'])
      expect(await revoke(`?client_id=${client.client_id}`)).toMatchObject({ status: 204 })
      expect(refusalOf(await revoke(`?client_id=${client.client_id}`))).toEqual([404, 'oauth_consent_not_found'])
      expect((await auth.call('GET', path, { token })).body).toEqual([])
      expect(refusalOf(await auth.call('GET', '/oauth/userinfo', { token: tokens.access_token }))).toEqual([
        403,
        'session_not_found',
      ])
      const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
      expect((await exchange(auth, client, again)).body.error_code).toBe('refresh_token_not_found')
      expect((await auth.call('GET', '/user', { token })).status).toBe(200)
    },
  },
  {
    row: '20',
    rule: 'a client cannot agree to more in its user’s name, nor see what other clients may',
    settings,
    async run(auth) {
      const { client, tokens } = await grant(auth)
      const token = tokens.access_token
      const id = await request(auth, client.client_id, { scope: 'phone' })
      expect(refusalOf(await auth.call('GET', `/oauth/authorizations/${id}`, { token }))).toEqual([
        403,
        'no_authorization',
      ])
      expect(refusalOf(await auth.call('GET', '/user/oauth/grants', { token }))).toEqual([403, 'no_authorization'])
    },
  },
  {
    row: '20',
    rule: 'a client cannot take its user’s account away, and may write their metadata',
    settings: { ...settings, enableManualLinking: true, passkeyEnabled: true },
    async run(auth) {
      const { tokens, session } = await grant(auth)
      const token = tokens.access_token
      const refused: readonly (readonly ['PUT' | 'POST' | 'GET' | 'DELETE', string, object | undefined])[] = [
        ['PUT', '/user', { password: 'the client’s own' }],
        ['PUT', '/user', { email: 'client@example.com' }],
        ['POST', '/factors', { factor_type: 'totp' }],
        ['POST', '/passkeys/registration/options', {}],
        ['GET', '/user/identities/authorize?provider=github', undefined],
        ['DELETE', `/user/identities/${session.user.identities[0].identity_id}`, undefined],
      ]
      for (const [method, path, body] of refused) {
        const answer = await auth.call(method, path, { token, ...(body === undefined ? {} : { body }) })
        expect([path, ...refusalOf(answer)]).toEqual([path, 403, 'no_authorization'])
      }
      const changed = await auth.call('PUT', '/user', { token, body: { data: { theme: 'dark' } } })
      expect(changed.body.user_metadata.theme).toBe('dark')
    },
  },
  {
    row: '35.41',
    rule: 'a banned user’s code buys nothing',
    settings,
    async run(auth, db) {
      const client = await createClient(auth)
      const { access_token } = await signUp(auth)
      const code = await approve(auth, await request(auth, client.client_id), access_token)
      await db.admin.query({ text: "update auth.users set banned_until = now() + interval '1 day'", values: [] })
      const banned = { grant_type: 'authorization_code', code, code_verifier: verifier }
      expect(fault(await exchange(auth, client, banned))).toBe('access_denied')
    },
  },
  {
    row: '24',
    rule: 'exchanges from one address are bounded, apart from sign-ins',
    settings: { ...settings, rateLimitByAddress: true },
    async run(auth) {
      const guess = () => auth.call('POST', '/oauth/token', { body: { client_id: 'x', client_secret: 'guessed' } })
      for (let at = 0; at < 30; at++) expect((await guess()).status).toBe(400)
      expect(refusalOf(await guess())).toEqual([429, 'over_request_rate_limit'])
      expect((await signIn(auth)).status).toBe(400)
    },
  },
]
