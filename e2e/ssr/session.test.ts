import type { Browser, BrowserContext, Cookie, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RequestDetail, RequestMoment, SessionDetail, SessionSummary } from '../../console/src/lib/api/schemas.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { press } from '../support/cafe.ts'
import { signInOwner } from '../support/console-api.ts'
import { type NotesApplication, startNotes } from '../support/notes.ts'
import { until } from '../support/product.ts'
import { openSharedBrowser, outputOf, type SharedProduct, sharedNotes } from '../support/shared.ts'

const password = 'a good password'
const sessionCookie = 'sb-127-auth-token'

let product: SharedProduct
let notes: NotesApplication
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
/** A session's cookies whose token ends while the other tests run. */
let oldCookies: Cookie[]

beforeAll(async () => {
  product = await sharedNotes()
  notes = await startNotes(product)
  browser = await openSharedBrowser()
  context = await openVisitor(browser)
  page = await context.newPage()
  await enter('dora@example.com', 'Sign up')
  await page.getByLabel('New note').fill('Tea')
  await page.getByRole('button', { name: 'Keep' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Tea' }).waitFor()
  oldCookies = await context.cookies()
  await context.close()
})
afterAll(async () => {
  await browser?.close()
  await notes?.close()
})
beforeEach(async () => {
  context = await openVisitor(browser)
  page = await context.newPage()
  complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepEvidence(task.name, page, await outputOf('notes'))
  await context.close()
  expect(complaints).toEqual([])
})

async function enter(email: string, button: 'Sign in' | 'Sign up'): Promise<void> {
  await page.goto(notes.url)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('heading', { name: 'My notes' }).waitFor()
}

interface Session {
  readonly access_token: string
  readonly refresh_token: string
}

/** The cookies of the session, by name in their order. */
async function sessionCookies(): Promise<readonly { name: string; value: string }[]> {
  const all = await context.cookies(notes.url)
  return all
    .filter(({ name }) => /^sb-127-auth-token(\.\d+)?$/.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The session as the cookies hold it, chunks joined. */
async function readSession(): Promise<Session> {
  const value = (await sessionCookies()).map((cookie) => cookie.value).join('')
  expect(value).toMatch(/^base64-/)
  return JSON.parse(Buffer.from(value.slice('base64-'.length), 'base64url').toString()) as Session
}

/** What the server sends before any script runs. */
const sourceOf = async (path: string): Promise<string> => (await context.request.get(`${notes.url}${path}`)).text()

test('who signs up sees a page that the server made for them', async () => {
  await enter('ann@example.com', 'Sign up')
  await page.getByLabel('New note').fill('Milk <script>alert(1)</script>')
  await page.getByRole('button', { name: 'Keep' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Milk' }).waitFor()
  const source = await sourceOf('/notes')
  expect(source).toContain('ann@example.com')
  expect(source).toContain('<li>Milk &lt;script&gt;alert(1)&lt;/script&gt;</li>')
  expect((await sessionCookies()).map(({ name }) => name)).toEqual([sessionCookie])
})

test('what the server asks stands in the person’s session, under the click that led to it', async () => {
  await enter('ida@example.com', 'Sign up')
  const scripts = ['recorder', 'tracing-headers'].map((name) =>
    page.waitForEvent('requestfinished', (request) => request.url().includes(name)),
  )
  await page.goto(`${notes.url}/notes`)
  await Promise.all(scripts)
  await page.getByLabel('New note').fill('Honey')
  await press(page.getByRole('button', { name: 'Keep' }))
  await page.getByRole('listitem').filter({ hasText: 'Honey' }).waitFor()
  const api = await signInOwner(product)
  let kept: RequestMoment | undefined
  await until(async () => {
    const { sessions } = await api.get<{ sessions: SessionSummary[] }>('/sessions?q=ida@example.com')
    const [session] = sessions
    if (session === undefined) return false
    const { moments } = await api.get<SessionDetail>(`/sessions/${session.id}`)
    const click = moments.find(({ kind, label }) => kind === 'click' && label === 'Keep')
    kept = click?.requests.find(({ method, path }) => method === 'POST' && path === '/rest/v1/notes')
    return kept !== undefined && kept.changes.length > 0
  }, 60_000)
  expect(kept).toMatchObject({
    ...{ status: 201, link: { exact: true } },
    changes: [{ table: 'notes', operation: 'insert', new: { text: 'Honey' } }],
  })
  // The application's own spans stand around it, by the trace that its calls carry.
  await expect
    .poll(
      async () => {
        const { trace } = await api.get<RequestDetail>(`/requests/${kept?.id}`)
        return trace?.spans.map(({ depth, service, kind, name }) => [depth, service, kind, name])
      },
      { timeout: 30_000 },
    )
    .toEqual(
      expect.arrayContaining([
        [0, 'notes', 'server', 'POST /notes'],
        [1, 'notes', 'client', 'POST /rest/v1/notes'],
        [2, '', 'request', 'POST /rest/v1/notes'],
      ]),
    )
})

test('other users do not see it, and visitors without a session are sent away', async () => {
  await page.goto(`${notes.url}/notes`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  await enter('bob@example.com', 'Sign up')
  expect(await page.getByRole('listitem').count()).toBe(0)
  expect(await sourceOf('/notes')).not.toContain('Milk')
})

test('a wrong password is reported, and a forged session is none', async () => {
  await page.goto(notes.url)
  await page.getByLabel('E-mail').fill('ann@example.com')
  await page.getByLabel('Password').fill('not this one')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'Invalid login credentials' }).waitFor()

  await enter('ann@example.com', 'Sign in')
  const session = await readSession()
  // Away from the application, whose client would put the true session back as soon as it renews it.
  await page.goto('about:blank')
  const [head, , signature] = session.access_token.split('.')
  const claims = { sub: '00000000-0000-0000-0000-000000000000', role: 'service_role', exp: 4_000_000_000 }
  const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
  const made = { ...session, access_token: forged, expires_at: 4_000_000_000, user: { email: 'eve@example.com' } }
  const value = `base64-${Buffer.from(JSON.stringify(made)).toString('base64url')}`
  await context.addCookies([{ name: sessionCookie, value, url: notes.url }])
  const answer = await context.request.get(`${notes.url}/notes`, { maxRedirects: 0 })
  expect([answer.status(), answer.headers().location]).toEqual([303, '/'])
})

test('signing out in one tab signs out in all, and the server forgets, too', async () => {
  await enter('ann@example.com', 'Sign in')
  const [other, third] = [await context.newPage(), await context.newPage()]
  for (const tab of [other, third]) {
    await tab.goto(`${notes.url}/notes`)
    await tab.getByRole('heading', { name: 'My notes' }).waitFor()
  }
  await page.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [page, other, third]) {
    await tab.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(new URL(tab.url()).pathname).toBe('/')
  }
  expect(await sessionCookies()).toEqual([])
  const answer = await context.request.get(`${notes.url}/notes`, { maxRedirects: 0 })
  expect(answer.status()).toBe(303)
})

test('a large session travels in several cookies, and in one again when it is small', async () => {
  await enter('ann@example.com', 'Sign in')
  const change = async (about: string): Promise<void> => {
    const { access_token } = await readSession()
    const answer = await fetch(`${product.apiUrl}/auth/v1/user`, {
      method: 'PUT',
      headers: {
        apikey: product.publishableKey,
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ data: { about } }),
    })
    expect(answer.status).toBe(200)
  }
  // Letters of several bytes, so that a chunk could end in the middle of one.
  await change('Grüße 👋 '.repeat(300))
  await page.goto(`${notes.url}/notes`)
  const large = (await sessionCookies()).map(({ name }) => name)
  expect(large.length).toBeGreaterThan(1)
  expect(large).toEqual(large.map((_, index) => `${sessionCookie}.${index}`))
  for (const { value } of await sessionCookies()) expect(value.length).toBeLessThanOrEqual(3180)
  expect(JSON.stringify(await readSession())).toContain('Grüße 👋')
  expect(await sourceOf('/notes')).toContain('<li>Milk')

  await change('short')
  await page.goto(`${notes.url}/notes`)
  await page.getByRole('listitem').filter({ hasText: 'Milk' }).waitFor()
  expect((await sessionCookies()).map(({ name }) => name)).toEqual([sessionCookie])
  expect(await sourceOf('/notes')).toContain('<li>Milk')
})

test('the link of a mail signs in on the server', async () => {
  await page.goto(notes.url)
  const asked = await fetch(`${product.apiUrl}/auth/v1/otp`, {
    method: 'POST',
    headers: { apikey: product.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ann@example.com' }),
  })
  expect(asked.status).toBe(200)
  const mail = await (await fetch(`${product.inboxUrl}/api/v1/message/latest`)).json()
  const hash = /token=(\w+)/.exec(mail.Text)?.[1]
  await page.goto(`${notes.url}/auth/confirm?type=email&token_hash=${hash}`)
  await page.getByRole('listitem').filter({ hasText: 'Milk' }).waitFor()
  expect(notes.output()).not.toContain('Error')
})

test('a token that has expired is renewed by the server, which passes the new one on', async () => {
  await context.addCookies(oldCookies)
  const before = await readSession()
  await until(() => Date.now() / 1000 > expiryOf(before.access_token) + 1, 60_000)
  // No page of the application is open: nothing but the server can renew it.
  const answer = await context.request.get(`${notes.url}/notes`)
  expect(answer.status()).toBe(200)
  expect(await answer.text()).toContain('<li>Tea')
  expect(answer.headers()['cache-control']).toContain('no-store')
  const after = await readSession()
  expect(after.access_token).not.toBe(before.access_token)
  expect(after.refresh_token).not.toBe(before.refresh_token)
  expect(expiryOf(after.access_token)).toBeGreaterThan(Date.now() / 1000)

  await page.goto(`${notes.url}/notes`)
  await page.getByRole('listitem').filter({ hasText: 'Tea' }).waitFor()
})

const expiryOf = (token: string): number =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).exp
