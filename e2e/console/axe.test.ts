import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeProblems, axeProblemsHere, openWithAxe } from '../support/axe.ts'
import { type ConsoleApi, claimOwner } from '../support/console-api.ts'
import { signInProfile } from '../support/console-page.ts'
import { layoutProblems } from '../support/layout.ts'
import { makeOneOfEach } from '../support/one-of-each.ts'
import { type Opener, openersOf, press } from '../support/openers.ts'
import { cafeFolder, type Product, startProduct, until } from '../support/product.ts'
import { addressOf, readScreens } from '../support/screens.ts'
import { openSharedBrowser } from '../support/shared.ts'
import { isTrial } from '../support/trials.ts'

const widths = [1440, 1024, 390]
/** Tabs of a screen whose first one alone stands at its address; those of other screens their own files look at. */
const tabs = [
  ...['console', 'network', 'events', 'notes', 'person'].map((tab) => ['/sessions/$id', tab] as const),
  ...['ids', 'flags'].map((tab) => ['/people/$id', tab] as const),
  ...['person', 'history'].map((tab) => ['/flags/$key', tab] as const),
  ['/surveys/$id', 'answers'] as const,
  ...['mails', 'addresses', 'keys', 'settings'].map((tab) => ['/auth/setup', tab] as const),
]

/** What is wrong with what a button opens, if it opens anything. */
async function problemsOver(page: Page, place: string, opener: Opener, width: number): Promise<readonly string[]> {
  const over = await press(page, opener)
  if (over === null) return []
  const found = [...(await axeProblemsHere(page, place, [width])), ...(await layoutProblems(page, [width]))]
  await page.keyboard.press('Escape')
  const isClosed = await over.waitFor({ state: 'hidden', timeout: 5_000 }).then(
    () => true,
    () => false,
  )
  return isClosed ? found : [...found, `${place}: Escape does not close it`]
}

// The screens with the data of the sample, and one of each thing that the sample has none of.
describe.runIf(isTrial)('axe finds nothing, in both themes, at 1440, 1024 and 390', () => {
  let product: Product
  let browser: Browser
  let api: ConsoleApi
  let page: Page
  beforeAll(async () => {
    product = await startProduct({ project: cafeFolder, sample: true })
    api = await claimOwner(product)
    await until(() => product.output().includes('sessions of yesterday loaded'))
    await makeOneOfEach(product, api)
    browser = await openSharedBrowser()
    const context = await browser.newContext()
    await signInProfile(context, product.consoleUrl)
    page = await context.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.close()
  })

  const expectNothing = async (path: string): Promise<void> => {
    const address = `${product.consoleUrl}${path}`
    expect(await axeProblems(page, address, widths)).toEqual([])
    expect(await layoutProblems(page, widths)).toEqual([])
  }

  test.each(readScreens())('on %s', async (screen) => expectNothing(await addressOf(api, screen)))

  test.each(tabs)('on %s, its tab %s', async (screen, tab) =>
    expectNothing(`${await addressOf(api, screen)}?tab=${tab}`),
  )

  test.each(readScreens())('with what opens over %s by the keyboard, which Escape closes', async (screen) => {
    const address = `${product.consoleUrl}${await addressOf(api, screen)}`
    const found: string[] = []
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await openWithAxe(page, address)
      for (const opener of await openersOf(page)) {
        found.push(...(await problemsOver(page, `${address} “${opener.name}”`, opener, width)))
        await openWithAxe(page, address)
      }
    }
    expect(found).toEqual([])
  })

  test('on a person’s erasure', async () => {
    const id = (await addressOf(api, '/people/$id')).split('/').at(-1)
    await expectNothing(`/settings/privacy/erase?kind=person&id=${id}`)
  })

  test('on a screen of something that is not there', () => expectNothing('/flags/none'))
})

describe.runIf(isTrial)('axe finds nothing, in both themes, where nothing is stored yet', () => {
  let product: Product
  let api: ConsoleApi
  let page: Page
  beforeAll(async () => {
    product = await startProduct()
    api = await claimOwner(product)
    const browser = await openSharedBrowser()
    const context = await browser.newContext()
    await signInProfile(context, product.consoleUrl)
    page = await context.newPage()
  })
  afterAll(async () => {
    await page?.context().browser()?.close()
    await product?.close()
  })

  test.each(readScreens())('on %s', async (screen) => {
    const address = `${product.consoleUrl}${await addressOf(api, screen)}`
    expect(await axeProblems(page, address, [1440, 390])).toEqual([])
    expect(await layoutProblems(page, [1440, 390])).toEqual([])
  })
})
