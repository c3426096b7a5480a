import { createHash, createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { providerCases } from '../../../../test/cases/auth/external/providers.ts'
import { test as base } from '../../../../test/harness.ts'
import { type Outside, startOutside } from '../../../../test/outside.ts'
import type { AuthSettings } from '../index.ts'
import { providerNames } from './names.ts'

const site = 'http://localhost:5173'
const callbackUrl = 'https://api.example.com/auth/v1/callback'

const test = base.extend('outside', async ({ db: _db }, { onCleanup }) => {
  const outside = await startOutside()
  onCleanup(() => outside.close())
  return outside
})

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The settings of one provider that is at an address of ours. */
function settingsOf(name: string, url: string, more: object = {}): Partial<AuthSettings> {
  const prefix = `external${name.split('_').map(capital).join('')}`
  const fields = { enabled: true, clientId: ['the client'], secret: 'the secret', url, ...more }
  return {
    externalUrl: 'https://api.example.com/auth/v1',
    siteUrl: site,
    ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [prefix + capital(field), value])),
  }
}

/** Leaves for a provider and answers where to. */
async function depart(auth: TestAuth, provider: string, query = ''): Promise<URL> {
  const answer = await auth.call('GET', `/authorize?provider=${provider}&redirect_to=${site}/welcome${query}`)
  expect(answer.status).toBe(302)
  return new URL(String(answer.headers.location))
}

/** Comes back and answers the fragment. */
async function arrive(auth: TestAuth, parameters: Record<string, string>): Promise<URLSearchParams> {
  const answer = await auth.call('GET', `/callback?${new URLSearchParams(parameters)}`)
  expect(answer.status).toBe(302)
  return new URLSearchParams(new URL(String(answer.headers.location)).hash.slice(1))
}

async function identityOf(auth: TestAuth, fragment: URLSearchParams, provider: string) {
  expect(fragment.get('error_description')).toBeNull()
  const { body } = await auth.call('GET', '/user', { token: fragment.get('access_token') ?? '' })
  return body.identities.find((identity: { provider: string }) => identity.provider === provider)
}

test.for(providerCases.map((row) => [row.provider, row] as const))(
  'auth §13 %s is asked and understood as it documents itself',
  async ([, row], { db, outside }) => {
    const auth = await startAuth(db, { ...settingsOf(row.provider, outside.url), ...row.settings })
    for (const [path, answer] of Object.entries(await row.answers(outside))) outside.answers.set(path, answer)
    expect((await auth.call('GET', '/settings')).body.external[row.provider]).toBe(true)

    const there = await depart(auth, row.provider)
    expect(there.origin + there.pathname).toBe(outside.url + row.authorizePath)
    expect(there.searchParams.get('scope')).toBe(row.scope)
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      client_id: 'the client',
      redirect_uri: callbackUrl,
      response_type: 'code',
    })
    const state = there.searchParams.get('state') ?? ''
    const fragment = await arrive(auth, { code: 'a code', state })
    const identity = await identityOf(auth, fragment, row.provider)
    expect(identity).toMatchObject({
      id: row.subject,
      email: row.email,
      identity_data: { sub: row.subject, email: row.email, email_verified: row.verified, ...row.data },
    })
    expect(fragment.get('provider_token')).toBe('their token')

    const asked = outside.calls.find((call) => call.method === 'POST')
    const form = new URLSearchParams(asked?.body)
    expect(Object.fromEntries(form)).toMatchObject({
      grant_type: 'authorization_code',
      code: 'a code',
      redirect_uri: callbackUrl,
    })
    if (row.authentication === 'basic') {
      const basic = `Basic ${Buffer.from('the+client:the+secret').toString('base64')}`
      expect(asked?.headers.authorization).toBe(basic)
    } else expect([form.get('client_id'), form.get('client_secret')]).toEqual(['the client', 'the secret'])
  },
)

test('auth §13 every provider that is known is tried above, twitter below', () => {
  expect([...providerCases.map((row) => row.provider), 'twitter'].sort()).toEqual([...providerNames].sort())
})

