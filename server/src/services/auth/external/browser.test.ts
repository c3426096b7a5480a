import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { ann, refusalOf, signUp } from '../../../../test/cases/auth/people.ts'
import { test as base } from '../../../../test/harness.ts'
import { failureOf, type ProviderWorld, startProviderWorld } from '../../../../test/provider-world.ts'
import type { AuthSettings } from '../index.ts'

const test = base.extend('start', async ({ db }, { onCleanup }) => {
  const worlds: ProviderWorld[] = []
  onCleanup(() => {
    for (const { outside } of worlds) outside.close()
  })
  return async (settings?: Partial<AuthSettings>) => {
    const world = await startProviderWorld(db, settings)
    worlds.push(world)
    return world
  }
})

const mallory = { sub: 'k-mallory', email: 'mallory@example.com', email_verified: true }
const verifier = 'v'.repeat(43)
const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 's256',
}
const linkings = { enableManualLinking: true, emailEnableConfirmations: false }
const leaveToLink = async ({ auth }: ProviderWorld, token: string, query: Readonly<Record<string, string>> = {}) => {
  const all = new URLSearchParams({ provider: 'keycloak', skip_http_redirect: 'true', ...query })
  const { body } = await auth.call('GET', `/user/identities/authorize?${all}`, { token })
  return new URL(body.url).searchParams.get('state') ?? ''
}
/** Comes back in a browser that did not leave. */
const comeBackElsewhere = ({ auth, outside }: ProviderWorld, state: string, claims: object, cookie = '') => {
  outside.answers.set('/protocol/openid-connect/userinfo', claims)
  return auth.call('GET', `/callback?${new URLSearchParams({ code: 'a code', state })}`, { headers: { cookie } })
}
const providersOf = async ({ auth }: ProviderWorld, token: string) =>
  (await auth.call('GET', '/user', { token })).body.app_metadata.providers

test('auth §35.18 a state that another browser began signs no user in', async ({ start }) => {
  const world = await start()
  const state = await world.leave()
  for (const cookie of ['', `clew-flow-${state}=`, `clew-flow-${state}=${'x'.repeat(43)}`, `clew-flow-x=${state}`])
    expect(refusalOf(await comeBackElsewhere(world, state, mallory, cookie))).toEqual([400, 'bad_oauth_state'])
  // The one that began it still may, once.
  const back = await world.comeBack(state, mallory)
  expect(new URL(String(back.headers.location)).hash).toContain('access_token')
  expect(String(back.headers['set-cookie'])).toContain('Max-Age=0')
  expect(refusalOf(await world.comeBack(state, mallory))).toEqual([400, 'bad_oauth_state'])
})

test('two tabs of one browser leave at once, and both come back', async ({ start }) => {
  const world = await start()
  const states = [await world.leave(), await world.leave()]
  for (const state of states) {
    const { headers } = await world.comeBack(state, mallory)
    expect(new URL(String(headers.location)).hash).toContain('access_token')
  }
})

test('a flow with a code may end in any browser: only who began it can exchange the code', async ({ start }) => {
  const world = await start()
  const state = await world.leave(pkce)
  const { headers } = await comeBackElsewhere(world, state, mallory)
  const auth_code = new URL(String(headers.location)).searchParams.get('code')
  const exchange = (code_verifier: string) =>
    world.auth.call('POST', '/token?grant_type=pkce', { body: { auth_code, code_verifier } })
  expect(refusalOf(await exchange('w'.repeat(43)))).toEqual([400, 'bad_code_verifier'])
  expect((await exchange(verifier)).status).toBe(200)
})

test('a linking that another browser began adds nothing, with a code or without', async ({ start }) => {
  const world = await start(linkings)
  const { access_token: token } = await signUp(world.auth)
  const state = await leaveToLink(world, token)
  expect(refusalOf(await comeBackElsewhere(world, state, mallory))).toEqual([400, 'bad_oauth_state'])
  const withCode = await leaveToLink(world, token, pkce)
  expect((await comeBackElsewhere(world, withCode, mallory)).status).toBe(302)
  expect(await providersOf(world, token)).toEqual(['email'])
})

test('a linking with a code is done by its exchange, and rejected before where the identity is another user’s', async ({
  start,
}) => {
  const world = await start(linkings)
  const { access_token: token, user } = await signUp(world.auth, ann)
  const { headers } = await world.comeBack(await leaveToLink(world, token, pkce), mallory)
  const auth_code = new URL(String(headers.location)).searchParams.get('code')
  const exchanged = await world.auth.call('POST', '/token?grant_type=pkce', {
    body: { auth_code, code_verifier: verifier },
  })
  expect(exchanged.body).toMatchObject({ user: { id: user.id }, provider_token: 'their token' })
  expect(await providersOf(world, token)).toEqual(['email', 'keycloak'])
  const again = await world.comeBack(await leaveToLink(world, token, pkce), mallory)
  expect(failureOf(new URL(String(again.headers.location)))[1]).toBe('identity_already_exists')
})

test.for([
  [
    'over TLS',
    'https://api.example.com/auth/v1',
    {},
    /^__Secure-clew-flow-[\w-]+=[\w-]{43}; Max-Age=300; Path=\/auth\/v1\/callback; HttpOnly; Secure; SameSite=Lax$/,
  ],
  [
    'of a provider that posts',
    'https://api.example.com/auth/v1',
    { response_mode: 'form_post' },
    /Max-Age=300; .*; Secure; SameSite=None$/,
  ],
  [
    'on this machine',
    'http://127.0.0.1:54321/auth/v1',
    {},
    /^clew-flow-[\w-]+=[\w-]{43}; Max-Age=300; Path=\/auth\/v1\/callback; HttpOnly; SameSite=Lax$/,
  ],
] as const)('the cookie of a flow %s', async ([, externalUrl, query, expected], { start }) => {
  const { auth } = await start({ externalUrl })
  const left = await auth.call('GET', `/authorize?${new URLSearchParams({ provider: 'keycloak', ...query })}`)
  expect(String(left.headers['set-cookie'])).toMatch(expected)
  const withCode = await auth.call('GET', `/authorize?${new URLSearchParams({ provider: 'keycloak', ...pkce })}`)
  expect(withCode.headers['set-cookie']).toBeUndefined()
})

test('a browser that came by another name is sent to the one that the provider sends it back to, once', async ({
  start,
}) => {
  const { auth } = await start()
  const headers = { host: 'localhost:54321' }
  const sent = await auth.call('GET', '/authorize?provider=keycloak&redirect_to=https://x.example', { headers })
  const location = String(sent.headers.location)
  expect(location).toMatch(/^http:\/\/127\.0\.0\.1:54321\/auth\/v1\/authorize\?provider=keycloak&redirect_to=/)
  const next = await auth.call('GET', location.replace('http://127.0.0.1:54321/auth/v1', ''), { headers })
  expect(String(next.headers.location)).toContain('/protocol/openid-connect/auth')
  expect(String(next.headers.location)).not.toContain('clew')
})
