import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryEntry, RequestMoment, SessionDetail, SessionSummary } from '../../console/src/lib/api/schemas.ts'
import { openVisitor } from '../support/browser.ts'
import { press, signUp, type Visit, visitCafe } from '../support/cafe.ts'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { servePage } from '../support/page.ts'
import { until } from '../support/product.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

const nora = { name: 'Nora Quist', email: 'nora@example.test', password: 'two sugars please' }
const otto = { name: 'Otto Berg', email: 'otto@example.test', password: 'no sugar at all' }
const mia = { email: 'mia@example.test', password: 'coffee please' }
const waitMs = 60_000

let product: SharedProduct
let browser: Browser
let api: ConsoleApi
beforeAll(async () => {
  product = await sharedCafe()
  api = await signInOwner(product)
  browser = await openSharedBrowser()
}, 90_000)
afterAll(async () => {
  await browser?.close()
})

const found = async (q: string): Promise<readonly SessionSummary[]> =>
  (await api.get<{ sessions: SessionSummary[] }>(`/sessions?q=${encodeURIComponent(q)}`)).sessions

const named = ({ people }: SessionSummary): readonly (string | null)[] =>
  people.map(({ person }) => person?.email ?? null)

async function causeOf(table: string, id: string): Promise<HistoryEntry['cause'] | undefined> {
  const key = encodeURIComponent(JSON.stringify({ id }))
  const { entries } = await api.get<{ entries: HistoryEntry[] }>(`/data/public/${table}/history?key=${key}`)
  return entries.at(-1)?.cause
}

