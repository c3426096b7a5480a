import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RequestSummary } from '../../console/src/lib/api/schemas.ts'
import { press, signUp, visitCafe } from '../support/cafe.ts'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { until } from '../support/product.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

const wanda = { name: 'Wanda Reis', email: 'wanda@example.test', password: 'a galao with no sugar' }
const waitMs = 60_000

let product: SharedProduct
let browser: Browser
let api: ConsoleApi
beforeAll(async () => {
  product = await sharedCafe()
  api = await signInOwner(product)
  browser = await openSharedBrowser()
}, 90_000)
afterAll(() => browser?.close())

test('an invoice that stays hidden is explained, from the request to the policy’s clause', async () => {
  const visit = await visitCafe(browser, product)
  await signUp(visit, wanda)
  const { page } = visit
  await press(page.getByRole('button', { name: 'Add Espresso' }))
  await press(page.getByRole('link', { name: /^Basket/ }))
  await press(page.getByRole('button', { name: 'Place order' }))
  await page.getByRole('heading', { name: 'My orders' }).waitFor()
  await press(page.getByRole('link', { name: 'My invoices' }))
  let asked: RequestSummary | undefined
  await until(async () => {
    const { requests } = await api.get<{ requests: RequestSummary[] }>('/requests?q=invoices')
    asked = requests.find(({ rows, person }) => rows === 0 && person?.email === wanda.email)
    return asked !== undefined
  }, waitMs)
  await page.context().close()

  const operator = await (await browser.newContext()).newPage()
  await openSignedIn(operator, `${product.consoleUrl}/requests/${asked?.id}`)
  await operator.getByRole('link', { name: 'Why this answer?' }).click()
  await operator.waitForURL(/requests\/why\?request=/)
  const causes = operator.getByRole('list', { name: 'Explanation' })
  await causes.getByText('customer_id is null in these rows of public.invoices').waitFor()
  const mend = causes.getByText(/set "customer_id" = o\."user_id"/)
  expect(await mend.count()).toBe(1)
  const rows = operator.getByRole('table', { name: 'Rows' }).getByRole('row')
  expect(await rows.nth(1).textContent()).toMatch(/customer_id = auth\.uid\(\) is unknown: customer_id is null/)
  await operator.context().close()
}, 180_000)
