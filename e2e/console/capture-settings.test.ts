import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVisitor } from '../support/browser.ts'
import { openSignedIn } from '../support/console-page.ts'
import { until } from '../support/product.ts'
import { startVisited, type VisitedProduct } from '../support/visited-product.ts'

let visited: VisitedProduct
beforeAll(async () => {
  visited = await startVisited({ CLEW_ANALYTICS_RECORD_SESSIONS: 'false' })
})
afterAll(() => visited?.close())

interface StoredEvent {
  readonly id: string
  readonly event: string
}

/** The events of a session, once there is one of each of these names. */
async function eventsOf(sessionId: string, names: readonly string[]): Promise<readonly StoredEvent[]> {
  let found: readonly StoredEvent[] = []
  await until(async () => {
    found = (await visited.api.get<{ events: readonly StoredEvent[] }>(`/events?session=${sessionId}&limit=100`)).events
    return names.every((name) => found.some(({ event }) => event === name))
  })
  return found
}

const namesOf = (events: readonly StoredEvent[]): readonly string[] => events.map(({ event }) => event)

/** The vitals that a session's events have. */
async function vitalsOf(events: readonly StoredEvent[]): Promise<readonly string[]> {
  const details = await Promise.all(
    events
      .filter(({ event }) => event === '$web_vitals')
      .map(({ id }) => visited.api.get<{ properties: Readonly<Record<string, unknown>> }>(`/events/${id}`)),
  )
  const names = details.flatMap(({ properties }) => Object.keys(properties))
  return [...new Set(names.flatMap((name) => /^\$web_vitals_(\w+)_value$/.exec(name)?.[1] ?? []))]
}

/** Loads the application and waits for the scripts that it asks for. @returns the scripts, and the session */
async function load(page: Page, awaited: readonly string[]) {
  const scripts: string[] = []
  page.on('requestfinished', (request) => {
    const name = /\/static\/[^/]+\/([a-z-]+)\.js/.exec(request.url())?.[1]
    if (name !== undefined) scripts.push(name)
  })
  const told = page.waitForResponse((answer) => /\/array\/[^/]+\/config/.test(answer.url()))
  await page.goto(visited.site.url)
  await (await told).finished()
  await until(async () => awaited.every((name) => scripts.includes(name)))
  return { scripts, sessionId: String(await page.evaluate('posthog.get_session_id()')) }
}

/** What people do on a page, and what goes wrong there. */
async function use(page: Page): Promise<void> {
  await page.evaluate("setTimeout(() => { throw new TypeError('no beans left') })")
  await page.getByRole('heading', { name: 'Bean counter' }).click()
  await page.getByRole('button', { name: 'Pick a bean' }).click()
}

/** Leaves the page, so that all that it has is sent. */
async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('about:blank')
}

async function change(page: Page, title: string, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<unknown>) {
  await page.getByRole('button', { name: `Change ${title}`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  await fill(dialog)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

const choose = (page: Page, title: string, value: 'on' | 'off') =>
  change(page, title, (dialog) => dialog.getByRole('combobox', { name: title }).selectOption(value))

test('an owner switches what browsers capture, and an unchanged posthog-js obeys at its next page', async () => {
  const settings = await (await openVisitor(visited.browser)).newPage()
  await openSignedIn(settings, `${visited.product.consoleUrl}/events/settings`)

  const known = await (await openVisitor(visited.browser)).newPage()
  const before = await load(known, ['web-vitals-with-attribution', 'exception-autocapture'])
  await until(() => known.evaluate('window.onerror !== null').then(Boolean))
  await use(known)
  await eventsOf(before.sessionId, ['$autocapture', '$exception', '$web_vitals'])
  await leave(known)
  const first = await eventsOf(before.sessionId, ['page left'])
  expect(namesOf(first)).not.toContain('$$heatmap')
  expect(before.scripts).not.toContain('dead-clicks-autocapture')
  expect(await vitalsOf(first)).toContain('LCP')

  await choose(settings, 'Clicks, changes and submissions', 'off')
  await choose(settings, 'Exceptions', 'off')
  await choose(settings, 'Dead clicks', 'on')
  await choose(settings, 'Heat maps', 'on')
  await change(settings, 'Measured web vitals', async (dialog) => {
    for (const vital of ['LCP', 'INP', 'CLS']) await dialog.getByRole('checkbox', { name: vital }).uncheck()
  })

  // Its cache keeps what it was told for a minute.
  await (await known.context().newCDPSession(known)).send('Network.clearBrowserCache')
  // A browser that has never been here, and the one that keeps what it was told before.
  for (const page of [await (await openVisitor(visited.browser)).newPage(), known]) {
    const { sessionId, scripts } = await load(page, ['dead-clicks-autocapture', 'web-vitals-with-attribution'])
    const earlier = (await eventsOf(sessionId, [])).map(({ id }) => id)
    await use(page)
    const isNew = ({ id }: StoredEvent): boolean => !earlier.includes(id)
    const waited = ['$dead_click', '$$heatmap', '$web_vitals', 'bean picked']
    await until(async () => {
      const names = namesOf((await eventsOf(sessionId, waited)).filter(isNew))
      return waited.every((name) => names.includes(name))
    })
    await leave(page)
    let events: readonly StoredEvent[] = []
    await until(async () => {
      events = (await eventsOf(sessionId, ['page left'])).filter(isNew)
      return namesOf(events).includes('page left')
    })
    expect(namesOf(events)).not.toContain('$autocapture')
    expect(namesOf(events)).not.toContain('$exception')
    if (page !== known)
      expect([scripts.includes('exception-autocapture'), await vitalsOf(events)]).toEqual([false, ['FCP']])
  }

  const { actions } = await visited.api.get<{ readonly actions: readonly { readonly target: string }[] }>(
    '/actions?action=capture.setting',
  )
  expect(actions.map(({ target }) => target)).toEqual([
    'capture_web_vitals_metrics: "[\\"FCP\\"]"',
    'capture_heatmaps: "true"',
    'capture_dead_clicks: "true"',
    'capture_exceptions: "false"',
    'capture_clicks: "false"',
  ])
})

test('every answer with a remote configuration says a change at once', async () => {
  const { apiUrl, ingestToken } = visited.product
  await visited.api.put('/capture-settings/capture_web_vitals', { value: 'false', replaces: null })
  const asked = { method: 'POST', body: JSON.stringify({ token: ingestToken, distinct_id: 'ada' }) }
  for (const [path, options] of [
    [`/array/${ingestToken}/config`, {}],
    ['/decide/?v=3', asked],
    ['/flags/?v=2&config=true', asked],
  ] as const) {
    const config = await (await fetch(`${apiUrl}/ingest${path}`, options)).json()
    expect([path, config.capturePerformance.web_vitals]).toEqual([path, false])
  }
})
