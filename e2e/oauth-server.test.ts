import { createClient } from '@supabase/supabase-js'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import { type Product, startProduct } from './support/product.ts'

const redirectUri = 'http://localhost:8080/callback'

describe('another application signs users in through ours, in production', () => {
  let product: Product
  beforeAll(async () => {
    product = await startProduct({
      args: ['--production'],
      env: { CLEW_AUTH_OAUTH_SERVER_ENABLED: 'true', CLEW_AUTH_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true' },
    })
  })
  afterAll(() => product?.close())

  test('with nothing but what OAuth gives it: no project key', async () => {
    const configuration = await openid.dynamicClientRegistration(
      new URL(`${product.apiUrl}/auth/v1`),
      { redirect_uris: [redirectUri], client_name: 'Another', token_endpoint_auth_method: 'none' },
      openid.None(),
      { execute: [openid.allowInsecureRequests] },
    )
    // RFC 8414's address for it, which clients that speak MCP look for.
    const { client_id: clientId } = configuration.clientMetadata()
    const again = await openid.discovery(new URL(`${product.apiUrl}/auth/v1`), clientId, undefined, openid.None(), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })
    expect(again.serverMetadata()).toEqual(configuration.serverMetadata())

    const options = {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: ws as never },
    }
    const { auth } = createClient(product.apiUrl, product.publishableKey, options)
    const ann = { email: 'ann@example.com', password: 'a good password' }
    await createClient(product.apiUrl, product.secretKey, options).auth.admin.createUser({
      ...ann,
      email_confirm: true,
    })
    const { data } = await auth.signInWithPassword(ann)
    const codeVerifier = openid.randomPKCECodeVerifier()
    const begin = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email',
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    })
    const asked = await fetch(begin, { redirect: 'manual' })
    const id = new URL(asked.headers.get('location') ?? '').searchParams.get('authorization_id') ?? ''
    expect((await auth.oauth.getAuthorizationDetails(id)).error).toBeNull()
    const approved = await auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true })

    const tokens = await openid.authorizationCodeGrant(configuration, new URL(approved.data?.redirect_url ?? ''), {
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    const sub = tokens.claims()?.sub ?? ''
    expect(sub).toBe(data.user?.id)
    const info = await openid.fetchUserInfo(configuration, tokens.access_token, sub)
    expect(info.email).toBe('ann@example.com')
    expect((await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')).access_token).toBeTruthy()

    // Everything else still asks for the key.
    const authorization = `Bearer ${tokens.access_token}`
    for (const path of ['/auth/v1/user', '/auth/v1/user/oauth/grants', '/rest/v1/'])
      expect((await fetch(product.apiUrl + path, { headers: { authorization } })).status).toBe(401)
  })
})
