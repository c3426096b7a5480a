import { createClient } from '@supabase/supabase-js'
import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { test as base } from '../../../../test/harness.ts'
import { startOutside } from '../../../../test/outside.ts'
import type { AuthDeps, AuthSettings } from '../index.ts'

const site = 'https://app.example.com'
const publicAddress = async () => [{ address: '93.184.216.34', family: 4 }]

const test = base
  .extend('outside', async ({ db: _db }, { onCleanup }) => {
    const outside = await startOutside()
    onCleanup(() => outside.close())
    return outside
  })
  .extend(
    'start',
    async ({ db }) =>
      (settings: Partial<AuthSettings> = {}, deps: Partial<AuthDeps> = {}) =>
        startAuth(
          db,
          { siteUrl: site, emailEnableConfirmations: true, customProvidersAllowLoopback: true, ...settings },
          deps,
        ),
  )

const admin = (auth: TestAuth, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', body?: object) =>
  auth.call(method, `/admin/custom-providers${path}`, {
    token: auth.apiKeys.serviceRoleKey,
    ...(body === undefined ? {} : { body }),
  })

const common = { identifier: 'custom:acme', name: 'Acme', client_id: 'the client', client_secret: 'the secret' }
const oauth2 = (url: string) => ({
  ...common,
  provider_type: 'oauth2',
  authorization_url: `${url}/authorize`,
  token_url: `${url}/token`,
  userinfo_url: `${url}/me`,
})
const oidc = (issuer: string) => ({ ...common, provider_type: 'oidc', issuer })

/** Signs a user in with the provider and answers the user. */
async function signIn(auth: TestAuth, query = ''): Promise<{ there: URL; user: Record<string, unknown> }> {
  const left = await auth.call('GET', `/authorize?provider=custom:acme${query}`)
  const there = new URL(String(left.headers.location))
  const state = there.searchParams.get('state') ?? ''
  const back = await auth.call('GET', `/callback?code=x&state=${state}`)
  const fragment = new URLSearchParams(new URL(String(back.headers.location)).hash.slice(1))
  expect(fragment.get('error_description')).toBeNull()
  const { body } = await auth.call('GET', '/user', { token: fragment.get('access_token') ?? '' })
  return { there, user: body }
}

test('auth §18 an administrator adds, sees, changes and removes a provider, whose secret is never answered', async ({
  start,
  outside,
}) => {
  const auth = await start()
  const added = await admin(auth, 'POST', '', oauth2(outside.url))
  expect(added.status).toBe(201)
  expect(added.body).toEqual({
    id: expect.any(String),
    provider_type: 'oauth2',
    identifier: 'custom:acme',
    name: 'Acme',
    client_id: 'the client',
    acceptable_client_ids: [],
    scopes: [],
    pkce_enabled: true,
    attribute_mapping: {},
    custom_claims_allowlist: [],
    authorization_params: {},
    enabled: true,
    email_optional: false,
    skip_nonce_check: false,
    authorization_url: `${outside.url}/authorize`,
    token_url: `${outside.url}/token`,
    userinfo_url: `${outside.url}/me`,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect((await admin(auth, 'GET')).body).toEqual({ providers: [added.body] })
  expect((await admin(auth, 'GET', '?type=oidc')).body).toEqual({ providers: [] })
  expect((await admin(auth, 'GET', '/custom:acme')).body).toEqual(added.body)
  const changed = await admin(auth, 'PUT', '/custom:acme', {
    name: 'Acme Corporation',
    enabled: false,
    client_secret: '',
  })
  expect(changed.body).toMatchObject({ name: 'Acme Corporation', enabled: false, client_id: 'the client' })
  const off = await auth.call('GET', '/authorize?provider=custom:acme')
  expect([off.status, off.body.msg]).toEqual([400, 'Unsupported provider: custom provider custom:acme is disabled'])
  const removed = await admin(auth, 'DELETE', '/custom:acme')
  expect([removed.status, removed.body]).toEqual([204, ''])
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const gone = await admin(auth, method, '/custom:acme', method === 'PUT' ? {} : undefined)
    expect([gone.status, gone.body.error_code]).toEqual([404, 'custom_provider_not_found'])
  }
})

test('auth §18 the official client adds and removes a provider', async ({ start, outside }) => {
  const auth = await start()
  const url = await auth.app.listen({ host: '127.0.0.1', port: 0 })
  const { customProviders } = createClient(url, auth.apiKeys.serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: class {} as never },
  }).auth.admin
  const created = await customProviders.createProvider(oauth2(outside.url) as never)
  expect([created.error, created.data?.identifier]).toEqual([null, 'custom:acme'])
  expect((await customProviders.listProviders()).data).toMatchObject({ providers: [{ identifier: 'custom:acme' }] })
  expect((await customProviders.updateProvider('custom:acme', { enabled: false })).data?.enabled).toBe(false)
  expect((await customProviders.getProvider('custom:acme')).data?.name).toBe('Acme')
  expect((await customProviders.deleteProvider('custom:acme')).error).toBeNull()
  expect((await customProviders.getProvider('custom:acme')).error?.code).toBe('custom_provider_not_found')
  await auth.app.close()
})

