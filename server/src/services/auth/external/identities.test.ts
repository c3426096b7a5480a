import { expect } from 'vitest'
import type { Answer } from '../../../../test/auth-service.ts'
import { ann, pkce } from '../../../../test/cases/auth/external/case.ts'
import { test as base } from '../../../../test/harness.ts'
import { failureOf, type ProviderWorld, startProviderWorld } from '../../../../test/provider-world.ts'
import type { AuthSettings } from '../index.ts'

const password = 'a good password'
const bob = { email: 'bob@example.com', password }

const test = base.extend('start', async ({ db }, { onCleanup }) => {
  const worlds: ProviderWorld[] = []
  onCleanup(() => {
    for (const { outside } of worlds) outside.close()
  })
  return async (settings?: Partial<AuthSettings>) => {
    const world = await startProviderWorld(db, {
      enableManualLinking: true,
      emailEnableConfirmations: false,
      enableAnonymousSignIns: true,
      ...settings,
    })
    worlds.push(world)
    return world
  }
})

const signUp = async ({ auth }: ProviderWorld, body: object): Promise<Answer['body']> =>
  (await auth.call('POST', '/signup', { body })).body

/** Adds the provider's identity to a signed-in user; answers where the browser ended. */
async function link(world: ProviderWorld, token: string, claims: object, query: object = {}): Promise<URL> {
  const asked = new URLSearchParams({ provider: 'keycloak', skip_http_redirect: 'true', ...query })
  const begun = await world.auth.call('GET', `/user/identities/authorize?${asked}`, { token })
  expect(begun.status).toBe(200)
  const state = new URL(begun.body.url).searchParams.get('state') ?? ''
  return new URL(String((await world.comeBack(state, claims)).headers.location))
}

const unlink = ({ auth }: ProviderWorld, token: string, id: string, headers?: Record<string, string>) =>
  auth.call('DELETE', `/user/identities/${id}`, { token, ...(headers === undefined ? {} : { headers }) })

const userOf = async ({ auth }: ProviderWorld, token: string): Promise<Answer['body']> =>
  (await auth.call('GET', '/user', { token })).body

const identityOf = (user: Answer['body'], provider: string): string =>
  user.identities.find((identity: { provider: string }) => identity.provider === provider)?.identity_id

test('auth §14 a user adds a provider and takes it away again', async ({ start }) => {
  const world = await start()
  const { access_token: token, user } = await signUp(world, bob)
  const location = await link(world, token, ann)
  expect((await world.userOf(location)).id).toBe(user.id)
  const linked = await userOf(world, token)
  expect(linked).toMatchObject({
    email: bob.email,
    app_metadata: { provider: 'email', providers: ['email', 'keycloak'] },
  })

  const removed = await unlink(world, token, identityOf(linked, 'keycloak'))
  expect([removed.status, removed.body]).toEqual([200, {}])
  const after = await userOf(world, token)
  expect(after).toMatchObject({ email: bob.email, app_metadata: { provider: 'email', providers: ['email'] } })
  expect(after.email_confirmed_at).toEqual(expect.any(String))
})

test('auth §14 a provider is added by PKCE, too, and by a redirect', async ({ start }) => {
  const world = await start()
  const { access_token: token, user } = await signUp(world, bob)
  const { verifier, query } = pkce()
  const location = await link(world, token, ann, query)
  const body = { auth_code: location.searchParams.get('code'), code_verifier: verifier }
  const exchanged = await world.auth.call('POST', '/token?grant_type=pkce', { body })
  expect(exchanged.body.user.id).toBe(user.id)
  const redirected = await world.auth.call('GET', '/user/identities/authorize?provider=keycloak', { token })
  expect([redirected.status, new URL(String(redirected.headers.location)).origin]).toEqual([302, world.outside.url])
})

test('auth §14 an identity has one user', async ({ start }) => {
  const world = await start()
  await world.signIn(ann)
  const { access_token: token } = await signUp(world, bob)
  const taken = ['identity_already_exists', 'Identity is already linked to another user']
  expect(failureOf(await link(world, token, ann)).slice(1)).toEqual(taken)
  await link(world, token, { ...ann, sub: 'own', email: bob.email })
  const own = failureOf(await link(world, token, { ...ann, sub: 'own', email: bob.email }))
  expect(own.slice(1)).toEqual(['identity_already_exists', 'Identity is already linked'])
})

test('auth §14 an anonymous user becomes a lasting one with a verified address', async ({ start }) => {
  const world = await start({ emailEnableConfirmations: true })
  const { access_token: token, user } = await signUp(world, {})
  expect(user.is_anonymous).toBe(true)
  const linked = await world.userOf(await link(world, token, ann))
  expect(linked).toMatchObject({ id: user.id, email: ann.email, is_anonymous: false })
  expect(linked.email_confirmed_at).toEqual(expect.any(String))
})

test('auth §14 an anonymous user with an unverified address is asked to confirm it first', async ({ start }) => {
  const world = await start({ emailEnableConfirmations: true })
  const { access_token: token } = await signUp(world, {})
  expect(failureOf(await link(world, token, { ...ann, email_verified: false }))[1]).toBe('email_not_confirmed')
  const waiting = await userOf(world, token)
  expect(waiting).toMatchObject({ email: ann.email, is_anonymous: true })
  expect(waiting.email_confirmed_at).toBeUndefined()
  const code = await world.auth.codeFor(ann.email)
  await world.auth.call('POST', '/verify', { body: { type: 'signup', email: ann.email, token: code } })
  expect((await userOf(world, token)).is_anonymous).toBe(false)
})

