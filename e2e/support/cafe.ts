import type { Browser, Locator, Page } from 'playwright-core'
import { openVisitor } from './browser.ts'
import { type ProductFacts, until } from './product.ts'

/** An answer of the product as the browser got it. */
export interface Answer {
  /** The answer's `x-request-id`. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** When the browser began to ask. */
  readonly askedAt: number
  /** When its answer began to arrive. */
  readonly answeredAt: number
}

/** A visitor of the café in a browser profile of its own, with a record of what really happened there. */
export interface Visit {
  readonly page: Page
  /** Every answer of the services, in the order of arrival. */
  readonly answers: readonly Answer[]
  /** Every click, by the text of what was clicked; server and browser share this machine's clock. */
  readonly clicks: readonly { readonly text: string; readonly at: number }[]
  /** What the browser complained of. */
  readonly complaints: readonly string[]
}

export interface NewPerson {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** Clicks as a hand does: the button is down for a while. What is done faster than a frame belongs to no person. */
export const press = (target: Locator): Promise<void> => target.click({ delay: 200 })

/** Opens the café and waits for its menu, and for the recorder and the tracing headers that load after it. */
export async function visitCafe(browser: Browser, product: ProductFacts): Promise<Visit> {
  const context = await openVisitor(browser)
  const page = await context.newPage()
  const answers: Answer[] = []
  const clicks: { text: string; at: number }[] = []
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname
    const id = response.headers()['x-request-id']
    if (!/^\/(rest|auth|storage|functions)\//.test(path) || id === undefined) return
    const request = response.request()
    const { startTime: askedAt, responseStart } = request.timing()
    const answeredAt = askedAt + responseStart
    answers.push({ id, method: request.method(), path, status: response.status(), askedAt, answeredAt })
  })
  await page.exposeFunction('noteClick', (text: string, at: number) => clicks.push({ text, at }))
  await page.addInitScript(() => {
    const note: unknown = Reflect.get(window, 'noteClick')
    const listen = (event: Event) => {
      if (typeof note === 'function' && event.target instanceof Element) note(event.target.textContent, Date.now())
    }
    window.addEventListener('click', listen, true)
  })
  const lazy = new Set(['tracing-headers', 'recorder'])
  page.on('requestfinished', (request) => {
    for (const script of lazy) if (request.url().includes(script)) lazy.delete(script)
  })
  await page.goto(product.apiUrl)
  await page.getByRole('button', { name: 'Add Espresso' }).waitFor()
  await until(() => lazy.size === 0)
  return { page, answers, clicks, complaints }
}

/** Makes an account and waits until the café greets its person. */
export async function signUp({ page }: Visit, { name, email, password }: NewPerson): Promise<void> {
  await press(page.getByRole('link', { name: 'Sign in' }))
  await press(page.getByRole('button', { name: 'Create an account' }))
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await press(page.getByRole('button', { name: 'Sign up' }))
  await page.locator('header').getByText(name).waitFor()
}

/** Signs in by password and waits until the café greets the person. */
export async function signIn({ page }: Visit, email: string, password: string, name: string): Promise<void> {
  await press(page.getByRole('link', { name: 'Sign in' }))
  await press(page.getByRole('button', { name: 'Use a password' }))
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await press(page.getByRole('button', { name: 'Sign in' }))
  await page.locator('header').getByText(name).waitFor()
}

/** Signs in by the code that is mailed, read from the development inbox. */
export async function signInByCode({ page }: Visit, product: ProductFacts, email: string, name: string): Promise<void> {
  await press(page.getByRole('link', { name: 'Sign in' }))
  await page.getByLabel('E-mail').fill(email)
  await press(page.getByRole('button', { name: 'Send me a code' }))
  await page.getByLabel(`The code we sent to ${email}`).fill(await mailedCode(product, email))
  await press(page.getByRole('button', { name: 'Sign in' }))
  await page.locator('header').getByText(name).waitFor()
}

/** The six digits of the newest mail to an address. */
export async function mailedCode(product: ProductFacts, email: string): Promise<string> {
  let code: string | undefined
  await until(async () => {
    const found = await fetch(`${product.inboxUrl}/api/v1/search?query=${encodeURIComponent(`to:"${email}"`)}`)
    // Mailpit's API; what is missing shows itself in the next line.
    const { messages } = (await found.json()) as { messages: readonly { ID: string }[] }
    const [newest] = messages
    if (newest === undefined) return false
    const mail = await fetch(`${product.inboxUrl}/api/v1/message/${newest.ID}`)
    code = /\b\d{6}\b/.exec(((await mail.json()) as { Text: string }).Text)?.[0]
    return code !== undefined
  })
  return code ?? ''
}
