import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OidcServer, oidcClient, startOidcServer } from '../../server/test/oidc-server.ts'
import { openSharedBrowser, type SharedProduct, servePublic, sharedPages } from '../support/shared.ts'

const library = join(dirname(createRequire(import.meta.url).resolve('@supabase/supabase-js')), 'umd', 'supabase.js')

/** An application without a bundler: it shows who is signed in, and has the client for the test. */
const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Garden</title></head>
<body>
<output></output>
<script src="/supabase.js"></script>
<script>
const flowType = localStorage.getItem('flow') ?? 'pkce'
window.client = supabase.createClient(location.origin, window.publishableKey, { auth: { flowType } })
client.auth.getUser().then(({ data }) => {
  document.querySelector('output').textContent = data.user?.email ?? 'nobody'
})
</script>
</body>
</html>`

interface PageWindow {
  readonly client: SupabaseClient
}

describe('sign-in with a provider, by the official client in a browser', () => {
  let product: SharedProduct
  let provider: OidcServer
  let browser: Browser
  let garden: string

  beforeAll(async () => {
    const pages = await sharedPages()
    product = pages
    await servePublic(pages, 'supabase.js', await readFile(library))
    garden = await servePublic(pages, 'garden.html', html)
    provider = await startOidcServer(`${product.apiUrl}/auth/v1/callback`)
    provider.accounts.set('iris', { sub: 'iris', email: 'iris@example.com', email_verified: true, name: 'Iris' })
    const added = await fetch(`${product.apiUrl}/auth/v1/admin/custom-providers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${product.serviceRoleKey}`, apikey: product.serviceRoleKey },
      body: JSON.stringify({
        provider_type: 'oidc',
        identifier: 'custom:garden',
        name: 'Garden',
        client_id: oidcClient.id,
        client_secret: oidcClient.secret,
        issuer: provider.issuer,
        scopes: ['openid', 'email', 'profile'],
      }),
    })
    expect(added.status).toBe(201)
    browser = await openSharedBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await provider?.close()
  })

  /** A visitor of their own, who signs in as somebody at the provider and comes back. */
  async function signIn(flow: 'pkce' | 'implicit', hint: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await page.addInitScript(
      ({ key, flowType }) => {
        Object.assign(window, { publishableKey: key })
        if (location.origin !== 'null') localStorage.setItem('flow', flowType)
      },
      { key: product.publishableKey, flowType: flow },
    )
    await page.goto(garden)
    await page.getByText('nobody').waitFor()
    await page.evaluate((login_hint) => {
      const { auth } = (window as unknown as PageWindow).client
      void auth.signInWithOAuth({
        provider: 'custom:garden' as never,
        options: { redirectTo: `${location.origin}/garden.html?from=provider`, queryParams: { login_hint } },
      })
    }, hint)
    await page.waitForURL((url) => url.pathname === '/garden.html' && url.searchParams.get('from') === 'provider')
    return page
  }

  test.each(['pkce', 'implicit'] as const)('a user comes back signed in by the %s flow', async (flow) => {
    const page = await signIn(flow, 'iris')
    await page.getByText('iris@example.com').waitFor()
    // Nothing of it stays in the address that a user may pass on.
    await page.waitForURL((url) => !url.searchParams.has('code') && !url.hash.includes('access_token'))
    const { data } = await page.evaluate(() => (window as unknown as PageWindow).client.auth.getUser())
    expect(data.user?.app_metadata).toEqual({ provider: 'custom:garden', providers: ['custom:garden'] })
    await page.context().close()
  })

  test('a user who refuses comes back without a session, with the reason', async () => {
    const page = await signIn('pkce', 'a stranger')
    await page.getByText('nobody').waitFor()
    expect(new URL(page.url()).searchParams.get('error_description')).toBe('The user said no')
    await page.context().close()
  })
})