test('auth §18 users sign in with an OAuth 2 provider as its claims are mapped', async ({ start, outside }) => {
  const auth = await start()
  outside.answers.set('/token', ({ headers, body }) =>
    // This one takes no Basic authentication, and wants PKCE.
    headers.authorization === undefined && new URLSearchParams(body).get('code_verifier')
      ? { body: { access_token: 'their token', token_type: 'bearer' } }
      : { status: 401, body: { error: 'invalid_client' } },
  )
  outside.answers.set('/me', {
    id: 4711,
    mail: 'ann@example.com',
    email: 'ann@example.com',
    email_verified: true,
    login: 'ann',
    team: 'gardens',
    secret_note: 'x',
  })
  await admin(auth, 'POST', '', {
    ...oauth2(outside.url),
    scopes: ['profile'],
    authorization_params: { prompt: 'login' },
    attribute_mapping: { sub: 'id', email: 'mail', preferred_username: 'login', gender: 'nowhere' },
    custom_claims_allowlist: ['team', 'nothing'],
  })
  const { there, user } = await signIn(auth)
  expect(Object.fromEntries(there.searchParams)).toMatchObject({
    scope: 'profile',
    prompt: 'login',
    code_challenge_method: 'S256',
  })
  expect(user).toMatchObject({
    email: 'ann@example.com',
    identities: [{ provider: 'custom:acme', id: '4711' }],
    user_metadata: { preferred_username: 'ann', custom_claims: { team: 'gardens' }, email_verified: true },
  })
  expect(JSON.stringify(user)).not.toContain('secret_note')
  const asked = await auth.call('GET', '/authorize?provider=CUSTOM:ACME&scopes=own%20other&prompt=none')
  const { searchParams } = new URL(String(asked.headers.location))
  expect([searchParams.get('scope'), searchParams.get('prompt')]).toEqual(['own other', 'login'])
})

test('auth §35.32 an address that was put in the place of another is not verified by the other’s word', async ({
  start,
  outside,
}) => {
  const auth = await start({ customProvidersEnabled: true })
  outside.answers.set('/token', { access_token: 'their token', token_type: 'bearer' })
  outside.answers.set('/me', {
    sub: '1',
    email: 'thief@example.com',
    email_verified: true,
    login: 'victim@example.com',
  })
  await admin(auth, 'POST', '', { ...oauth2(outside.url), attribute_mapping: { email: 'login' } })
  const left = await auth.call('GET', '/authorize?provider=custom:acme')
  const state = new URL(String(left.headers.location)).searchParams.get('state')
  const back = await auth.call('GET', `/callback?code=x&state=${state}`)
  expect(String(back.headers.location)).toContain('provider_email_needs_verification')
})

