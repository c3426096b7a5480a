import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignedIn } from '../support/console-page.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

const rowCount = 5_000
let product: SharedProduct
let browser: Browser
let page: Page
beforeAll(async () => {
  product = await sharedCafe()
  const client = new pg.Client({ connectionString: product.dbUrl })
  await client.connect()
  await client.query(`
    create table public.drawers (id bigint generated always as identity primary key, name text not null);
    insert into public.drawers (name) select 'Drawer ' || n from generate_series(1, ${rowCount}) n`)
  await client.end()
  browser = await openSharedBrowser()
  page = await (await browser.newContext({ viewport: { width: 1024, height: 720 } })).newPage()
  page.setDefaultTimeout(60_000)
  await openSignedIn(page, `${product.consoleUrl}/data/public/drawers?sort=%5B%22id.asc%22%5D`)
}, 180_000)
afterAll(async () => {
  await browser?.close()
})

test('thousands of rows scroll to the last one, and only those in sight are drawn', async () => {
  const table = page.getByRole('grid', { name: /drawers/ })
  await table.waitFor()
  const last = page.getByRole('gridcell', { name: `Drawer ${rowCount}`, exact: true })
  const box = table.locator('..')
  // Each end that comes into sight loads what is older.
  await expect
    .poll(
      async () => {
        await box.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
        return last.count()
      },
      { timeout: 100_000, interval: 50 },
    )
    .toBe(1)
  expect(await table.getByRole('row').count()).toBeLessThan(120)

  await box.evaluate((element) => element.scrollTo({ top: 0 }))
  await page.getByRole('gridcell', { name: 'Drawer 1', exact: true }).waitFor()
  expect(await last.count()).toBe(0)
})

test('the components that the browser gets are compiled', () => {
  const folder = fileURLToPath(new URL('../../server/dist/console/assets/', import.meta.url))
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const compiled = scripts.filter((name) =>
    readFileSync(join(folder, name), 'utf8').includes('react.memo_cache_sentinel'),
  )
  // Each screen is a separate script.
  expect(compiled.length).toBeGreaterThan(9)
})
