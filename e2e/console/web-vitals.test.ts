import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeProblems } from '../support/axe.ts'
import { launchOptions, openVisitor, userAgent } from '../support/browser.ts'
import { type ConsoleApi, claimOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { layoutProblems } from '../support/layout.ts'
import { servePage } from '../support/page.ts'
import { type Product, startProduct, until } from '../support/product.ts'

let product: Product
let browser: Browser
let api: ConsoleApi
let site: { readonly url: string; close(): Promise<void> }

beforeAll(async () => {
  product = await startProduct({ env: { CLEW_ANALYTICS_RECORD_SESSIONS: 'false' } })
  api = await claimOwner(product)
  // What a profile says of its browser holds no longer while a page is left, when posthog-js asks whether it is a robot's.
  const args = [...(launchOptions.args ?? []), `--user-agent=${userAgent}`]
  browser = await chromium.launch({ ...launchOptions, args })
  site = await servePage(product)
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await product?.close()
})

interface Measured {
  readonly vitals: readonly { readonly vital: string; readonly views: number }[]
}

test('what an unchanged posthog-js measures is on the screen, down to the session in which it was', async () => {
  const visitor = await (await openVisitor(browser)).newPage()
  await visitor.goto(`${site.url}menu?table=7`)
  await until(() =>
    visitor.evaluate('Boolean(window.__PosthogExtensions__?.postHogWebVitalsCallbacksByFlavor)').then(Boolean),
  )
  const sessionId = String(await visitor.evaluate('posthog.get_session_id()'))
  await visitor.getByRole('button', { name: 'Pick a bean' }).click()
  const isMeasured = async (name: string): Promise<boolean> =>
    (await api.get<Measured>('/web-vitals')).vitals.some(({ vital, views }) => vital === name && views > 0)
  await until(async () => (await isMeasured('LCP')) && (await isMeasured('FCP')))

  const page = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
  await openSignedIn(page, `${product.consoleUrl}/web-vitals`)
  const lcp = page.getByRole('button', { name: /^LCP/ })
  await lcp.getByText('1 view').waitFor()
  expect(await lcp.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('figure', { name: 'LCP over time' }).waitFor()
  const table = page.getByRole('table', { name: 'Web vitals by path' })
  await table.getByText('/menu').waitFor()

  // By keyboard: the first row, its visits, and back.
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const visits = page.getByRole('list', { name: 'Worst visits by Largest contentful paint' })
  await visits.getByText('Element').waitFor()
  await page.keyboard.press('Escape')
  await visits.waitFor({ state: 'detached' })
  await table.getByText('/menu').click()
  await visits.getByRole('link', { name: /at that moment/ }).click()
  await page.waitForURL((url) => url.pathname.endsWith(`/sessions/${sessionId}`) && url.searchParams.has('at'))

  const address = `${product.consoleUrl}/web-vitals`
  expect(await axeProblems(page, address, [1440, 1024, 390])).toEqual([])
  expect(await layoutProblems(page, [1440, 1024, 390])).toEqual([])
  expect(await axeProblems(page, `${address}?open=%2Fmenu`, [1440, 390])).toEqual([])
  expect(await axeProblems(page, `${address}?device=Fridge`, [390])).toEqual([])
})