/** Orders an espresso; returns the order's number. */
async function order({ page }: Visit): Promise<string> {
  await press(page.getByRole('button', { name: 'Add Espresso' }))
  await press(page.getByRole('link', { name: /^Basket/ }))
  await press(page.getByRole('button', { name: 'Place order' }))
  await page.getByRole('heading', { name: 'My orders' }).waitFor()
  const text = await page
    .getByText(/Order #\d+/)
    .first()
    .textContent()
  return /#(\d+)/.exec(text ?? '')?.[1] ?? ''
}

async function tokenOf({ email, password }: { readonly email: string; readonly password: string }): Promise<string> {
  const answer = await fetch(`${product.apiUrl}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: product.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  // The official client's answer; a missing token shows itself at once.
  return ((await answer.json()) as { access_token: string }).access_token
}

describe('two people at one browser', () => {
  let session: SessionSummary
  const orders = { nora: '', otto: '' }
  beforeAll(async () => {
    const visit = await visitCafe(browser, product)
    await signUp(visit, nora)
    orders.nora = await order(visit)
    await press(visit.page.getByRole('button', { name: 'Sign out' }))
    await visit.page.getByRole('link', { name: 'Sign in' }).waitFor()
    await signUp(visit, otto)
    await press(visit.page.getByRole('link', { name: 'Menu', exact: true }))
    orders.otto = await order(visit)
    await visit.page.context().close()
    await until(async () => {
      const [only] = await found(otto.email)
      if (only === undefined || !only.hasRecording) return false
      session = only
      const causes = [await causeOf('orders', orders.nora), await causeOf('orders', orders.otto)]
      return causes.every((cause) => cause?.kind === 'session')
    }, waitMs)
  }, 240_000)

  test('each order’s history names who ordered', async () => {
    for (const [id, { email, name }] of [
      [orders.nora, nora],
      [orders.otto, otto],
    ] as const) {
      expect(await causeOf('orders', id)).toMatchObject({
        kind: 'session',
        sessionId: session.id,
        exact: true,
        person: { email, name },
        personWhy: null,
      })
    }
  })

  test('the session is of both, each for their part, and found by either', async () => {
    expect(named(session)).toEqual([nora.email, null, otto.email])
    const [first, between, last] = session.people
    expect(first).toMatchObject({ fromMs: 0, exact: true })
    expect(between?.fromMs).toBe(first?.toMs)
    expect(last?.fromMs).toBe(between?.toMs)
    expect(first?.person?.personId).not.toBe(last?.person?.personId)
    expect(last?.person?.personId).toEqual(expect.any(String))
    for (const { email } of [nora, otto]) expect((await found(email)).map(({ id }) => id)).toEqual([session.id])
  })

  test('requests between the two have no person', async () => {
    const { requests } = await api.get<{
      requests: { at: string; role: string; person: { email: string | null } | null }[]
    }>(`/requests?session=${session.id}&limit=500`)
    const between = session.people[1]
    const startMs = Date.parse(session.startedAt)
    const anonymous = requests.filter(({ at, role }) => {
      const atMs = Date.parse(at) - startMs
      return role === 'anon' && atMs > (between?.fromMs ?? 0) && atMs < (between?.toMs ?? 0)
    })
    expect(anonymous.length).toBeGreaterThan(0)
    expect(anonymous.map(({ person }) => person)).toEqual(anonymous.map(() => null))
  })

  test('a call with the id of their session changes nothing of it', async () => {
    const token = await tokenOf(mia)
    const facts = async () => {
      const [{ person, people, requests, changes, errors, startedAt, endedAt } = session] = await found(nora.email)
      return { person, people, requests, changes, errors, startedAt, endedAt }
    }
    const before = await facts()
    const hers = (await found(mia.email)).map(({ id }) => id)
    expect(hers).not.toContain(session.id)
    const detail = await api.get<SessionDetail>(`/sessions/${session.id}`)
    const steal = async (distinctId: string, windowId: string): Promise<string> => {
      const answer = await fetch(`${product.apiUrl}/rest/v1/products?select=id&limit=1`, {
        headers: {
          apikey: product.publishableKey,
          authorization: `Bearer ${token}`,
          'x-posthog-session-id': session.id,
          'x-posthog-distinct-id': distinctId,
          'x-posthog-window-id': windowId,
        },
      })
      return answer.headers.get('x-request-id') ?? ''
    }
    const ids = [
      await steal('of-mia-herself', detail.windows[0]?.id ?? ''),
      await steal(session.person.distinctId, detail.windows[0]?.id ?? ''),
    ]
    for (const id of ids) {
      let request: { request: { person: { email: string } | null }; session: { link: object } | null } | undefined
      await until(async () => {
        request = await api.get<NonNullable<typeof request>>(`/requests/${id}`).catch(() => undefined)
        return request !== undefined
      }, waitMs)
      expect(request).toMatchObject({
        request: { person: { email: mia.email } },
        session: { link: { exact: false, foreign: true } },
      })
    }
    expect(await facts()).toEqual(before)
    expect((await found(mia.email)).map(({ id }) => id)).toEqual(hers)
    expect(await causeOf('orders', orders.nora)).toMatchObject({ person: { email: nora.email } })
  })

  test('the console shows both names in the list, and each over their part of the session', async () => {
    const context = await openVisitor(browser, { width: 1440, height: 900 })
    const page = await context.newPage()
    await openSignedIn(page, product.consoleUrl)
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByRole('link', { name: `${nora.name}, ${otto.name}` }).click()
    await page.getByRole('heading', { name: `${nora.name}, ${otto.name}` }).waitFor()
    const parts = page.getByRole('list', { name: 'People' }).getByRole('listitem')
    expect(await parts.allTextContents()).toEqual([
      expect.stringContaining(nora.name),
      expect.stringContaining('not signed in'),
      expect.stringContaining(otto.name),
    ])
    await context.close()
  })
})

describe('tabs of one browser', () => {
  /** Asks with a user's token, as a page of its own sign-in does. */
  const ask = (page: Page, token: string | null) =>
    page.evaluate(
      async ({ url, key, bearer }) => {
        const headers = { apikey: key, ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }) }
        await fetch(`${url}/rest/v1/products?select=name&id=eq.1`, { headers })
      },
      { url: product.apiUrl, key: product.publishableKey, bearer: token },
    )

  async function openTabs(count: number) {
    const { url, close } = await servePage(product)
    const context = await openVisitor(browser)
    const tabs: Page[] = []
    for (let index = 0; index < count; index += 1) {
      const page = await context.newPage()
      const patched = page.waitForResponse((response) => response.url().includes('tracing-headers'))
      await page.goto(url)
      await patched
      tabs.push(page)
    }
    return { tabs, close: () => Promise.all([context.close(), close()]) }
  }

  test('two tabs with two users at once: each call is of its tab’s user, and the session of both', async () => {
    const { tabs, close } = await openTabs(2)
    const [first, second] = tabs
    if (first === undefined || second === undefined) throw new Error('A tab did not open.')
    const tokens = [await tokenOf(nora), await tokenOf(otto)] as const
    for (let round = 0; round < 4; round += 1) {
      await ask(first, tokens[0])
      await ask(second, tokens[1])
      await first.waitForTimeout(300)
    }
    await close()
    const isOfBoth = (session: SessionSummary): boolean =>
      session.people.filter(({ windowIds }) => windowIds.length > 0).length === 2 && session.requests === 8
    let session: SessionSummary | undefined
    await until(async () => {
      session = (await found(otto.email)).find(isOfBoth)
      return session !== undefined
    }, waitMs)
    const parts = session?.people.filter(({ person }) => person !== null) ?? []
    expect(parts.map(({ person, exact }) => [person?.email, exact]).toSorted()).toEqual([
      [nora.email, true],
      [otto.email, true],
    ])
    expect(new Set(parts.flatMap(({ windowIds }) => windowIds)).size).toBe(2)
  })

  test('what a page asks by its clock does not stand under the click before', async () => {
    const { tabs, close } = await openTabs(1)
    const [page] = tabs
    if (page === undefined) throw new Error('The tab did not open.')
    await press(page.getByRole('button', { name: 'Pick a bean' }))
    for (let round = 0; round < 9; round += 1) {
      await ask(page, null)
      await page.waitForTimeout(800)
    }
    const id = await page.evaluate(() => {
      const posthog: unknown = Reflect.get(window, 'posthog')
      const read: unknown =
        typeof posthog === 'object' && posthog !== null ? Reflect.get(posthog, 'get_session_id') : null
      return typeof read === 'function' ? String(Reflect.apply(read, posthog, [])) : ''
    })
    let calls: readonly RequestMoment[] = []
    let underClick: readonly RequestMoment[] = []
    await until(async () => {
      const { moments } = await api.get<SessionDetail>(`/sessions/${id}`)
      calls = moments.flatMap(({ requests }) => requests)
      underClick = moments.filter(({ kind }) => kind === 'click').flatMap(({ requests }) => requests)
      return calls.length === 9 && moments.some(({ kind }) => kind === 'click')
    }, waitMs)
    await close()
    expect(underClick.length).toBeLessThanOrEqual(2)
    expect(calls.filter(({ place }) => place.repeatsMs !== null).length).toBeGreaterThanOrEqual(6)
  })
})
