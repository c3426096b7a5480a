import { createHash } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import type { JWTPayload } from 'jose'
import { SignJWT } from 'jose'
import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { test as base } from '../../../../test/harness.ts'
import { type Outside, startOutside } from '../../../../test/outside.ts'
import type { AuthSettings } from '../index.ts'

interface World {
  readonly auth: TestAuth
  readonly outside: Outside
}

const site = 'https://app.example.com'
const claims = { aud: 'the client', sub: 'g1', email: 'ann@example.com', email_verified: true, name: 'Ann' }

const test = base.extend('start', async ({ db }, { onCleanup }) => {
  const opened: Outside[] = []
  onCleanup(() => {
    for (const outside of opened) outside.close()
  })
  return async (settings: (url: string) => Partial<AuthSettings> = () => ({})): Promise<World> => {
    const outside = await startOutside()
    opened.push(outside)
    outside.describeIssuer('')
    const auth = await startAuth(db, {
      siteUrl: site,
      emailEnableConfirmations: true,
      externalGoogleEnabled: true,
      externalGoogleClientId: ['the client', 'the phone’s client'],
      externalGoogleUrl: outside.url,
      ...settings(outside.url),
    })
    return { auth, outside }
  }
})

const grant = ({ auth }: World, body: object, token?: string) =>
  auth.call('POST', '/token?grant_type=id_token', { body, ...(token === undefined ? {} : { token }) })

const halfHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')

test('auth §7 the official client gets a session for an ID token', async ({ start }) => {
  const world = await start()
  const url = await world.auth.app.listen({ host: '127.0.0.1', port: 0 })
  const client = createClient(url, world.auth.apiKeys.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: class {} as never },
  })
  const nonce = 'a nonce of the application'
  const hashed = createHash('sha256').update(nonce).digest('hex')
  const token = await world.outside.sign({ ...claims, nonce: hashed, at_hash: halfHash('their token') })
  const credentials = { provider: 'google', token, nonce, access_token: 'their token' }
  const { data, error } = await client.auth.signInWithIdToken(credentials)
  expect(error).toBeNull()
  expect(data.user).toMatchObject({
    email: claims.email,
    app_metadata: { provider: 'google', providers: ['google'] },
    identities: [{ provider: 'google', id: 'g1' }],
  })
  expect((await client.auth.getUser()).data.user?.id).toBe(data.user?.id)
  await world.auth.app.close()
})

type Row = readonly [
  rule: string,
  token: JWTPayload,
  body: object,
  answer: 200 | readonly [error: string, description: string],
]

const bad = ['invalid request', 'Bad ID token'] as const
const oneNonce = ['invalid request', 'Passed nonce and nonce in id_token should either both exist or not.'] as const

test.for<Row>([
  ['a good token', claims, {}, 200],
  ['any of our clients', { ...claims, aud: 'the phone’s client' }, {}, 200],
  ['several audiences, one of them ours', { ...claims, aud: ['other', 'the client'] }, {}, 200],
  ['the issuer in the provider’s place', claims, { provider: undefined, client_id: 'x' }, 200],
  [
    'another audience',
    { ...claims, aud: 'other' },
    {},
    ['invalid request', 'Unacceptable audience in id_token: [other]'],
  ],
  [
    'no audience',
    { ...claims, aud: undefined } as never,
    {},
    ['invalid request', 'Unacceptable audience in id_token: []'],
  ],
  ['no user', { ...claims, sub: undefined } as never, {}, ['invalid request', 'Missing sub claim in id_token']],
  ['a nonce in the token only', { ...claims, nonce: 'x' }, {}, oneNonce],
  ['a nonce in the call only', claims, { nonce: 'x' }, oneNonce],
  ['another nonce', { ...claims, nonce: 'x' }, { nonce: 'x' }, ['invalid nonce', 'Nonces mismatch']],
  ['the hash of another access token', { ...claims, at_hash: halfHash('other') }, { access_token: 'their token' }, bad],
  ['an access token that the token does not name', claims, { access_token: 'their token' }, 200],
  ['no token', claims, { id_token: '' }, ['invalid request', 'id_token required']],
  ['no token but text', claims, { id_token: 'a.b.c' }, bad],
  [
    'neither provider nor issuer',
    claims,
    { provider: '' },
    ['invalid request', 'provider or client_id and issuer required'],
  ],
])('auth §7 %s', async ([, token, body, answer], { start }) => {
  const world = await start()
  const sent = { id_token: await world.outside.sign(token), provider: 'google', ...body }
  const named = 'client_id' in body ? { ...sent, issuer: world.outside.url } : sent
  const { status, body: got } = await grant(world, named)
  if (answer === 200) expect([status, got.user?.email]).toEqual([200, claims.email])
  else expect([status, got]).toEqual([400, { error: answer[0], error_description: answer[1] }])
})