test('auth §18 an OpenID Connect provider’s ID token is verified, for any client that is named', async ({
  start,
  outside,
}) => {
  const auth = await start()
  outside.describeIssuer('')
  const added = await admin(auth, 'POST', '', { ...oidc(outside.url), acceptable_client_ids: ['their app'] })
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject({
    issuer: outside.url,
    scopes: ['openid'],
    discovery_document: { token_endpoint: `${outside.url}/token` },
  })
  const claims = { sub: 'a1', email: 'ann@example.com', email_verified: true }
  const tokens = async (aud: string) => ({
    access_token: 'their token',
    token_type: 'bearer',
    id_token: await outside.sign({ ...claims, aud }),
  })
  outside.answers.set('/token', await tokens('their app'))
  expect((await signIn(auth)).user).toMatchObject({ email: claims.email })
  outside.answers.set('/token', await tokens('somebody else’s'))
  const left = await auth.call('GET', '/authorize?provider=custom:acme')
  const state = new URL(String(left.headers.location)).searchParams.get('state')
  const back = await auth.call('GET', `/callback?code=x&state=${state}`)
  expect(String(back.headers.location)).toContain('Error+getting+user+profile+from+external+provider')

  const idToken = await outside.sign({ ...claims, aud: 'their app' })
  const body = { provider: 'custom:acme', id_token: idToken }
  expect((await auth.call('POST', '/token?grant_type=id_token', { body })).status).toBe(200)
})

test('auth §18 an issuer that does not describe itself, or another, is seen when it is added', async ({
  start,
  outside,
}) => {
  const auth = await start()
  const refusal = async (body: object) => {
    const answer = await admin(auth, 'POST', '', body)
    return [answer.status, answer.body.error_code, answer.body.msg]
  }
  expect((await refusal(oidc(outside.url))).slice(0, 2)).toEqual([400, 'validation_failed'])
  outside.describeIssuer('', { issuer: 'https://evil.com' })
  expect((await refusal(oidc(outside.url)))[2]).toContain('OIDC discovery of')
  outside.describeIssuer('', { jwks_uri: undefined })
  expect((await refusal(oidc(outside.url)))[2]).toBe('OIDC discovery document is missing required fields: jwks_uri')
  expect((await admin(auth, 'GET')).body.providers).toEqual([])
})

test('auth §13 an issuer cannot make the application run something instead of opening it', async ({
  start,
  outside,
}) => {
  const auth = await start()
  outside.describeIssuer('', { authorization_endpoint: 'javascript:alert(1)' })
  await admin(auth, 'POST', '', oidc(outside.url))
  const { status, headers } = await auth.call('GET', '/authorize?provider=custom:acme')
  expect([status, headers.location]).toEqual([500, undefined])
})

test.for<readonly [rule: string, change: object, message: string]>([
  ['another type', { provider_type: 'saml' }, "provider_type must be either 'oauth2' or 'oidc'"],
  ['no identifier', { identifier: '' }, 'identifier is required'],
  ['no prefix', { identifier: 'acme' }, "identifier must start with 'custom:' prefix, e.g. 'custom:acme'"],
  ['capitals', { identifier: 'custom:Acme' }, 'identifier must be of lower-case letters'],
  ['a long identifier', { identifier: `custom:${'a'.repeat(44)}` }, 'identifier must be of lower-case letters'],
  ['no name', { name: '' }, 'name is required'],
  ['a long name', { name: 'a'.repeat(101) }, 'name is longer than 100 characters'],
  ['no client', { client_id: '' }, 'client_id is required'],
  ['no secret', { client_secret: '' }, 'client_secret is required'],
  ['no token address', { token_url: '' }, 'token_url is required for OAuth2 providers'],
  ['a long address', { token_url: `https://a.test/${'a'.repeat(2048)}` }, 'A URL is longer than 2048 characters'],
  ['a reserved parameter', { authorization_params: { State: 'x' } }, 'Cannot override reserved OAuth parameter: State'],
  ['a fixed nonce', { authorization_params: { nonce: 'x' } }, 'Cannot override reserved OAuth parameter: nonce'],
  ['a parameter that is no text', { authorization_params: { a: 1 } }, 'Authorization parameter "a" must be a string'],
  ['a protected field', { attribute_mapping: { role: 'x' } }, 'Cannot map to protected system field: role'],
  [
    'a verification',
    { attribute_mapping: { email_verified: true } },
    'Cannot map to protected system field: email_verified',
  ],
  ['an empty claim', { custom_claims_allowlist: [' '] }, 'custom_claims_allowlist entries must be non-empty strings'],
])('auth §18 %s is refused', async ([, change, message], { start }) => {
  const auth = await start()
  const { status, body } = await admin(auth, 'POST', '', { ...oauth2('https://a.test'), ...change })
  expect([status, body.error_code]).toEqual([400, 'validation_failed'])
  expect(body.msg).toContain(message)
})

