import type { Browser, Page } from 'playwright-core'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVisitor } from '../support/browser.ts'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { servePage } from '../support/page.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

let product: SharedProduct
let browser: Browser
let api: ConsoleApi
let site: Awaited<ReturnType<typeof servePage>>

/** A person’s properties are stored with the next batch. */
const patient = { timeout: 20_000 }
const byPlan = { groups: [{ properties: [{ key: 'e2e_plan', value: 'pro' }] }] }

beforeAll(async () => {
  product = await sharedCafe()
  api = await signInOwner(product)
  site = await servePage(product)
  browser = await openSharedBrowser()
  const store = (key: string, filters: object, more: object = {}) =>
    api.post('/flags', {
      ...{ key, description: '', active: true, filters, keepsBucket: false, bucketing: 'distinct_id' },
      ...{ runtime: 'all', contexts: [], earlyAccess: null, ...more },
    })
  await store('e2e-pro', { ...byPlan, payloads: { true: '{"beans":7}' } })
  await store('e2e-colour', {
    groups: [{ variant: 'blue' }],
    multivariate: {
      variants: [
        { key: 'red', rollout_percentage: 50 },
        { key: 'blue', rollout_percentage: 50 },
      ],
    },
  })
  await store(
    'e2e-beta',
    { groups: [], feature_enrollment: true },
    { description: 'Try it', earlyAccess: { name: 'Beta', stage: 'beta', documentationUrl: null } },
  )
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

interface PosthogJs {
  getFeatureFlag(key: string): unknown
  getFeatureFlagPayload(key: string): unknown
  onFeatureFlags(heard: (keys: string[]) => void): void
  identify(id: string, properties: object): void
  getEarlyAccessFeatures(heard: (features: { flagKey: string }[]) => void, forceReload: boolean): void
  updateEarlyAccessFeatureEnrollment(key: string, isEnrolled: boolean): void
}

/** Runs in the page, with its posthog. */
const inPage = <T>(page: Page, run: (posthog: PosthogJs) => T | Promise<T>): Promise<T> =>
  page.evaluate(`(${run.toString()})(window.posthog)`) as Promise<T>

test('posthog-js has flags, variants and payloads, asks again when it knows who it is, and enrols', async () => {
  const context = await openVisitor(browser)
  const page = await context.newPage()
  await page.goto(site.url)
  const loaded = await inPage(page, (posthog) => new Promise<string[]>((done) => posthog.onFeatureFlags(done)))
  expect(loaded).toContain('e2e-colour')
  expect(await inPage(page, (posthog) => posthog.getFeatureFlag('e2e-colour'))).toBe('blue')
  expect(await inPage(page, (posthog) => posthog.getFeatureFlag('e2e-pro'))).toBe(false)

  await inPage(page, (posthog) => posthog.identify('e2e-flags-visitor', { e2e_plan: 'pro' }))
  await expect.poll(() => inPage(page, (posthog) => posthog.getFeatureFlag('e2e-pro')), patient).toBe(true)
  expect(await inPage(page, (posthog) => posthog.getFeatureFlagPayload('e2e-pro'))).toEqual({ beans: 7 })

  const features = await inPage(
    page,
    (posthog) => new Promise<{ flagKey: string }[]>((done) => posthog.getEarlyAccessFeatures(done, true)),
  )
  expect(features).toContainEqual(expect.objectContaining({ flagKey: 'e2e-beta', name: 'Beta', description: 'Try it' }))
  await inPage(page, (posthog) => posthog.updateEarlyAccessFeatureEnrollment('e2e-beta', true))
  // The choice is a property of the person: it holds for later calls that do not say it.
  await page.reload()
  await expect.poll(() => inPage(page, (posthog) => posthog.getFeatureFlag?.('e2e-beta')), patient).toBe(true)
  await context.close()

  const server = new PostHog(product.ingestToken, { host: `${product.apiUrl}/ingest` })
  await expect
    .poll(() => server.getAllFlags('e2e-flags-visitor'), patient)
    .toMatchObject({
      ...{ 'e2e-pro': true, 'e2e-colour': 'blue', 'e2e-beta': true },
    })
  await server.shutdown()
})