test('auth §13 twitter is asked by OAuth 1.0a, with the secret of the departure', async ({ db, outside }) => {
  const auth = await startAuth(db, settingsOf('twitter', outside.url))
  outside.answers.set('/oauth/request_token', () => ({
    body: 'oauth_token=request+token&oauth_token_secret=request+secret&oauth_callback_confirmed=true',
  }))
  outside.answers.set('/oauth/access_token', () => ({
    body: 'oauth_token=their+token&oauth_token_secret=their+secret',
  }))
  outside.answers.set('/1.1/account/verify_credentials.json', {
    id_str: '38895958',
    name: 'Ann',
    screen_name: 'ann',
    email: 'ann@example.com',
    profile_image_url_https: 'a',
  })
  const there = await depart(auth, 'twitter')
  expect(there.href).toBe(`${outside.url}/oauth/authenticate?oauth_token=request+token`)
  const begun = signatureOf(outside, '/oauth/request_token')
  const state = new URL(begun.fields.get('oauth_callback') ?? '').searchParams.get('state') ?? ''
  const back = { state, oauth_token: 'request token', oauth_verifier: 'a verifier' }
  const identity = await identityOf(auth, await arrive(auth, back), 'twitter')
  expect(identity).toMatchObject({ id: '38895958', identity_data: { user_name: 'ann', email_verified: true } })

  expect(signatureOf(outside, '/oauth/access_token').fields.get('oauth_verifier')).toBe('a verifier')
  for (const [path, secret] of [
    ['/oauth/request_token', ''],
    ['/oauth/access_token', 'request secret'],
    ['/1.1/account/verify_credentials.json', 'their secret'],
  ] as const) {
    const { base, signature } = signatureOf(outside, path)
    const key = `the%20secret&${encodeURIComponent(secret)}`
    expect([path, signature]).toEqual([path, createHmac('sha1', key).update(base).digest('base64')])
  }
  const denied = await depart(auth, 'twitter')
  expect(denied.origin).toBe(outside.url)
})

/** What a call was signed over, put together by the specification (RFC 5849 §3.4.1), and its signature. */
function signatureOf(outside: Outside, path: string) {
  const call = outside.calls.filter((one) => one.path.startsWith(path)).at(-1)
  const header = call?.headers.authorization ?? ''
  const pairs = [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value] as const)
  const fields = new URLSearchParams(
    Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value)])),
  )
  const signature = fields.get('oauth_signature')
  fields.delete('oauth_signature')
  const url = new URL(call?.path ?? '', outside.url)
  const encode = (text: string): string => encodeURIComponent(text).replaceAll('!', '%21')
  const sorted = [...url.searchParams, ...fields].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const base = [call?.method ?? '', url.origin + url.pathname, sorted.join('&')].map(encode).join('&')
  return { fields, base, signature }
}

