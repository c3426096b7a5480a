import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { AuthSettings } from '../../../src/services/auth/index.ts'
import type { Answer, TestAuth } from '../../auth-service.ts'
import type { AuthCase } from './case.ts'
import { ann, bob, claimsOf, refusalOf, signIn, signUp } from './people.ts'

const settings: Partial<AuthSettings> = { oauthServerEnabled: true, oauthServerAllowDynamicRegistration: true }
const redirectUri = 'https://shop.example/callback?shop=1'
const verifier = 'a'.repeat(50)
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** A client registered by an administrator. */
async function createClient(auth: TestAuth, more: object = {}): Promise<Answer['body']> {
  const answer = await auth.call('POST', '/admin/oauth/clients', {
    token: auth.apiKeys.secretKey,
    body: { redirect_uris: [redirectUri], client_name: 'Shop', ...more },
  })
  expect(answer.status).toBe(201)
  return answer.body
}

const authorizePath = (clientId: string, more: Readonly<Record<string, string | null>> = {}): string => {
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  }
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return `/oauth/authorize?${new URLSearchParams(given)}`
}

/** The id of a new authorization request. */
async function request(auth: TestAuth, clientId: string, more: Readonly<Record<string, string | null>> = {}) {
  const answer = await auth.call('GET', authorizePath(clientId, more))
  expect(answer.status).toBe(302)
  return new URL(String(answer.headers.location)).searchParams.get('authorization_id') ?? ''
}

/** Says yes in a user's name; answers the code. */
async function approve(auth: TestAuth, id: string, token: string): Promise<string> {
  expect((await auth.call('GET', `/oauth/authorizations/${id}`, { token })).status).toBe(200)
  const answer = await auth.call('POST', `/oauth/authorizations/${id}/consent`, { token, body: { action: 'approve' } })
  expect(answer.status).toBe(200)
  return new URL(answer.body.redirect_url).searchParams.get('code') ?? ''
}

