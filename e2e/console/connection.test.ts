import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { freePort, type Product, startProduct } from '../support/product.ts'
import { openSharedBrowser } from '../support/shared.ts'

let product: Product
let browser: Browser
let page: Page
let start: () => Promise<Product>
beforeAll(async () => {
  const [port, consolePort] = [await freePort(), await freePort()]
  start = () => startProduct({ port, consolePort, ...(product === undefined ? {} : { dataDir: product.dataDir }) })
  product = await start()
  await claimOwner(product)
  browser = await openSharedBrowser()
  page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(60_000)
  await openSignedIn(page, product.consoleUrl)
  await page.getByRole('heading', { name: 'Home' }).waitFor()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await product?.close()
})

test('the console says when Clew is gone, claims nothing meanwhile, and recovers by itself', async () => {
  const engines = page.getByRole('region', { name: 'Engines' })
  await engines.getByText('up').first().waitFor()
  const peopleNow = page.getByText(/\d now$/)
  await peopleNow.waitFor()
  // The code of the other screens has come.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /requests/.test(name)))
  await page.waitForLoadState('networkidle')
  await product.stop()
  const line = page.getByText('Connection lost')
  await line.waitFor()
  await page.getByText(/No answer since/).waitFor()
  expect(await engines.getByText('unknown').count()).toBeGreaterThan(0)
  expect(await engines.getByText('up', { exact: true }).count()).toBe(0)
  expect(await peopleNow.count()).toBe(0)

  // Over other screens, too, also those whose data was never loaded.
  await page.getByRole('link', { name: 'Requests' }).click()
  await line.waitFor()
  await page.getByText('Clew does not answer.').waitFor()

  product = await start()
  await line.waitFor({ state: 'detached' })
  await page.getByText('Clew does not answer.').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Home' }).click()
  await engines.getByText('up').first().waitFor()
})
