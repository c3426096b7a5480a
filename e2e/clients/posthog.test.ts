import type { Browser, Page, Response } from 'playwright-core'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestDetail, SessionDetail, SessionSummary } from '../../console/src/lib/api/schemas.ts'
import { openVisitor } from '../support/browser.ts'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { servePage } from '../support/page.ts'
import { until } from '../support/product.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

describe('posthog-js, unmodified, on a page of another origin', () => {
  let product: SharedProduct
  let browser: Browser
  let api: ConsoleApi
  let site: Awaited<ReturnType<typeof servePage>>

  beforeAll(async () => {
    product = await sharedCafe()
    api = await signInOwner(product)
    site = await servePage(product)
    browser = await openSharedBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  /** Opens the page in a profile of its own and waits for the recorder and the tracing headers. */
  const visit = async () => {
    const context = await openVisitor(browser)
    const page = await context.newPage()
    const complaints: string[] = []
    const answers: Response[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`))
    page.on('response', (response) => {
      if (response.url().startsWith(product.apiUrl)) answers.push(response)
    })
    await page.goto(site.url)
    await until(() => ['tracing-headers', 'recorder'].every((name) => answers.some((one) => one.url().includes(name))))
    await until(() => askPosthog(page, 'sessionRecordingStarted').then(Boolean))
    return { page, complaints, answers, sessionId: String(await askPosthog(page, 'get_session_id')) }
  }

  /** The session once the console shows in it what is waited for. */
  const sessionWith = async (id: string, isThere: (detail: SessionDetail) => boolean): Promise<SessionDetail> => {
    let detail: SessionDetail | undefined
    await until(async () => {
      detail = await api.get<SessionDetail>(`/sessions/${id}`).catch(() => undefined)
      return detail !== undefined && isThere(detail)
    })
    if (detail === undefined) throw new Error(`No session ${id}.`)
    return detail
  }
  const labels = ({ moments }: SessionDetail): readonly string[] => moments.map(({ label }) => label)

  test('captures events, records the page, and leaves nothing to complain of', async () => {
    const { page, complaints, answers, sessionId } = await visit()
    await page.getByRole('button', { name: 'Pick a bean' }).click()
    const detail = await sessionWith(
      sessionId,
      (seen) =>
        labels(seen).includes('bean picked') &&
        seen.moments.some(({ kind }) => kind === 'page') &&
        seen.session.hasRecording,
    )
    const picked = detail.moments.find(({ label }) => label === 'bean picked')
    expect(picked?.properties).toMatchObject({ beans: 7 })
    expect(detail.moments.some(({ kind, label }) => kind === 'click' && label === 'Pick a bean')).toBe(true)

    const recording = await api.getText(`/sessions/${sessionId}/recording`)
    const events = recording
      .split('\n')
      .filter((line) => line !== '')
      // rrweb's own events, as `RecordingLine` says.
      .flatMap((line) => (JSON.parse(line) as { events: { type: number; data: { href?: string } }[] }).events)
    expect(events.find(({ type }) => type === 4)?.data.href).toBe(site.url)
    expect(events.some(({ type }) => type === 2)).toBe(true)

    expect(complaints).toEqual([])
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('about:blank')
    // The browser may drop the answer of what a page sends while it is left; the event arrives.
    await sessionWith(sessionId, (seen) => labels(seen).includes('page left'))
    expect(complaints.filter((line) => !line.endsWith('net::ERR_ABORTED'))).toEqual([])

    const paths = answers.map((answer) => new URL(answer.url()).pathname)
    expect(paths).toContain('/ingest/static/array.js')
    expect(paths.some((path) => /^\/ingest\/array\/[^/]+\/config(\.js)?$/.test(path))).toBe(true)
    expect(answers.map((answer) => answer.url()).join()).toContain('1.434.18')
    for (const answer of answers) {
      expect([answer.url(), answer.status()]).toEqual([answer.url(), 200])
      expect(['*', new URL(site.url).origin]).toContain(await answer.headerValue('access-control-allow-origin'))
    }
  })

  test('the call of a page elsewhere carries its session past the preflight', async () => {
    const { page, complaints, sessionId } = await visit()
    await page.getByRole('button', { name: 'Ask the price' }).click()
    await until(async () => (await page.locator('output').textContent()) !== '')
    const [status, requestId] = (await page.locator('output').textContent())?.split(' ') ?? []
    expect(status).toBe('200')
    let request: RequestDetail | undefined
    await until(async () => {
      request = await api.get<RequestDetail>(`/requests/${requestId}`).catch(() => undefined)
      return request !== undefined
    })
    expect(request).toMatchObject({
      session: { id: sessionId, link: { channel: 'header', exact: true } },
      request: { path: '/rest/v1/products', status: 200, rows: 1 },
    })
    expect(request?.session?.windowId).not.toBeNull()
    const { moments } = await sessionWith(sessionId, (seen) => labels(seen).includes('Ask the price'))
    const click = moments.find(({ kind, label }) => kind === 'click' && label === 'Ask the price')
    expect(click?.requests.map(({ id }) => id)).toEqual([requestId])
    expect(complaints).toEqual([])
  })

  test('identify makes one person of two browsers, with what they did before', async () => {
    const ids: string[] = []
    for (let browserNumber = 0; browserNumber < 2; browserNumber += 1) {
      const { page, sessionId } = await visit()
      await page.getByRole('button', { name: 'Pick a bean' }).click()
      await sessionWith(sessionId, (seen) => labels(seen).includes('bean picked') && seen.session.person.email === null)
      await page.getByRole('button', { name: 'That is me' }).click()
      await sessionWith(sessionId, (seen) => seen.session.person.email === 'ida@example.test')
      ids.push(sessionId)
    }
    for (const text of ['ida@example', 'Ida Brandt', 'customer-7']) {
      const { sessions } = await api.get<{ sessions: SessionSummary[] }>(`/sessions?q=${encodeURIComponent(text)}`)
      expect(sessions.map(({ id }) => id).toSorted(), text).toEqual(ids.toSorted())
      expect(new Set(sessions.map(({ person }) => person.personId)).size).toBe(1)
      expect(sessions[0]?.person).toMatchObject({ email: 'ida@example.test', name: 'Ida Brandt' })
    }
  })

  test('posthog-node’s events arrive, in the session they name', async () => {
    const { sessionId, page } = await visit()
    const distinctId = String(await askPosthog(page, 'get_distinct_id'))
    const client = new PostHog(product.ingestToken, { host: `${product.apiUrl}/ingest` })
    client.capture({ distinctId, event: 'beans delivered', properties: { $session_id: sessionId, sacks: 3 } })
    await client.shutdown()
    const { moments } = await sessionWith(sessionId, (seen) => labels(seen).includes('beans delivered'))
    const delivered = moments.find(({ label }) => label === 'beans delivered')
    expect(delivered?.properties).toMatchObject({ sacks: 3 })
  })
})

/** What one of posthog-js's methods answers in the page; undefined before it is loaded. */
const askPosthog = (page: Page, method: string): Promise<unknown> =>
  page.evaluate((name) => {
    const posthog: unknown = Reflect.get(window, 'posthog')
    if (typeof posthog !== 'object' || posthog === null) return undefined
    const called: unknown = Reflect.get(posthog, name)
    return typeof called === 'function' ? called.call(posthog) : undefined
  }, method)
