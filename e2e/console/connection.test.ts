import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { freePort, type Product, startProduct } from '../support/product.ts'
import { openSharedBrowser } from '../support/shared.ts'
import { bucket, createBucket, download, sha256 } from '../support/uploads.ts'

const mib = 1024 ** 2

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

/** Begins to send a file over a slow line, in a tab of its own. @returns the tab, and an end to the slowness */
async function beginUpload(bytes: Buffer): Promise<{ readonly tab: Page; readonly speedUp: () => Promise<void> }> {
  await createBucket(product)
  const tab = await page.context().newPage()
  tab.setDefaultTimeout(60_000)
  await tab.goto(`${product.consoleUrl}/storage/${bucket}`)
  await tab.getByRole('heading', { name: 'This folder is empty.' }).waitFor()
  const line = await tab.context().newCDPSession(tab)
  const limit = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 100,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await limit(mib / 2)
  await tab.getByLabel('Files to upload').setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: bytes })
  return { tab, speedUp: async () => void (await limit(-1)) }
}

test('the console says when Clew is gone, claims nothing meanwhile, and recovers by itself', async () => {
  const film = randomBytes(12 * mib)
  const { tab, speedUp } = await beginUpload(film)
  const progress = tab.getByRole('progressbar', { name: 'Progress of film.mp4' })
  // On a slow line the bytes that have left are told, long before a request is answered.
  await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(4)
  await tab.getByText('Uploading: 1 left').waitFor()
  const engines = page.getByRole('region', { name: 'Engines' })
  await engines.getByText('up').first().waitFor()
  const peopleNow = page.getByText(/\d now$/)
  await peopleNow.waitFor()
  // The code of the other screens has come.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /requests/.test(name)))
  await page.waitForLoadState('networkidle')
  await product.stop()
  await tab.getByText('The connection was lost. It is tried again.').waitFor()
  expect(await tab.getByText('Uploading: 1 left').count()).toBe(1)
  await speedUp()
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
  // By itself, as far as it had come.
  await tab.getByText('1 upload has ended').waitFor()
  await tab.getByRole('button', { name: 'film.mp4', exact: true }).waitFor()
  expect(sha256((await download(product, 'film.mp4')) ?? Buffer.alloc(0))).toBe(sha256(film))
})
