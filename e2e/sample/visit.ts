import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { openVisitor } from '../support/browser.ts'
import { mailedCode } from '../support/cafe.ts'
import type { Product } from '../support/product.ts'
import type { DayClock } from './clock.ts'
import type { Guest } from './people.ts'

/** What a guest can do in the café, as a hand does it. */
export interface Visit {
  readonly guest: Guest
  /** Looks at the page for so many seconds of the day, or for as long as the guest does by habit. */
  look(seconds?: number): Promise<void>
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
  /** Behind the counter: brings an order from its first step to its last. */
  serve(items: string): Promise<void>
  /** Chooses a file as a product's photograph. */
  changePhoto(product: string, file: Photograph): Promise<void>
  /** Loses the network, and has it again after so many seconds of the day. */
  loseNetwork(seconds: number, meanwhile: () => Promise<void>): Promise<void>
  leave(): Promise<void>
}

/** A file of a camera. */
export interface Photograph {
  readonly name: string
  readonly mimeType: string
  readonly bytes: number
}

const phoneAgent =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

/** Seconds that guests take before they do something, one after the other. */
const habits = [9, 24, 13, 41, 17, 32, 11]

/** Nobody needs it: everybody of the sample can sign in by a code from the inbox. */
export const passwordOfGuests = randomUUID()

const letTimePass = fileURLToPath(new URL('./let-time-pass.js', import.meta.url))

/** The guests' browsers, which remember what browsers remember. */
export function createGuests(browser: Browser, product: Product, clock: DayClock) {
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
      return visitOf(guest, page, product, clock)
    },
    /** Forgets a browser: the guest comes back on another computer. */
    async forget(guest: Guest): Promise<void> {
      await contexts.get(guest)?.close()
      contexts.delete(guest)
    },
  }
}

export type Guests = ReturnType<typeof createGuests>

/** The habits of all guests together: a recording that is made again has the pauses of the one before. */
let habit = 0

function visitOf(guest: Guest, page: Page, product: Product, clock: DayClock): Visit {
  const { device, name, email } = guest
  const glance = (ms = 600): Promise<void> => page.waitForTimeout(ms)
  const look = async (seconds = habits[habit++ % habits.length] ?? 0): Promise<void> => {
    await page.mouse.wheel(0, 160)
    await clock.pass(seconds)
  }

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
    await glance(350)
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
      await look()
      await write('Password', passwordOfGuests)
      await press('Sign up')
      await Promise.race([greeted(), page.getByRole('alert').waitFor()])
      await look(7)
    },
    async signIn(password = passwordOfGuests) {
      await toSignIn()
      const way = page.getByRole('button', { name: 'Use a password' })
      if (await way.isVisible()) await press('Use a password')
      await write('E-mail', email)
      await write('Password', password)
      await touch(page.locator('form').getByRole('button', { name: 'Sign in' }))
      await Promise.race([greeted(), page.getByRole('alert').waitFor()])
      await look(5)
    },
    async signInByCode() {
      await toSignIn()
      await write('E-mail', email)
      await press('Send me a code')
      // The mail is opened in another window.
      await look(38)
      await write(/^The code we sent/, await mailedCode(product, email))
      await touch(page.locator('form').getByRole('button', { name: 'Sign in' }))
      await greeted()
      await look(5)
    },
    async fillBasket(...products) {
      for (const [index, one] of products.entries()) {
        if (one !== products[index - 1]) await look()
        await press(`Add ${one}`)
      }
      await look()
      await press(/^Basket/)
      await look()
    },
    async order() {
      await press('Place order')
      await Promise.race([
        page.getByRole('heading', { name: 'My orders' }).waitFor(),
        page.getByRole('alert').waitFor(),
      ])
      await look()
    },
    async changePrice(product_, price) {
      await look()
      await write(`Price of ${product_}`, price)
      await press(`Save ${product_}`)
      await look(6)
    },
    async serve(items) {
      const order = page.getByRole('listitem').filter({ hasText: items })
      for (const step of [/^Start/, /^Ready/, /^Collected/]) {
        await look()
        await touch(order.getByRole('button', { name: step }))
      }
    },
    async changePhoto(product_, { name: file, mimeType, bytes }) {
      await look()
      await page
        .getByLabel(`Photograph of ${product_}`)
        .setInputFiles({ name: file, mimeType, buffer: Buffer.alloc(bytes, 1) })
      await page.getByText(/(keeps its|has a new) photograph/).waitFor()
      await look(8)
    },
    async loseNetwork(seconds, meanwhile) {
      await page.context().setOffline(true)
      await meanwhile()
      await look(seconds)
      await page.context().setOffline(false)
    },
    async leave() {
      await page.goto('about:blank')
      // What the page says as it is left is on its way for a moment.
      await glance()
      await page.close()
    },
  }
}
