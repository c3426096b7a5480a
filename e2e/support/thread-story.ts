import type { Browser, Page } from 'playwright-core'
import { openVisitor } from './browser.ts'
import { press, signIn, signInByCode, signUp, type Visit, visitCafe } from './cafe.ts'
import { type ConsoleApi, consoleApi, owner } from './console-api.ts'
import { cafeFolder, type Product, startProduct, until } from './product.ts'
import { openSharedBrowser } from './shared.ts'

/** The guest who orders. */
export const nora = { name: 'Nora Quist', email: 'nora@example.test', password: 'two sugars please' }

/** A PNG of one pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** What the person and the person behind the counter did, and who watched. */
export interface Story {
  readonly product: Product
  readonly browser: Browser
  readonly api: ConsoleApi
  /** A page with the owner signed in. */
  readonly console: Page
  readonly signsBefore: string
  readonly nora: Visit
  readonly mia: Visit
  readonly ana: Visit
}

/** A guest orders, a price and a photograph are changed at the counter, and another guest signs in. */
export async function tellStory(): Promise<Story> {
  const product = await startProduct({ project: cafeFolder })
  const browser = await openSharedBrowser()
  const context = await openVisitor(browser, { width: 1440, height: 900 })
  const console = await context.newPage()
  await console.goto(product.setupUrl ?? '')
  await console.getByLabel('Name').fill(owner.name)
  await console.getByLabel('Email').fill(owner.email)
  await console.getByLabel('Password').fill(owner.password)
  await console.getByRole('button', { name: 'Create account' }).click()
  await console.getByRole('heading', { name: `Welcome, ${owner.name}` }).waitFor()
  const signs = console.getByRole('region', { name: 'First data' })
  const signsBefore = (await signs.textContent()) ?? ''

  const guest = await visitCafe(browser, product)
  await signUp(guest, nora)
  await press(guest.page.getByRole('button', { name: 'Add Almond croissant' }))
  await press(guest.page.getByRole('button', { name: 'Add Flat white' }))
  await press(guest.page.getByRole('link', { name: /^Basket/ }))
  await press(guest.page.getByRole('button', { name: 'One Almond croissant more' }))
  await press(guest.page.getByRole('button', { name: 'Place order' }))
  await guest.page.getByRole('heading', { name: 'My orders' }).waitFor()
  await guest.page.getByText('Order #801').waitFor()
  await until(async () => !(await signs.textContent())?.includes('waiting'))

  const mia = await visitCafe(browser, product)
  await signIn(mia, 'mia@example.test', 'coffee please', 'Mia Lindqvist')
  await press(mia.page.getByRole('link', { name: 'Prices' }))
  await mia.page.getByLabel('Price of Almond croissant').fill('3.45')
  await press(mia.page.getByRole('button', { name: 'Save Almond croissant' }))
  await mia.page.getByText('Almond croissant now costs € 3.45.').waitFor()

  await mia.page
    .getByLabel('Photograph of Espresso')
    .setInputFiles({ name: 'espresso.png', mimeType: 'image/png', buffer: picture })
  await mia.page.getByText('Espresso has a new photograph.').waitFor()

  const ana = await visitCafe(browser, product)
  await signInByCode(ana, product, 'ana@example.test', 'Ana Ferreira')
  const cookies = await context.cookies()
  const api = consoleApi(product, cookies.map(({ name, value }) => `${name}=${value}`).join('; '))
  return { product, browser, api, console, signsBefore, nora: guest, mia, ana }
}