test('auth §13 Apple posts its answer, with a name once, and is shown a secret that was just made', async ({
  db,
  outside,
}) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const auth = await startAuth(db, {
    ...settingsOf('apple', outside.url, { secret: null }),
    externalAppleTeamId: 'TEAM',
    externalAppleKeyId: 'KEY',
    externalApplePrivateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  })
  outside.describeIssuer('')
  const idToken = await outside.sign({ aud: 'the client', sub: 'a1', email: 'ann@example.com' })
  outside.answers.set('/token', { access_token: 'their token', token_type: 'bearer', id_token: idToken })
  const there = await depart(auth, 'apple')
  expect(there.searchParams.get('response_mode')).toBe('form_post')
  const form = new URLSearchParams({
    code: 'a code',
    state: there.searchParams.get('state') ?? '',
    user: JSON.stringify({ name: { firstName: 'Ann', lastName: 'Hill' }, email: 'somebody@else.com' }),
  })
  const answer = await auth.call('POST', '/callback', {
    body: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const fragment = new URLSearchParams(new URL(String(answer.headers.location)).hash.slice(1))
  // The name is the browser's word; the address is Apple's.
  expect((await identityOf(auth, fragment, 'apple')).identity_data).toMatchObject({
    full_name: 'Ann Hill',
    email: 'ann@example.com',
  })
  const secret = new URLSearchParams(outside.calls.find((call) => call.path === '/token')?.body).get('client_secret')
  const key = createPublicKey(publicKey.export({ format: 'pem', type: 'spki' }))
  const made = await jwtVerify(secret ?? '', key, { issuer: 'TEAM', subject: 'the client' })
  expect(made.payload.aud).toBe('https://appleid.apple.com')
  expect(made.protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY' })
})

test('auth §13 the application’s parameters are passed to the provider, the auth service’s own are not', async ({
  db,
  outside,
}) => {
  const auth = await startAuth(db, settingsOf('github', outside.url))
  const evil =
    '&redirect_uri=https://evil.com&STATE=mine&client_id=mine&Code_Challenge_Method=plain&response_type=token'
  const own = '&scopes=repo,gist%20read:org&prompt=select_account&login_hint=ann&nonce=n&apikey=k'
  const { searchParams } = await depart(auth, 'github', own + evil)
  expect(Object.fromEntries(searchParams)).toEqual({
    scope: 'user:email repo gist read:org',
    prompt: 'select_account',
    login_hint: 'ann',
    nonce: 'n',
    client_id: 'the client',
    redirect_uri: callbackUrl,
    response_type: 'code',
    state: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

const provided = { email: 'ann@example.com', nickname: 'Ann', user_email: 'ann@example.com', user_name: 'Ann' }

type IdTokenRow = readonly [provider: string, claims: object, issuer: string, data: object]

test.for<IdTokenRow>([
  ['apple', {}, '', { email_verified: true }],
  ['apple', {}, 'https://account.apple.com', { email_verified: true }],
  [
    'azure',
    { xms_edov: '1', tid: 't1' },
    '/v2.0',
    { email_verified: true, custom_claims: { xms_edov: '1', tid: 't1' } },
  ],
  ['azure', { xms_edov: '0' }, '/v2.0', { email_verified: false }],
  ['facebook', { nonce: 'of its own' }, '', { email_verified: true }],
  ['google', { email_verified: true, hd: 'example.com' }, '', { custom_claims: { hd: 'example.com' } }],
  ['kakao', {}, '', { name: 'Ann', email_verified: true }],
  [
    'keycloak',
    { email_verified: true, zoneinfo: 'Europe/Paris' },
    '',
    { zoneinfo: 'Europe/Paris', email_verified: true },
  ],
  ['snapchat', {}, '', { email_verified: true }],
  ['vercel_marketplace', { global_user_id: 'v1' }, '', { sub: 'global_user_id:v1', name: 'Ann' }],
])('auth §7 an ID token of %s with %j is understood', async ([provider, claims, issuer, data], { db, outside }) => {
  const auth = await startAuth(db, { ...settingsOf(provider, outside.url), emailEnableConfirmations: false })
  outside.describeIssuer(issuer.startsWith('https') ? '' : issuer)
  const iss = issuer.startsWith('https') ? issuer : `${outside.url}${issuer}`
  const idToken = await outside.sign({ sub: 's1', aud: 'the client', ...provided, ...claims }, { issuer: iss })
  const { body } = await auth.call('POST', '/token?grant_type=id_token', { body: { provider, id_token: idToken } })
  expect(body.user?.identities[0]).toMatchObject({
    provider,
    email: 'ann@example.com',
    identity_data: { iss, ...data },
  })
})

test('auth §7 a tenant’s tokens are the only ones where the operator named the tenant', async ({ db, outside }) => {
  const auth = await startAuth(db, settingsOf('azure', outside.url))
  const body = {
    provider: 'azure',
    id_token: await outside.sign({ sub: 's1' }, { issuer: `${outside.url}/other/v2.0` }),
  }
  const { status, body: answer } = await auth.call('POST', '/token?grant_type=id_token', { body })
  expect([status, answer.error_code]).toEqual([400, 'validation_failed'])
})

test('auth §13 WorkOS is asked for one of its own providers', async ({ db, outside }) => {
  const auth = await startAuth(db, settingsOf('workos', outside.url))
  const { searchParams } = await depart(auth, 'workos', '&workos_provider=GoogleOAuth')
  expect(searchParams.get('provider')).toBe('GoogleOAuth')
})

test('auth §13 the verifier of X’s PKCE is kept here and used once', async ({ db, outside }) => {
  const auth = await startAuth(db, settingsOf('x', outside.url))
  const row = providerCases.find(({ provider }) => provider === 'x')
  for (const [path, answer] of Object.entries((await row?.answers(outside)) ?? {})) outside.answers.set(path, answer)
  const { searchParams } = await depart(auth, 'x')
  const state = searchParams.get('state') ?? ''
  await arrive(auth, { code: 'a code', state })
  const asked = new URLSearchParams(outside.calls.find((call) => call.method === 'POST')?.body)
  const challenge = createHash('sha256')
    .update(asked.get('code_verifier') ?? '')
    .digest('base64url')
  expect([searchParams.get('code_challenge'), searchParams.get('code_challenge_method')]).toEqual([challenge, 'S256'])
  expect(await db.admin.query({ text: 'select id from auth.oauth_client_states', values: [] })).toMatchObject({
    rows: [],
  })
})

type Lost = readonly [rule: string, code: string, error: string, happens: string | null, query: object]

const states = 'update auth.oauth_client_states set'

test.for<Lost>([
  ['no code', 'bad_oauth_callback', 'invalid_request', null, { code: '' }],
  ['a lost verifier', 'oauth_client_state_not_found', 'server_error', 'delete from auth.oauth_client_states', {}],
  ['another’s verifier', 'oauth_invalid_state', 'invalid_request', `${states} provider_type = 'twitter'`, {}],
  [
    'an old verifier',
    'oauth_client_state_expired',
    'server_error',
    `${states} created_at = now() - interval '301 seconds'`,
    {},
  ],
  [
    'no verifier',
    'oauth_invalid_state',
    'invalid_request',
    'update auth.flow_state set oauth_client_state_id = null',
    {},
  ],
  [
    'a provider that is off by now',
    'oauth_provider_not_supported',
    'invalid_request',
    `update auth.flow_state set provider_type = 'github'`,
    {},
  ],
  ['a code that is refused', 'unexpected_failure', 'server_error', null, { code: 'refused' }],
])('auth §13 %s leads back with %s', async ([, code, error, happens, query], { db, outside }) => {
  const auth = await startAuth(db, settingsOf('x', outside.url))
  outside.answers.set('/2/oauth2/token', () => ({ status: 400, body: { error: 'invalid_grant' } }))
  const state = (await depart(auth, 'x')).searchParams.get('state') ?? ''
  if (happens !== null) await db.admin.query({ text: happens, values: [] })
  const answer = await auth.call('GET', `/callback?${new URLSearchParams({ code: 'a code', state, ...query })}`)
  const location = new URL(String(answer.headers.location))
  expect(location.href.startsWith(`${site}/welcome?`)).toBe(true)
  for (const answered of [location.searchParams, new URLSearchParams(location.hash.slice(1))])
    expect([answered.get('error'), answered.get('error_code')]).toEqual([error, code])
})

test.for([
  ['nobody', 'Provider nobody could not be found'],
  ['github', 'provider is not enabled'],
  ['custom:nobody', 'custom provider custom:nobody not found'],
] as const)('auth §13 %s is no provider and no redirect', async ([provider, why], { db }) => {
  const auth = await startAuth(db)
  const answer = await auth.call('GET', `/authorize?provider=${provider}`)
  expect([answer.status, answer.body.error_code, answer.body.msg]).toEqual([
    400,
    'validation_failed',
    `Unsupported provider: ${why}`,
  ])
})
