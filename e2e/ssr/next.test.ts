import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RequestMoment, SessionDetail, SessionSummary } from '../../console/src/lib/api/schemas.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { press } from '../support/cafe.ts'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { type NextApplication, startNext } from '../support/next.ts'
import { until } from '../support/product.ts'
import { openSharedBrowser, type SharedProduct, sharedNotes } from '../support/shared.ts'
import { isTrial } from '../support/trials.ts'

const email = 'nora@example.com'

// Next.js is some 300 MB, which no other test needs.
describe.runIf(isTrial)('the guide’s Next.js application', () => {
  let product: SharedProduct
  let application: NextApplication
  let browser: Browser
  let api: ConsoleApi
  let page: Page
  beforeAll(async () => {
    product = await sharedNotes()
    api = await signInOwner(product)
    application = await startNext(product)
    browser = await openSharedBrowser()
    page = await (await openVisitor(browser)).newPage()
  }, 600_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, page, application.output())
  })
  afterAll(async () => {
    await browser?.close()
    await application?.close()
  })

  test('is made of all files that the guide names', () => {
    expect(application.files).toEqual([
      ...['lib/tracing.ts', 'instrumentation-client.ts', 'lib/supabase.ts', 'proxy.ts', 'app/notes/page.tsx'],
    ])
  })

  test('has both halves in one session: the click, and under it what the server asked', async () => {
    await page.goto(application.url)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('a good password')
    const scripts = ['recorder', 'tracing-headers'].map((name) =>
      page.waitForEvent('requestfinished', (request) => request.url().includes(name)),
    )
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'My notes' }).waitFor()
    await page.reload()
    await Promise.all(scripts)
    await page.getByLabel('New note').fill('Honey')
    await press(page.getByRole('button', { name: 'Keep' }))
    await page.getByRole('listitem').filter({ hasText: 'Honey' }).waitFor()
    let kept: RequestMoment | undefined
    let read: RequestMoment | undefined
    await until(async () => {
      const { sessions } = await api.get<{ sessions: SessionSummary[] }>(`/sessions?q=${email}`)
      const [session] = sessions
      if (session === undefined) return false
      const { moments } = await api.get<SessionDetail>(`/sessions/${session.id}`)
      const requests = moments.flatMap((moment) => moment.requests.map((request) => ({ moment, request })))
      const click = requests.find(({ request }) => request.method === 'POST' && request.path === '/rest/v1/notes')
      if (click?.moment.label !== 'Keep') return false
      kept = click.request
      read = requests.find(({ request }) => request.method === 'GET' && request.path === '/rest/v1/notes')?.request
      return kept.changes.length > 0 && read !== undefined
    }, 60_000)
    expect(kept).toMatchObject({
      ...{ status: 201, link: { exact: true } },
      changes: [{ table: 'notes', operation: 'insert', new: { text: 'Honey' } }],
    })
    expect(read).toMatchObject({ status: 200, link: { exact: true } })
  })
})
