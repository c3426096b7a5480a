import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, expect, test } from 'vitest'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { press, signInByCode, visitCafe } from '../support/cafe.ts'
import { owner } from '../support/console-api.ts'
import { cafeFolder, type Product, startProduct } from '../support/product.ts'
import { openSharedBrowser } from '../support/shared.ts'
import { isTrial } from '../support/trials.ts'

const waitMs = 60_000
const ana = { name: 'Ana Ferreira', email: 'ana@example.test' }

let product: Product
let browser: Browser
let page: Page
const took: string[] = []

/** Does a step of the walk, and notes how long it took. */
async function step<Result>(name: string, walk: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const result = await walk()
  took.push(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${name}`)
  return result
}

afterEach(async ({ task }) => {
  if (isTrial) console.info(`The first minutes, step by step:\n${took.join('\n')}`)
  if (task.result?.state === 'fail' && page !== undefined) await keepEvidence(task.name, page, product.output())
})
afterAll(async () => {
  await browser?.close()
  await product?.close()
})

// What it walks `thread.test.ts` checks in every run; here it is timed.
test.runIf(isTrial)(
  'the first minutes lead a newcomer from the start to the rows of an order',
  async () => {
    product = await step('clew start with the sample café', () => startProduct({ project: cafeFolder, sample: true }))
    browser = await openSharedBrowser()
    page = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
    page.setDefaultTimeout(waitMs)

    await step('the owner creates their account', async () => {
      await page.goto(product.setupUrl ?? '')
      await page.getByLabel('Name').fill(owner.name)
      await page.getByLabel('Email').fill(owner.email)
      await page.getByLabel('Password').fill(owner.password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('heading', { name: `Welcome, ${owner.name}` }).waitFor()
    })

    await step('the clients’ code has this instance’s address and keys; the sample is offered', async () => {
      const code = page.getByRole('tabpanel')
      await code.getByText('createClient', { exact: false }).first().waitFor()
      expect(await code.textContent()).toContain(product.publishableKey)
      expect(await code.textContent()).toContain('tracing_headers')
      await page.getByRole('tab', { name: 'Try the sample' }).click()
      expect(await page.getByRole('link', { name: 'Open the café' }).getAttribute('href')).toContain(product.apiUrl)
    })

    const firsts = page.getByRole('region', { name: 'First data' })
    const visit = await step('the café opens; first request and event tick', async () => {
      const opened = await visitCafe(browser, product)
      for (const name of ['First request', 'First event'])
        await firsts.getByRole('listitem').filter({ hasText: name, hasNotText: 'waiting' }).waitFor()
      return opened
    })

    await step('Ana signs in by a mailed code and orders; the first recording ticks, and Home names her', async () => {
      await signInByCode(visit, product, ana.email, ana.name)
      // What posthog-js records is sent once the visitor has done something.
      await firsts.getByRole('link', { name: /^Watch the/ }).waitFor()
      await press(visit.page.getByRole('button', { name: 'Add Almond croissant' }))
      await press(visit.page.getByRole('link', { name: 'See basket' }))
      await press(visit.page.getByRole('button', { name: 'Place order' }))
      await visit.page.getByRole('heading', { name: 'My orders' }).waitFor()
      await page.getByRole('link', { name: 'Skip to the console' }).click()
      await page.getByRole('region', { name: 'Latest sessions' }).getByText(ana.name).first().waitFor()
    })

    const thread = page.getByRole('list', { name: 'Thread' })
    await step('her session: the click, its request, its statement, its rows', async () => {
      await page.getByRole('region', { name: 'Latest sessions' }).getByRole('link', { name: ana.name }).first().click()
      await page.getByRole('heading', { name: ana.name }).waitFor()
      await page.getByPlaceholder(/filter/i).fill('place order')
      await thread.getByRole('button', { name: 'Click Place order' }).click()
      const moment = thread.getByRole('listitem').filter({ hasText: 'Place order' }).first()
      await moment.getByText('place_order', { exact: false }).first().waitFor()
      await moment.getByText('12 → 11').waitFor()
    })
  },
  300_000,
)