test('auth §14 an anonymous user does not get an address of another user', async ({ start }) => {
  const world = await start()
  await signUp(world, { email: ann.email, password })
  const { access_token: token } = await signUp(world, {})
  expect(failureOf(await link(world, token, ann))[1]).toBe('email_exists')
  expect(await userOf(world, token)).toMatchObject({ email: '', identities: [] })
})

test('auth §14 taking the identity away that backs the address promotes another, and kills what was sent', async ({
  start,
}) => {
  const world = await start({ emailEnableConfirmations: true })
  const user = await world.signIn(ann)
  const token = new URLSearchParams(user.hash.slice(1)).get('access_token') ?? ''
  await link(world, token, { sub: 'two', email: 'second@example.com', email_verified: false })
  await link(world, token, { sub: 'three', email: 'third@example.com', email_verified: true })
  await world.auth.call('POST', '/recover', { body: { email: ann.email } })
  const code = await world.auth.codeFor(ann.email)
  const before = await userOf(world, token)
  await unlink(world, token, before.identities[0].identity_id)
  const promoted = await userOf(world, token)
  expect(promoted).toMatchObject({ email: 'third@example.com', identities: [{ id: 'two' }, { id: 'three' }] })
  expect(promoted.email_confirmed_at).toEqual(expect.any(String))
  const stale = await world.auth.call('POST', '/verify', { body: { type: 'recovery', email: ann.email, token: code } })
  expect([stale.status, stale.body.error_code]).toEqual([403, 'otp_expired'])

  await unlink(world, token, promoted.identities[1].identity_id)
  const last = await userOf(world, token)
  expect(last).toMatchObject({ email: 'second@example.com', user_metadata: { email_verified: false } })
  expect(last.email_confirmed_at).toBeUndefined()
})

test('auth §14 an identity whose loss would leave another user’s address stays', async ({ start }) => {
  const world = await start()
  const user = await world.signIn(ann)
  const token = new URLSearchParams(user.hash.slice(1)).get('access_token') ?? ''
  await link(world, token, { sub: 'two', email: 'taken@example.com', email_verified: true })
  await signUp(world, { email: 'taken@example.com', password })
  const { identities } = await userOf(world, token)
  const refused = await unlink(world, token, identities[0].identity_id)
  expect([refused.status, refused.body.error_code]).toEqual([422, 'email_conflict_identity_not_deletable'])
  expect((await userOf(world, token)).identities).toHaveLength(2)
})

test('auth §14 taking the phone away clears the number', async ({ start, db }) => {
  const world = await start()
  const { access_token: token, user } = await signUp(world, bob)
  await db.admin.query({
    text: `with phone as (update auth.users set phone = '4915200000', phone_confirmed_at = now() where id = $1)
      insert into auth.identities (provider_id, user_id, identity_data, provider, created_at)
      values ($2, $1, jsonb_build_object('sub', $2::text, 'phone', '4915200000'), 'phone', now())`,
    values: [user.id, user.id],
  })
  const { status } = await unlink(world, token, identityOf(await userOf(world, token), 'phone'))
  expect(status).toBe(200)
  const after = await userOf(world, token)
  expect(after).toMatchObject({ phone: '', email: bob.email, app_metadata: { providers: ['email'] } })
  expect(after.phone_confirmed_at).toBeUndefined()
})

test('auth §14 the rules of taking away, in their order', async ({ start }) => {
  const world = await start()
  const { access_token: token } = await signUp(world, bob)
  const refusal = async (id: string, headers?: Record<string, string>) => {
    const { status, body } = await unlink(world, token, id, headers)
    return [status, body.error_code]
  }
  const nobodys = '7f000001-0000-4000-8000-000000000000'
  expect(await refusal('no-uuid')).toEqual([404, 'validation_failed'])
  expect(await refusal(nobodys, { 'x-jwt-aud': 'other' })).toEqual([403, 'unexpected_audience'])
  const own = identityOf(await userOf(world, token), 'email')
  expect(await refusal(own)).toEqual([422, 'single_identity_not_deletable'])
  await link(world, token, ann)
  expect(await refusal(nobodys)).toEqual([422, 'identity_not_found'])
  // Another user's is as unknown as one that does not exist.
  const other = await signUp(world, { email: 'other@example.com', password })
  expect(await refusal(other.user.identities[0].identity_id)).toEqual([422, 'identity_not_found'])
  const both = (await userOf(world, token)).identities as { identity_id: string }[]
  const answers = await Promise.all(both.map(({ identity_id }) => unlink(world, token, identity_id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
})

test('auth §14 no user adds or takes away where that is switched off, or without a session', async ({ start }) => {
  const world = await start({ enableManualLinking: false })
  const { access_token: token } = await signUp(world, bob)
  const begun = await world.auth.call('GET', '/user/identities/authorize?provider=keycloak', { token })
  expect([begun.status, begun.body.error_code]).toEqual([404, 'manual_linking_disabled'])
  const removed = await unlink(world, token, 'x')
  expect([removed.status, removed.body.error_code]).toEqual([404, 'manual_linking_disabled'])
  const without = await world.auth.call('GET', '/user/identities/authorize?provider=keycloak')
  expect([without.status, without.body.error_code]).toEqual([401, 'no_authorization'])
})

test('auth §22 a user is notified of identities that come and go where that is switched on', async ({ start }) => {
  const world = await start({
    emailNotificationIdentityLinkedEnabled: true,
    emailNotificationIdentityUnlinkedEnabled: true,
  })
  const { access_token: token } = await signUp(world, bob)
  await link(world, token, ann)
  await unlink(world, token, identityOf(await userOf(world, token), 'keycloak'))
  const { mails } = await world.auth.inbox.search(`to:${bob.email}`, { start: 0, limit: 10 })
  expect(mails).toHaveLength(2)
})