const form = (fields: Readonly<Record<string, string>>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** Exchanges at the token endpoint as a client that was registered with the default method. */
function exchange(
  auth: TestAuth,
  client: { readonly client_id: string; readonly client_secret: string },
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { body, headers } = form(fields)
  const authorization = basic(client.client_id, client.client_secret)
  return auth.call('POST', '/oauth/token', { body, headers: { ...headers, authorization } })
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

const offPaths = [
  ['POST', '/oauth/clients/register'],
  ['GET', '/oauth/authorize?client_id=x'],
  ['GET', '/oauth/authorizations/x'],
  ['POST', '/oauth/authorizations/x/consent'],
  ['POST', '/oauth/token'],
  ['GET', '/oauth/userinfo'],
  ['GET', '/admin/oauth/clients'],
  ['GET', '/.well-known/oauth-authorization-server'],
] as const

const badClients: readonly (readonly [string, object])[] = [
  ['no redirect_uris', { redirect_uris: [] }],
  ['eleven redirect_uris', { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://a.example/${at}`) }],
  ['http on a public host', { redirect_uris: ['http://shop.example/cb'] }],
  ['a fragment', { redirect_uris: ['https://shop.example/cb#a'] }],
  ['javascript:', { redirect_uris: ['javascript://shop.example/%0aalert(1)'] }],
  ['data:', { redirect_uris: ['DATA://text/html'] }],
  ['file:', { redirect_uris: ['file://host/etc'] }],
  ['vbscript:', { redirect_uris: ['vbscript://host'] }],
  ['about:', { redirect_uris: ['about://blank'] }],
  ['blob:', { redirect_uris: ['blob://host/1'] }],
  ['no host', { redirect_uris: ['myapp:/cb'] }],
  ['an address with a comma', { redirect_uris: ['https://a.example/a,https://b.example/'] }],
  ['a name of 1025', { client_name: 'n'.repeat(1025) }],
  ['a client_uri of 2049', { client_uri: `https://a.example/${'a'.repeat(2040)}` }],
  ['a client_uri that runs', { client_uri: 'javascript:alert(1)' }],
  ['a logo_uri that is none', { logo_uri: 'logo' }],
  ['an unknown grant', { grant_types: ['password'] }],
  ['an unknown way to prove itself', { token_endpoint_auth_method: 'private_key_jwt' }],
  ['a public client with a secret', { client_type: 'public', token_endpoint_auth_method: 'client_secret_basic' }],
  ['an unknown kind', { client_type: 'secret' }],
]

const badRequests: readonly (readonly [string, Readonly<Record<string, string | null>>])[] = [
  ['no challenge', { code_challenge: null }],
  ['no method', { code_challenge_method: null }],
  ['an unknown method', { code_challenge_method: 'S512' }],
  ['a short challenge', { code_challenge: 'abc' }],
  ['another response', { response_type: 'token' }],
  ['an unknown scope', { scope: 'email admin' }],
  ['a resource with a fragment', { resource: 'https://api.example/#a' }],
  ['a resource with a query', { resource: 'https://api.example/?a' }],
  ['a relative resource', { resource: '/api' }],
  ['a nonce of 256', { nonce: 'n'.repeat(256) }],
  ['U+0000', { state: 'a\0b' }],
]

/** Contract §20: the OAuth 2.1 server. */
export const oauthServerCases: readonly AuthCase[] = [
  ...offPaths.map(
    ([method, path]): AuthCase => ({
      row: '20',
      rule: `switched off, ${method} ${path} answers 404 feature_disabled`,
      async run(auth) {
        const token = path.startsWith('/admin') ? { token: auth.apiKeys.secretKey } : {}
        const body = method === 'POST' ? { body: {} } : {}
        expect(refusalOf(await auth.call(method, path, { ...token, ...body }))).toEqual([404, 'feature_disabled'])
      },
    }),
  ),
  ...badClients.map(
    ([what, fields]): AuthCase => ({
      row: '20',
      rule: `a client with ${what} is not registered`,
      settings,
      async run(auth) {
        const body = { redirect_uris: ['https://shop.example/'], ...fields }
        expect(refusalOf(await auth.call('POST', '/oauth/clients/register', { body }))).toEqual([
          400,
          'validation_failed',
        ])
      },
    }),
  ),
  ...badRequests.map(
    ([what, fields]): AuthCase => ({
      row: '20',
      rule: `a request with ${what} is refused at the client's own address`,
      settings,
      async run(auth) {
        const { client_id } = await createClient(auth)
        const answer = await auth.call('GET', authorizePath(client_id, fields))
        expect(answer.status).toBe(302)
        const location = new URL(String(answer.headers.location))
        expect(`${location.origin}${location.pathname}`).toBe('https://shop.example/callback')
        expect(location.searchParams.get('error')).toBe('invalid_request')
        expect(location.searchParams.get('shop')).toBe('1')
      },
    }),
  ),
  {
    row: '20',
    rule: 'a request whose client or address is not known is never redirected',
    settings,
    async run(auth) {
      const { client_id } = await createClient(auth)
      const ask = async (more: Readonly<Record<string, string | null>>) =>
        refusalOf(await auth.call('GET', authorizePath(client_id, more)))
      expect(await ask({ client_id: null })).toEqual([400, 'validation_failed'])
      expect(await ask({ redirect_uri: null })).toEqual([400, 'validation_failed'])
      expect(await ask({ client_id: 'shop' })).toEqual([400, 'oauth_client_not_found'])
      expect(await ask({ client_id: '00000000-0000-0000-0000-000000000000' })).toEqual([400, 'oauth_client_not_found'])
      for (const uri of [
        `${redirectUri}&a=1`,
        'https://shop.example/callback',
        'https://shop.example.evil/',
        `${redirectUri}#`,
      ])
        expect(await ask({ redirect_uri: uri })).toEqual([400, 'validation_failed'])
    },
  },
  {
    row: '20',
    rule: 'registration is for anybody only where it is allowed',
    settings: { oauthServerEnabled: true },
    async run(auth) {
      const body = { redirect_uris: ['https://shop.example/'] }
      expect(refusalOf(await auth.call('POST', '/oauth/clients/register', { body }))).toEqual([
        403,
        'oauth_dynamic_client_registration_disabled',
      ])
    },
  },
  {
    row: '20',
    rule: 'a client that registers itself gets its secret once, and a public one none',
    settings,
    async run(auth, db) {
      const register = (body: object) => auth.call('POST', '/oauth/clients/register', { body })
      const confidential = await register({ redirect_uris: ['https://shop.example/'] })
      expect(confidential.status).toBe(201)
      expect(confidential.body).toMatchObject({
        client_type: 'confidential',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        registration_type: 'dynamic',
      })
      const open = await register({ redirect_uris: ['http://localhost:1234/cb', 'myapp://cb'], client_type: 'public' })
      expect(open.body).toMatchObject({ client_type: 'public', token_endpoint_auth_method: 'none' })
      expect(open.body.client_secret).toBeUndefined()
      const kept = await db.admin.query({
        text: 'select client_secret_hash as hash from auth.oauth_clients',
        values: [],
      })
      expect(JSON.stringify(kept.rows)).not.toContain(confidential.body.client_secret)
    },
  },
  {
    row: '20',
    rule: 'administrators keep the clients',
    settings,
    async run(auth) {
      const token = auth.apiKeys.secretKey
      expect((await auth.call('GET', '/admin/oauth/clients', { token })).body).toEqual({})
      const client = await createClient(auth)
      const path = `/admin/oauth/clients/${client.client_id}`
      const { client_secret, client_secret_expires_at: _never, ...shown } = client
      expect((await auth.call('GET', path, { token })).body).toEqual(shown)
      expect((await auth.call('GET', '/admin/oauth/clients', { token })).body).toEqual({ clients: [shown] })
      const changed = await auth.call('PUT', path, { token, body: { client_name: 'Market' } })
      expect(changed.body).toMatchObject({ client_name: 'Market', redirect_uris: [redirectUri] })
      expect(refusalOf(await auth.call('PUT', path, { token, body: {} }))).toEqual([400, 'validation_failed'])
      const none = { token_endpoint_auth_method: 'none' }
      expect(refusalOf(await auth.call('PUT', path, { token, body: none }))).toEqual([400, 'validation_failed'])
      const renewed = await auth.call('POST', `${path}/regenerate_secret`, { token, body: {} })
      expect(renewed.body.client_secret).not.toBe(client_secret)
      const spent = { grant_type: 'authorization_code', code: 'x' }
      expect((await exchange(auth, client, spent)).body.error_code).toBe('invalid_credentials')
      expect((await exchange(auth, renewed.body, spent)).body.error).toBe('invalid_grant')
      expect(await auth.call('DELETE', path, { token })).toMatchObject({ status: 204, body: '' })
      expect(refusalOf(await auth.call('GET', path, { token }))).toEqual([404, 'oauth_client_not_found'])
      expect((await exchange(auth, renewed.body, spent)).body.error_code).toBe('invalid_credentials')
    },
  },
  {
    row: '20',
    rule: 'nobody but administrators sees the clients',
    settings,
    async run(auth) {
      const { access_token } = await signUp(auth)
      const list = async (token?: string) =>
        refusalOf(await auth.call('GET', '/admin/oauth/clients', token === undefined ? {} : { token }))
      expect(await list()).toEqual([401, 'no_authorization'])
      expect(await list(access_token)).toEqual([403, 'not_admin'])
      expect(await list(auth.apiKeys.anonKey)).toEqual([403, 'not_admin'])
      expect(await list('nonsense')).toEqual([403, 'bad_jwt'])
    },
  },
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
    rule: 'a request nobody has looked at cannot be consented to, nor one that is over',
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
    rule: 'a refusal of consent is told to the client',
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
    rule: 'registrations from one address are bounded',
    settings: { ...settings, rateLimitByAddress: true },
    async run(auth) {
      const register = () => auth.call('POST', '/oauth/clients/register', { body: {} })
      for (let at = 0; at < 30; at++) expect((await register()).status).toBe(400)
      expect(refusalOf(await register())).toEqual([429, 'over_request_rate_limit'])
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
  {
    row: '19',
    rule: 'discovery names every address, and registration only where it is allowed',
    settings: { ...settings, oauthServerAllowDynamicRegistration: false },
    async run(auth) {
      const answer = await auth.call('GET', '/.well-known/openid-configuration')
      const issuer = 'http://127.0.0.1:54321/auth/v1'
      expect(answer.headers['cache-control']).toBe('public, max-age=600')
      expect(answer.body).toMatchObject({
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        jwks_uri: `${issuer}/.well-known/jwks.json`,
        userinfo_endpoint: `${issuer}/oauth/userinfo`,
        code_challenge_methods_supported: ['S256', 'plain'],
      })
      expect(answer.body.registration_endpoint).toBeUndefined()
      expect((await auth.call('GET', '/.well-known/oauth-authorization-server')).body).toEqual(answer.body)
    },
  },
]
