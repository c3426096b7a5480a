import { expect } from 'vitest'
import type { AuthCase } from '../case.ts'
import { refusalOf, signUp } from '../people.ts'
import { authorizePath, createClient, exchange, redirectUri, settings } from './application.ts'

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

/** Who may be a client of the OAuth 2.1 server, and how it finds its way (auth §20). */
export const oauthClientCases: readonly AuthCase[] = [
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
      rule: `a request with ${what} is rejected at the client's own address`,
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
    rule: 'only administrators see the clients',
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