test('auth §35.5–9 tokens of another key, another algorithm, another issuer or another time are bad', async ({
  start,
}) => {
  const world = await start()
  const { outside, auth } = world
  const stranger = await startOutside()
  const good = await outside.sign(claims)
  const [header = '', payload = '', signature = ''] = good.split('.')
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwks = await (await fetch(`${outside.url}/jwks`)).text()
  const hmac = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .setIssuer(outside.url)
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(jwks))
  const forged = {
    none: `${encode({ alg: 'none' })}.${payload}.`,
    'the public key as a secret': hmac,
    'a stranger’s key': await stranger.sign(claims, { issuer: outside.url }),
    'another issuer': await outside.sign(claims, { issuer: 'https://evil.com' }),
    'an unknown key': await outside.sign(claims, { kid: 'two' }),
    'an altered payload': `${header}.${encode({ ...claims, iss: outside.url, sub: 'victim', exp: 9e9 })}.${signature}`,
    'no signature': `${header}.${payload}.`,
  }
  stranger.close()
  for (const [how, token] of Object.entries(forged)) {
    const { status, body } = await grant(world, { provider: 'google', id_token: token })
    expect([how, status, body.error_description]).toEqual([how, 400, 'Bad ID token'])
  }
  auth.pass(301)
  expect((await grant(world, { provider: 'google', id_token: good })).body.error_description).toBe('Bad ID token')
})

test('auth §7 the issuer’s metadata and keys are fetched once', async ({ start }) => {
  const world = await start()
  for (let times = 0; times < 3; times++)
    expect((await grant(world, { provider: 'google', id_token: await world.outside.sign(claims) })).status).toBe(200)
  expect(world.outside.calls.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration', '/jwks'])
})

test('auth §7 an issuer that is down for a moment stops no sign-in', async ({ start }) => {
  const world = await start()
  const token = () => world.outside.sign(claims, { lifetime: '1d' })
  expect((await grant(world, { provider: 'google', id_token: await token() })).status).toBe(200)
  // What is remembered is old by then, and asked for again.
  world.auth.pass(2 * 3600)
  world.outside.answers.delete('/.well-known/openid-configuration')
  expect((await grant(world, { provider: 'google', id_token: await token() })).status).toBe(200)
  expect(world.outside.calls.at(-1)?.path).toBe('/.well-known/openid-configuration')
})

test.for([
  ['google', 'provider_disabled'],
  ['twitter', 'validation_failed'],
  ['custom:nobody', 'validation_failed'],
] as const)('auth §7 %s that is off or has no ID tokens is answered with %s', async ([provider, code], { start }) => {
  const world = await start(() => ({ externalGoogleEnabled: false }))
  const { status, body } = await grant(world, { provider, id_token: await world.outside.sign(claims) })
  expect([status, body.error_code]).toEqual([400, code])
})

test('auth §7 an issuer that is no provider is accepted where the operator listed it', async ({ start }) => {
  const closed = await start(() => ({ externalGoogleEnabled: false, externalGoogleUrl: null }))
  const token = await closed.outside.sign(claims)
  const body = { id_token: token, issuer: closed.outside.url, client_id: 'the client' }
  expect((await grant(closed, body)).body.error_code).toBe('validation_failed')
})

test('auth §7 a listed issuer becomes the identity’s provider', async ({ start }) => {
  const world = await start((url) => ({ externalGoogleUrl: null, externalAllowedIdTokenIssuers: [url] }))
  const body = { id_token: await world.outside.sign(claims), issuer: world.outside.url, client_id: 'the client' }
  const { status, body: got } = await grant(world, body)
  expect([status, got.user?.app_metadata.provider]).toEqual([200, world.outside.url])
  expect((await grant(world, { ...body, client_id: 'other' })).body.error_description).toContain(
    'Unacceptable audience',
  )
})

test('auth §13 an unverified address gets a confirmation here, too', async ({ start }) => {
  const world = await start()
  const token = await world.outside.sign({ ...claims, email_verified: false })
  const { status, body } = await grant(world, { provider: 'google', id_token: token })
  expect([status, body.error_code]).toEqual([422, 'provider_email_needs_verification'])
  expect(await world.auth.codeFor(claims.email)).toMatch(/^\d{6}$/)
})

test('auth §14 a user adds an identity with its ID token', async ({ start }) => {
  const world = await start()
  const first = (await grant(world, { provider: 'google', id_token: await world.outside.sign(claims) })).body
  const link = { provider: 'google', link_identity: true }
  const other = await world.outside.sign({ ...claims, sub: 'g2', email: 'second@example.com' })
  const anonymous = await grant(world, { ...link, id_token: other })
  expect(anonymous.body).toEqual({
    error: 'invalid request',
    error_description: 'Linking requires a valid user access token in Authorization',
  })
  const linked = await grant(world, { ...link, id_token: other }, first.access_token)
  expect(linked.body.user).toMatchObject({ id: first.user.id, email: claims.email })
  expect(linked.body.user.identities.map((identity: { id: string }) => identity.id)).toEqual(['g1', 'g2'])
  const again = await grant(world, { ...link, id_token: other }, first.access_token)
  expect([again.status, again.body.error_code]).toEqual([422, 'identity_already_exists'])
})
