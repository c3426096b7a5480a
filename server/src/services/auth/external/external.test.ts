import { createClient } from '@supabase/supabase-js'
import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { openBrowser } from '../../../../test/browser.ts'
import { freePort } from '../../../../test/free-port.ts'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'
import { type OidcServer, oidcClient, startOidcServer } from '../../../../test/oidc-server.ts'
import type { AuthSettings } from '../index.ts'

const site = 'http://localhost:5173'
const ann = { sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'Ann' } as const

interface World {
  readonly auth: TestAuth
  readonly idp: OidcServer
  readonly url: string
  readonly client: (flowType: 'pkce' | 'implicit') => ReturnType<typeof createClient>['auth']
}

class NoSocket {
  constructor() {
    throw new Error('The client opened a socket.')
  }
}

/** The service behind a port, a provider behind another, and the latter known to the former as `custom:idp`. */
async function startWorld(db: TestDatabase, settings: Partial<AuthSettings> = {}): Promise<World> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const idp = await startOidcServer(`${url}/auth/v1/callback`)
  idp.accounts.set(ann.sub, ann)
  const auth = await startAuth(db, {
    externalUrl: `${url}/auth/v1`,
    siteUrl: site,
    customProvidersAllowLoopback: true,
    emailEnableConfirmations: true,
    ...settings,
  })
  await auth.app.listen({ host: '127.0.0.1', port })
  const added = await auth.call('POST', '/admin/custom-providers', {
    token: auth.apiKeys.serviceRoleKey,
    body: {
      provider_type: 'oidc',
      identifier: 'custom:idp',
      name: 'A provider',
      client_id: oidcClient.id,
      client_secret: oidcClient.secret,
      issuer: idp.issuer,
      scopes: ['openid', 'email', 'profile'],
      custom_claims_allowlist: ['department'],
    },
  })
  expect(added.status).toBe(201)
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  return {
    auth,
    idp,
    url,
    client: (flowType) =>
      createClient(url, auth.apiKeys.anonKey, {
        auth: { flowType, storage, autoRefreshToken: false, detectSessionInUrl: false },
        realtime: { transport: NoSocket as never },
      }).auth,
  }
}

const test = base.extend('world', async ({ db }, { onCleanup }) => {
  const worlds: World[] = []
  onCleanup(async () => {
    for (const { auth, idp } of worlds) {
      await auth.app.close()
      await idp.close()
    }
  })
  return async (settings?: Partial<AuthSettings>) => {
    const world = await startWorld(db, settings)
    worlds.push(world)
    return world
  }
})

/** Begins a sign-in as the official client does and follows it as a browser does, back to the application. */
async function comeBack(client: ReturnType<World['client']>, hint: string = ann.sub): Promise<URL> {
  const { data, error } = await client.signInWithOAuth({
    provider: 'custom:idp' as never,
    options: { redirectTo: `${site}/welcome?from=home`, queryParams: { login_hint: hint } },
  })
  expect(error).toBeNull()
  return openBrowser().follow(data.url ?? '', site)
}

test('auth §13 the official client signs in with a provider by PKCE', async ({ world }) => {
  const { client, idp } = await world()
  idp.accounts.set(ann.sub, { ...ann, department: 'gardens' })
  const auth = client('pkce')
  const back = await comeBack(auth)
  expect(back.origin + back.pathname).toBe(`${site}/welcome`)
  expect([...back.searchParams.keys()]).toEqual(['from', 'code'])

  const { data, error } = await auth.exchangeCodeForSession(back.searchParams.get('code') ?? '')
  expect(error).toBeNull()
  expect(data.session?.provider_token).toEqual(expect.any(String))
  expect(data.user).toMatchObject({
    email: ann.email,
    app_metadata: { provider: 'custom:idp', providers: ['custom:idp'] },
    user_metadata: { name: 'Ann', email_verified: true, sub: 'ann', custom_claims: { department: 'gardens' } },
    identities: [{ provider: 'custom:idp', id: 'ann', email: ann.email }],
  })
  const claims = JSON.parse(Buffer.from(data.session?.access_token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims.amr).toEqual([{ method: 'oauth', timestamp: expect.any(Number) }])

  const again = await auth.exchangeCodeForSession(back.searchParams.get('code') ?? '')
  expect(again.error).not.toBeNull()
  // The provider's tokens are given out once.
  expect((await auth.refreshSession()).data.session?.provider_token).toBeUndefined()
})

test('auth §13 the official client signs in with a provider by the implicit flow', async ({ world }) => {
  const { client } = await world()
  const auth = client('implicit')
  const back = await comeBack(auth)
  const fragment = new URLSearchParams(back.hash.slice(1))
  expect([...fragment.keys()]).toEqual([
    'access_token',
    'expires_at',
    'expires_in',
    'provider_token',
    'refresh_token',
    'sb',
    'token_type',
  ])
  const { data } = await auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  })
  expect(data.user?.email).toBe(ann.email)
})

test('auth §13 a user who comes again is the same one, with what the provider says now', async ({ world }) => {
  const { client, idp, auth: service } = await world()
  const first = client('pkce')
  const one = await first.exchangeCodeForSession((await comeBack(first)).searchParams.get('code') ?? '')
  idp.accounts.set(ann.sub, { ...ann, name: 'Ann of the hill' })
  const two = await first.exchangeCodeForSession((await comeBack(first)).searchParams.get('code') ?? '')
  expect(two.data.user?.id).toBe(one.data.user?.id)
  expect(two.data.user?.user_metadata.name).toBe('Ann of the hill')
  expect(two.data.user?.identities).toHaveLength(1)
  expect(service.contexts.at(-1)?.errorCode).toBeNull()
})

test('auth §13 a provider that refuses is quoted in query and fragment', async ({ world }) => {
  const { client } = await world()
  const back = await comeBack(client('pkce'), 'nobody')
  const parameters = { error: 'access_denied', error_description: 'The user said no' }
  expect(Object.fromEntries(back.searchParams)).toEqual({ from: 'home', ...parameters })
  expect(Object.fromEntries(new URLSearchParams(back.hash.slice(1)))).toEqual({ ...parameters, sb: '' })
})
