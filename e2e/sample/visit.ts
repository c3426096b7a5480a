import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { openVisitor } from '../support/browser.ts'
import { mailedCode } from '../support/cafe.ts'
import type { Product } from '../support/product.ts'
import type { Guest } from './people.ts'

/** What a guest can do in the café, as a hand does it. */
export interface Visit {
  readonly guest: Guest
  /** Looks at the page for a moment. */
  look(ms?: number): Promise<void>
  /** Presses what is in the page: a link or a button by its name. */
  press(name: string | RegExp): Promise<void>
  signUp(): Promise<void>
  /** Signs in by password: one's own, or the seed's. */
  signIn(password?: string): Promise<void>
  signInByCode(): Promise<void>
  /** Puts products into the basket and opens it. */
  fillBasket(...products: readonly string[]): Promise<void>
  /** Places the order that is in the basket. */
  order(): Promise<void>
  changePrice(product: string, price: string): Promise<void>
  leave(): Promise<void>
}

const phoneAgent =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

/** Nobody needs it: everybody of the sample can sign in by a code from the inbox. */
export const passwordOfGuests = randomUUID()

const letTimePass = fileURLToPath(new URL('./let-time-pass.js', import.meta.url))

/** The guests' browsers, which remember what browsers remember. */
export function createGuests(browser: Browser, product: Product) {
  const contexts = new Map<Guest, BrowserContext>()

  async function contextOf(guest: Guest): Promise<BrowserContext> {
    const known = contexts.get(guest)
    if (known !== undefined) return known
    const context =
      guest.device === 'laptop'
        ? await openVisitor(browser, { width: 1180, height: 760 })
        : await browser.newContext({
            userAgent: phoneAgent,
            viewport: { width: 390, height: 780 },
            isMobile: true,
            hasTouch: true,
            locale: 'en-GB',
            timezoneId: 'Europe/Lisbon',
          })
    contexts.set(guest, context)
    return context
  }

  return {
    async visit(guest: Guest, path = '/'): Promise<Visit> {
      const page = await (await contextOf(guest)).newPage()
      await page.addInitScript({ path: letTimePass })
      await page.goto(product.apiUrl + path)
      return visitOf(guest, page, product)
    },
    /** Forgets a browser: the guest comes back on another computer. */
    async forget(guest: Guest): Promise<void> {
      await contexts.get(guest)?.close()
      contexts.delete(guest)
    },
  }
}

export type Guests = ReturnType<typeof createGuests>

function visitOf(guest: Guest, page: Page, product: Product): Visit {
  const { device, name, email } = guest
  const look = (ms = 700): Promise<void> => page.waitForTimeout(ms)

  async function touch(target: Locator): Promise<void> {
    await target.waitFor()
    await target.scrollIntoViewIfNeeded()
    if (device === 'phone') return target.tap()
    const box = await target.boundingBox()
    if (box !== null) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 14 })
    await target.click({ delay: 110 })
  }
  const named = (text: string | RegExp): Locator =>
    page
      .getByRole('button', { name: text })
      .or(page.getByRole('link', { name: text }))
      .first()
  const press = async (text: string | RegExp): Promise<void> => {
    await touch(named(text))
    await look(350)
  }
  const write = async (label: string | RegExp, text: string): Promise<void> => {
    const field = page.getByLabel(label)
    await touch(field)
    await field.clear()
    await field.pressSequentially(text, { delay: 28 })
  }
  const greeted = () => page.locator('header').getByText(name).waitFor({ state: 'attached' })
  const toSignIn = async (): Promise<void> => {
    if (new URL(page.url()).pathname !== '/sign-in') await press('Sign in')
  }

  return {
    guest,
    look,
    press,
    async signUp() {
      await toSignIn()
      await press('Create an account')
      await write('Name', name)
      await write('E-mail', email)
      await write('Password', passwordOfGuests)
      await press('Sign up')
      await Promise.race([greeted(), page.getByRole('alert').waitFor()])
      await look()
    },
    async signIn(password = passwordOfGuests) {
      await toSignIn()
      const way = page.getByRole('button', { name: 'Use a password' })
      if (await way.isVisible()) await press('Use a password')
      await write('E-mail', email)
      await write('Password', password)
      await touch(page.locator('form').getByRole('button', { name: 'Sign in' }))
      await Promise.race([greeted(), page.getByRole('alert').waitFor()])
      await look()
    },
    async signInByCode() {
      await toSignIn()
      await write('E-mail', email)
      await press('Send me a code')
      await write(/^The code we sent/, await mailedCode(product, email))
      await touch(page.locator('form').getByRole('button', { name: 'Sign in' }))
      await greeted()
      await look()
    },
    async fillBasket(...products) {
      for (const one of products) await press(`Add ${one}`)
      await look(500)
      await press(/^Basket/)
      await look(600)
    },
    async order() {
      await press('Place order')
      await Promise.race([
        page.getByRole('heading', { name: 'My orders' }).waitFor(),
        page.getByRole('alert').waitFor(),
      ])
      await look(1100)
    },
    async changePrice(product_, price) {
      await write(`Price of ${product_}`, price)
      await press(`Save ${product_}`)
      await look()
    },
    async leave() {
      await page.goto('about:blank')
      // What the page says as it is left is on its way for a moment.
      await look()
      await page.close()
    },
  }
}