test('auth §18 an identifier is taken once, and there are no more than allowed', async ({ start }) => {
  const auth = await start({ customProvidersMax: 2 }, { resolve: publicAddress })
  const add = async (identifier: string) => {
    const { status, body } = await admin(auth, 'POST', '', { ...oauth2('https://idp.example.com'), identifier })
    return [status, body.error_code]
  }
  const same = await Promise.all([add('custom:acme'), add('custom:acme')])
  expect(same.sort()).toEqual([
    [201, undefined],
    [400, 'conflict'],
  ])
  const next = await Promise.all([add('custom:two'), add('custom:three')])
  expect(next.sort()).toEqual([
    [201, undefined],
    [400, 'over_custom_provider_quota'],
  ])
})

test('auth §18 only administrators, and only where it is switched on', async ({ start }) => {
  const auth = await start({ customProvidersEnabled: false })
  const off = await admin(auth, 'GET')
  expect([off.status, off.body.error_code]).toEqual([404, 'feature_disabled'])
  const anonymous = await auth.call('GET', '/admin/custom-providers', { token: auth.apiKeys.anonKey })
  expect([anonymous.status, anonymous.body.error_code]).toEqual([403, 'not_admin'])
  const nobody = await auth.call('POST', '/admin/custom-providers', { body: {} })
  expect([nobody.status, nobody.body.error_code]).toEqual([401, 'no_authorization'])
})

const inside = [
  'http://idp.example.com',
  'https://localhost',
  'https://127.0.0.1',
  'https://2130706433',
  'https://[::1]',
  'https://[::ffff:169.254.169.254]',
  'https://169.254.169.254',
  'https://10.0.0.7',
]

test('auth §35.33 no address of a provider leads inside, added or changed', async ({ start }) => {
  const auth = await start({ customProvidersAllowLoopback: false }, { resolve: publicAddress })
  for (const url of inside) {
    for (const body of [oauth2(url), oidc(url), { ...oidc('https://idp.example.com'), discovery_url: `${url}/d` }]) {
      const { status, body: answer } = await admin(auth, 'POST', '', body)
      expect([url, status, answer.error_code]).toEqual([url, 400, 'validation_failed'])
    }
  }
  expect((await admin(auth, 'POST', '', oauth2('https://idp.example.com'))).status).toBe(201)
  for (const url of inside)
    for (const field of ['authorization_url', 'token_url', 'userinfo_url', 'jwks_uri']) {
      const { status } = await admin(auth, 'PUT', '/custom:acme', { [field]: `${url}/x` })
      expect([url, field, status]).toEqual([url, field, 400])
    }
})

test('auth §35.33 a name that leads inside when it is called is not called', async ({ start, outside }) => {
  let isRebound = false
  const resolve = async () => (isRebound ? [{ address: '127.0.0.1', family: 4 }] : publicAddress())
  const auth = await start({ customProvidersAllowLoopback: false }, { resolve })
  const { port } = new URL(outside.url)
  const there = oauth2(`https://idp.example.com:${port}`)
  expect((await admin(auth, 'POST', '', there)).status).toBe(201)
  isRebound = true
  const left = await auth.call('GET', '/authorize?provider=custom:acme')
  const state = new URL(String(left.headers.location)).searchParams.get('state')
  const back = await auth.call('GET', `/callback?code=x&state=${state}`)
  expect(String(back.headers.location)).toContain('unexpected_failure')
  const changed = await admin(auth, 'PUT', '/custom:acme', { name: 'Another' })
  expect([changed.status, changed.body.msg]).toEqual([400, 'URL cannot resolve to loopback addresses'])
  expect(outside.calls).toEqual([])
})

test('auth §35.33 a provider that redirects inside is not followed', async ({ start, outside }) => {
  const auth = await start()
  outside.answers.set('/token', { access_token: 'their token', token_type: 'bearer' })
  outside.answers.set('/me', () => ({ status: 302, headers: { location: `${outside.url}/secret` }, body: '' }))
  await admin(auth, 'POST', '', oauth2(outside.url))
  const left = await auth.call('GET', '/authorize?provider=custom:acme')
  const state = new URL(String(left.headers.location)).searchParams.get('state')
  await auth.call('GET', `/callback?code=x&state=${state}`)
  expect(outside.calls.map(({ path }) => path)).toEqual(['/token', '/me'])
})
