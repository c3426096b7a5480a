import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVisitor } from '../support/browser.ts'
import { until } from '../support/product.ts'
import { startVisited, type VisitedProduct } from '../support/visited-product.ts'

let visited: VisitedProduct
beforeAll(async () => {
  // What browsers are told to capture beyond the defaults.
  visited = await startVisited({ CLEW_ANALYTICS_CAPTURE_DEAD_CLICKS: 'true', CLEW_ANALYTICS_CAPTURE_HEATMAPS: 'true' })
})
afterAll(() => visited?.close())

/** Where browsers send events. */
const events = /\/e\/(?:\?|$)/

interface StoredEvent {
  readonly event: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly tags: readonly string[]
}

/** Opens the page in a profile of its own and waits for what is loaded after it. */
async function visit(): Promise<{ readonly page: Page; readonly sessionId: string }> {
  const page = await (await openVisitor(visited.browser)).newPage()
  const lazy = new Set(['dead-clicks-autocapture', 'web-vitals', 'exception-autocapture', 'recorder'])
  page.on('requestfinished', (request) => {
    for (const script of lazy) if (request.url().includes(script)) lazy.delete(script)
  })
  await page.goto(visited.site.url)
  await until(() => lazy.size === 0)
  return { page, sessionId: String(await page.evaluate('posthog.get_session_id()')) }
}

/** The events of a session with all that they say, once their names are those waited for. */
async function eventsOf(sessionId: string, names: readonly string[]): Promise<readonly StoredEvent[]> {
  let found: readonly { readonly id: string; readonly event: string }[] = []
  await until(async () => {
    found = (await visited.api.get<{ events: typeof found }>(`/events?session=${sessionId}&limit=100`)).events
    return names.every((name) => found.some(({ event }) => event === name))
  })
  return Promise.all(
    found.map(async ({ id, event }) => {
      const detail = await visited.api.get<{
        properties: StoredEvent['properties']
        elements: readonly { readonly tag: string }[]
      }>(`/events/${id}`)
      return { event, properties: detail.properties, tags: detail.elements.map(({ tag }) => tag) }
    }),
  )
}

test('every kind of event that an unchanged posthog-js captures by itself is kept with what it says', async () => {
  const { page, sessionId } = await visit()
  await page.evaluate("posthog.group('company', 'beans-7', { plan: 'pro' })")
  await page.evaluate("setTimeout(() => { throw new TypeError('no beans left') })")
  await page.getByRole('heading', { name: 'Bean counter' }).click()
  const names = ['$pageview', '$groupidentify', '$exception', '$dead_click', '$web_vitals', '$$heatmap']
  await eventsOf(sessionId, names)
  await page.getByRole('button', { name: 'Ask the price' }).click({ clickCount: 3, delay: 40 })
  await eventsOf(sessionId, ['$autocapture', '$rageclick'])
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('about:blank')

  const captured = await eventsOf(sessionId, [...names, '$rageclick', '$pageleave'])
  const one = (name: string): StoredEvent | undefined => captured.find(({ event }) => event === name)
  expect(one('$pageview')?.properties).toMatchObject({
    title: 'Bean counter',
    $current_url: visited.site.url,
    $pathname: '/',
  })
  expect(one('$pageleave')?.properties).toMatchObject({
    $prev_pageview_pathname: '/',
    $prev_pageview_duration: expect.any(Number),
  })
  expect(one('$autocapture')?.properties.$event_type).toBe('click')
  expect(one('$rageclick')).toMatchObject({ properties: { $el_text: 'Ask the price' }, tags: ['button', 'body'] })
  expect(one('$dead_click')).toMatchObject({
    properties: { $dead_click_event_timestamp: expect.any(Number) },
    tags: ['h1', 'body'],
  })
  expect(one('$exception')?.properties.$exception_list).toMatchObject([
    { type: 'TypeError', value: 'no beans left', mechanism: { handled: false } },
  ])
  expect(one('$groupidentify')?.properties).toMatchObject({ $group_key: 'beans-7', $group_set: { plan: 'pro' } })
  expect(one('$dead_click')?.properties.$groups).toEqual({ company: 'beans-7' })
  expect(
    Object.keys(one('$web_vitals')?.properties ?? {}).filter((name) => /^\$web_vitals_\w+_value$/.test(name)),
  ).not.toEqual([])
  const places = captured.filter(({ event }) => event === '$$heatmap').map(({ properties }) => properties.$heatmap_data)
  expect(places).toContainEqual({
    [visited.site.url]: expect.arrayContaining([expect.objectContaining({ type: 'click' })]),
  })
})

test('who opts out is heard no more, and is again after opting in', async () => {
  const { page, sessionId } = await visit()
  await page.evaluate("posthog.capture('before'), posthog.opt_out_capturing(), posthog.capture('meanwhile')")
  await eventsOf(sessionId, ['before'])
  await page.evaluate("posthog.opt_in_capturing(), posthog.capture('after')")
  const captured = await eventsOf(sessionId, ['$opt_in', 'after'])
  expect(captured.map(({ event }) => event)).not.toContain('meanwhile')
})

test('a batch whose answer was lost is sent again and stored once, and what was captured offline arrives', async () => {
  const { page, sessionId } = await visit()
  const arrived: number[] = []
  await page.route(events, async (route) => {
    const isFirst = arrived.length === 0
    const answer = await route.fetch()
    arrived.push(answer.status())
    if (isFirst) await route.abort('connectionreset')
    else await route.fulfill({ response: answer })
  })
  await page.evaluate("posthog.capture('sent twice')")
  await eventsOf(sessionId, ['sent twice'])
  await until(() => arrived.length >= 2, 30_000)
  await page.unroute(events)

  await page.context().setOffline(true)
  const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('/e/'))
  await page.evaluate("for (let n = 0; n < 20; n += 1) posthog.capture('offline', { n })")
  await refused
  await page.context().setOffline(false)
  await until(
    async () => (await eventsOf(sessionId, ['offline'])).filter(({ event }) => event === 'offline').length === 20,
    60_000,
  )

  const captured = await eventsOf(sessionId, ['offline'])
  expect(arrived.slice(0, 2)).toEqual([200, 200])
  expect(captured.filter(({ event }) => event === 'sent twice')).toHaveLength(1)
  const numbers = captured.filter(({ event }) => event === 'offline').map(({ properties }) => Number(properties.n))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n))
})
