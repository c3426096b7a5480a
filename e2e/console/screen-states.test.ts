import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleApi, claimOwner, joinTeam } from '../support/console-api.ts'
import { openSignedIn, typePassword } from '../support/console-page.ts'
import { makeOneOfEach } from '../support/one-of-each.ts'
import { cafeFolder, freePort, type Product, startProduct, until } from '../support/product.ts'
import { addressOf, readScreens } from '../support/screens.ts'
import { openSharedBrowser } from '../support/shared.ts'
import { isTrial } from '../support/trials.ts'

/** Values that a screen shows by mistake. */
const mistaken = /\bundefined\b|\bNaN\b|\[object Object\]|Invalid Date/

/** Screens that ask for no session. */
const isForAnyone = /^\/(?:welcome|join|sign-in|shared)$/

interface Watched {
  readonly page: Page
  /** Errors that no code caught, since this was asked last. */
  takeErrors(): readonly string[]
}

async function watch(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage()
  let errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  const takeErrors = (): readonly string[] => {
    const taken = errors
    errors = []
    return taken
  }
  return { page, takeErrors }
}

/** Resolves when nothing on the screen is on its way. */
const settled = (page: Page) =>
  page.waitForFunction(() => document.querySelector('.animate-pulse, [aria-label="Loading"]') === null)

/** Opens a screen and waits until it has what it shows. */
async function expectWhole({ page, takeErrors }: Watched, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('heading').first().waitFor()
  await settled(page)
  const [text = ''] = await page.locator('body').allInnerTexts()
  expect({ mistaken: mistaken.exec(text)?.[0], errors: takeErrors() }).toEqual({ mistaken: undefined, errors: [] })
}

describe.runIf(isTrial)('screens with nothing in them', () => {
  let product: Product
  let browser: Browser
  let api: ConsoleApi
  let watched: Watched
  beforeAll(async () => {
    product = await startProduct()
    api = await claimOwner(product)
    browser = await openSharedBrowser()
    watched = await watch(await browser.newContext())
    await openSignedIn(watched.page, product.consoleUrl)
  })
  afterAll(async () => {
    await browser?.close()
    await product?.close()
  })

  test.each(readScreens())('%s', async (screen) =>
    expectWhole(watched, `${product.consoleUrl}${await addressOf(api, screen)}`),
  )
})

describe.runIf(isTrial)('screens of the sample', () => {
  let product: Product
  let browser: Browser
  let api: ConsoleApi
  const contextOf = async (role: string): Promise<BrowserContext> => {
    const opened = await browser.newContext()
    const cookie = await joinTeam(product, api, { email: `${role}@example.test`, role })
    const [name = '', value = ''] = cookie.split(/=(.*)/s)
    await opened.addCookies([{ name, value, url: product.consoleUrl }])
    return opened
  }
  const ports: { port?: number; consolePort?: number } = {}
  beforeAll(async () => {
    Object.assign(ports, { port: await freePort(), consolePort: await freePort() })
    product = await startProduct({ ...ports, project: cafeFolder, sample: true })
    api = await claimOwner(product)
    await until(() => product.output().includes('sessions of yesterday loaded'))
    await makeOneOfEach(product, api)
    browser = await openSharedBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.close()
  })

  describe.each(['viewer', 'analyst'])('of a role that may not see all: %s', (role) => {
    let watched: Watched
    beforeAll(async () => {
      watched = await watch(await contextOf(role))
    })
    test.each(readScreens())('%s', async (screen) =>
      expectWhole(watched, `${product.consoleUrl}${await addressOf(api, screen)}`),
    )
  })

  test('a session that has ended leads to the sign-in, and back to each screen', async () => {
    const { page, takeErrors } = await watch(await browser.newContext())
    for (const screen of readScreens().filter((path) => /^\/[a-z]+$/.test(path) && !isForAnyone.test(path))) {
      await page.context().clearCookies()
      const address = `${product.consoleUrl}${await addressOf(api, screen)}`
      await page.goto(address)
      await typePassword(page)
      await page.getByRole('navigation', { name: 'Screens' }).waitFor()
      expect({ at: page.url().split('?')[0], errors: takeErrors() }).toEqual({ at: address, errors: [] })
    }
  })

  test('a server that stops is named on each screen, and when it is back each shows what it has', async () => {
    const { page, takeErrors } = await watch(await browser.newContext())
    await openSignedIn(page, product.consoleUrl)
    const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
    await links.first().waitFor()
    await page.waitForLoadState('networkidle')
    const names = await links.allInnerTexts()
    const { dataDir } = product
    await product.stop()
    for (const name of names) {
      await links.filter({ hasText: name }).first().click()
      await page.getByText('Connection lost').waitFor()
      await settled(page)
    }
    expect(takeErrors()).toEqual([])
    product = await startProduct({ ...ports, project: cafeFolder, dataDir })
    await page.getByText('Connection lost').waitFor({ state: 'detached' })
    for (const name of names) {
      await links.filter({ hasText: name }).first().click()
      await settled(page)
      expect({ name, lost: await page.getByText('Clew does not answer.').count() }).toEqual({ name, lost: 0 })
    }
    expect(takeErrors()).toEqual([])
  })
})
