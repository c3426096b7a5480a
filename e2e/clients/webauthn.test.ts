import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSharedBrowser, servePublic, sharedPages } from '../support/shared.ts'

const library = join(dirname(createRequire(import.meta.url).resolve('@supabase/supabase-js')), 'umd', 'supabase.js')

/** What the page has: the official library, and the client that a test made of it. */
interface PageWindow {
  readonly supabase: { readonly createClient: (url: string, key: string) => SupabaseClient }
  client: SupabaseClient
}

describe('passkeys and security keys, by the official client in a browser with a virtual authenticator', () => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const product = await sharedPages()
    browser = await openSharedBrowser()
    page = await browser.newPage()
    await page.goto(await servePublic(product, 'keys.html', '<!doctype html><title>Keys</title>'))
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    // The device itself, for passkeys, and a key to plug in, which is what the client asks for as a second factor.
    for (const transport of ['internal', 'usb'] as const)
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport,
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
    await page.addScriptTag({ path: library })
    await page.evaluate(
      ({ url, key }) => {
        const here = window as unknown as PageWindow
        here.client = here.supabase.createClient(url, key)
      },
      { url: product.apiUrl, key: product.publishableKey },
    )
  })
  afterAll(async () => {
    await browser?.close()
  })

  test('a user signs up, registers a passkey, signs out, and in again with nothing but it', async () => {
    const seen = await page.evaluate(async () => {
      const { auth } = (window as unknown as PageWindow).client
      const signedUp = await auth.signUp({ email: 'wanda@example.com', password: 'a good password' })
      const registered = await auth.registerPasskey()
      const listed = await auth.passkey.list()
      await auth.signOut()
      const signedIn = await auth.signInWithPasskey()
      const claims = await auth.getClaims()
      return {
        errors: [signedUp.error, registered.error, listed.error, signedIn.error].map((error) => error?.message),
        same: signedUp.data.user?.id === signedIn.data?.user?.id,
        passkeys: listed.data?.map(({ id }) => id === registered.data?.id),
        aal: claims.data?.claims.aal,
        amr: claims.data?.claims.amr,
      }
    })
    expect(seen).toMatchObject({ same: true, passkeys: [true], aal: 'aal1', amr: [{ method: 'passkey' }] })
    expect(seen.errors).toEqual([undefined, undefined, undefined, undefined])
  })

  test('a security key raises the session, and raises it again after the next sign-in', async () => {
    const seen = await page.evaluate(async () => {
      const { auth } = (window as unknown as PageWindow).client
      const registered = await auth.mfa.webauthn.register({ friendlyName: 'key' })
      const raised = await auth.mfa.getAuthenticatorAssuranceLevel()
      await auth.signOut()
      await auth.signInWithPassword({ email: 'wanda@example.com', password: 'a good password' })
      const before = await auth.mfa.getAuthenticatorAssuranceLevel()
      const { data } = await auth.mfa.listFactors()
      const factorId = data?.all[0]?.id ?? ''
      const authenticated = await auth.mfa.webauthn.authenticate({ factorId })
      const after = await auth.mfa.getAuthenticatorAssuranceLevel()
      const removed = await auth.mfa.unenroll({ factorId })
      return {
        errors: [registered.error, authenticated.error, removed.error].map((error) => error?.message),
        levels: [raised, before, after].map((level) => [level.data?.currentLevel, level.data?.nextLevel]),
      }
    })
    expect(seen.errors).toEqual([undefined, undefined, undefined])
    expect(seen.levels).toEqual([
      ['aal2', 'aal2'],
      ['aal1', 'aal2'],
      ['aal2', 'aal2'],
    ])
  })
})
