import { createClient } from '@supabase/supabase-js'
import * as openid from 'openid-client'
import { expect } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { oauthServerCases } from '../../../../test/cases/auth/oauth-server/authorization.ts'
import { oauthClientCases } from '../../../../test/cases/auth/oauth-server/clients.ts'
import { signUp } from '../../../../test/cases/auth/people.ts'
import { freePort } from '../../../../test/free-port.ts'
import { test } from '../../../../test/harness.ts'
import { localApiKeys } from '../../../ground/jwt/api-keys.ts'
import { createKeySet } from '../../../ground/jwt/keys.ts'

const cases = [...oauthClientCases, ...oauthServerCases]

test.for(cases.map((row) => [row.row, row.rule, row] as const))('auth §%s %s', async ([, , row], { db }) => {
  await row.run(await startAuth(db, row.settings, row.deps), db)
})

class NoSocket {
  constructor() {
    throw new Error('The client opened a socket.')
  }
}

const newClient = (url: string, key: string) =>
  createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own and the client asks for one; nothing here opens it.
    realtime: { transport: NoSocket as never },
  })

/** The service listening where its issuer says it is. */
async function startListening(db: Parameters<typeof startAuth>[0]) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const auth = await startAuth(db, {
    externalUrl: `${url}/auth/v1`,
    oauthServerEnabled: true,
    oauthServerAllowDynamicRegistration: true,
  })
  await auth.app.listen({ host: '127.0.0.1', port })
  return { ...auth, url }
}

const redirectUri = 'http://localhost:8080/callback'
const execute = [openid.allowInsecureRequests]

test.for([
  ['by Basic', 'client_secret_basic', openid.ClientSecretBasic()],
  ['by form', 'client_secret_post', openid.ClientSecretPost()],
  ['without a secret', 'none', openid.None()],
] as const)(
  'an independent OpenID client that proves itself %s signs a user in',
  async ([, method, proof], { db, onTestFinished }) => {
    const { app, url } = await startListening(db)
    onTestFinished(() => app.close())
    const configuration = await openid.dynamicClientRegistration(
      new URL(`${url}/auth/v1`),
      { redirect_uris: [redirectUri], client_name: 'Independent', token_endpoint_auth_method: method },
      proof,
      { execute },
    )

    const supabase = newClient(url, localApiKeys().anonKey)
    const { data: signedUp } = await supabase.auth.signUp({ email: 'ann@example.com', password: 'a good password' })
    const codeVerifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const nonce = openid.randomNonce()
    const begin = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile offline_access',
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const asked = await fetch(begin, { redirect: 'manual' })
    const page = new URL(asked.headers.get('location') ?? '')
    expect(`${page.origin}${page.pathname}`).toBe('http://127.0.0.1:3000/oauth/consent')

    const id = page.searchParams.get('authorization_id') ?? ''
    const details = await supabase.auth.oauth.getAuthorizationDetails(id)
    expect(details.error).toBeNull()
    expect(details.data).toMatchObject({ client: { name: 'Independent' } })
    const approved = await supabase.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true })
    expect(approved.error).toBeNull()

    const tokens = await openid.authorizationCodeGrant(configuration, new URL(approved.data?.redirect_url ?? ''), {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const sub = tokens.claims()?.sub ?? ''
    expect(sub).toBe(signedUp.user?.id)
    const info = await openid.fetchUserInfo(configuration, tokens.access_token, sub)
    expect(info).toMatchObject({ sub, email: 'ann@example.com', email_verified: true })
    const renewed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(renewed.access_token).not.toBe(tokens.access_token)

    const grants = await supabase.auth.oauth.listGrants()
    expect(grants.data).toMatchObject([{ client: { name: 'Independent' } }])
    const clientId = configuration.clientMetadata().client_id
    expect((await supabase.auth.oauth.revokeGrant({ clientId })).error).toBeNull()
    await expect(openid.refreshTokenGrant(configuration, renewed.refresh_token ?? '')).rejects.toThrow()
  },
)

test('a user says no through the official client', async ({ db, onTestFinished }) => {
  const { app, url } = await startListening(db)
  onTestFinished(() => app.close())
  const admin = newClient(url, localApiKeys().serviceRoleKey).auth.admin
  const { data: client } = await admin.oauth.createClient({ client_name: 'Shop', redirect_uris: [redirectUri] })
  const configuration = new openid.Configuration(
    {
      issuer: `${url}/auth/v1`,
      authorization_endpoint: `${url}/auth/v1/oauth/authorize`,
    },
    client?.client_id ?? '',
  )
  openid.allowInsecureRequests(configuration)
  const supabase = newClient(url, localApiKeys().anonKey)
  await supabase.auth.signUp({ email: 'ann@example.com', password: 'a good password' })
  const begin = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    code_challenge: await openid.calculatePKCECodeChallenge(openid.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  })
  const asked = await fetch(begin, { redirect: 'manual' })
  const id = new URL(asked.headers.get('location') ?? '').searchParams.get('authorization_id') ?? ''
  await supabase.auth.oauth.getAuthorizationDetails(id)
  const denied = await supabase.auth.oauth.denyAuthorization(id, { skipBrowserRedirect: true })
  expect(denied.data?.redirect_url).toContain('error=access_denied')
})

test('the official admin client keeps the clients', async ({ db, onTestFinished }) => {
  const { app, url } = await startListening(db)
  onTestFinished(() => app.close())
  const { oauth } = newClient(url, localApiKeys().serviceRoleKey).auth.admin
  const created = await oauth.createClient({ client_name: 'Shop', redirect_uris: [redirectUri] })
  expect(created.error).toBeNull()
  const id = created.data?.client_id ?? ''
  expect(created.data?.client_secret).toBeTruthy()
  expect((await oauth.listClients()).data.clients).toMatchObject([{ client_id: id }])
  expect((await oauth.getClient(id)).data?.client_name).toBe('Shop')
  expect((await oauth.updateClient(id, { client_name: 'Market' })).data?.client_name).toBe('Market')
  expect((await oauth.regenerateClientSecret(id)).data?.client_secret).not.toBe(created.data?.client_secret)
  expect((await oauth.deleteClient(id)).error).toBeNull()
  expect((await oauth.getClient(id)).error).toMatchObject({ code: 'oauth_client_not_found', status: 404 })
})

test('an ID token that no client could check is not made', async ({ db }) => {
  const keys = createKeySet({ signingKeys: [], secret: localApiKeys().jwtSecret })
  const auth = await startAuth(db, { oauthServerEnabled: true }, { keys })
  const { access_token: token } = await signUp(auth)
  const { body: client } = await auth.call('POST', '/admin/oauth/clients', {
    token: auth.apiKeys.secretKey,
    body: { redirect_uris: [redirectUri], client_type: 'public' },
  })
  const verifier = 'v'.repeat(43)
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: verifier,
    code_challenge_method: 'plain',
  })
  const asked = await auth.call('GET', `/oauth/authorize?${query}`)
  const id = new URL(String(asked.headers.location)).searchParams.get('authorization_id')
  await auth.call('GET', `/oauth/authorizations/${id}`, { token })
  const approved = await auth.call('POST', `/oauth/authorizations/${id}/consent`, {
    token,
    body: { action: 'approve' },
  })
  const code = new URL(approved.body.redirect_url).searchParams.get('code')
  const body = { grant_type: 'authorization_code', client_id: client.client_id, code, code_verifier: verifier }
  expect((await auth.call('POST', '/oauth/token', { body })).status).toBe(500)
})
