import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { SessionSummary } from '../../console/src/lib/api/schemas.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { signInProfile } from '../support/console-page.ts'
import { servePage } from '../support/page.ts'
import { until } from '../support/product.ts'
import { changeOf, metaOf, snapshotOf } from '../support/recorded.ts'
import { openSharedBrowser, outputOf, type SharedProduct, sharedCafe } from '../support/shared.ts'

let product: SharedProduct
let api: ConsoleApi
let browser: Browser
let operator: BrowserContext
let page: Page
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  product = await sharedCafe()
  api = await signInOwner(product)
  browser = await openSharedBrowser()
  closing.push(() => browser.close())
  operator = await openVisitor(browser, { width: 1440, height: 900 })
  await signInProfile(operator, product.consoleUrl)
  page = await operator.newPage()
}, 180_000)
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepEvidence(task.name, page, await outputOf('cafe'))
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const windowId = randomUUID()
const outputId = 900

/** Sends a part of a recording, of events at a moment, by default this one, or at their own; resolves when it is answered. */
async function send(sessionId: string, events: readonly object[], atMs = Date.now()): Promise<void> {
  const answer = await fetch(`${product.apiUrl}/ingest/s/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([
      {
        event: '$snapshot',
        uuid: randomUUID(),
        sent_at: Date.now(),
        properties: {
          token: product.ingestToken,
          distinct_id: `follower ${sessionId}`,
          $session_id: sessionId,
          $window_id: windowId,
          $snapshot_data: events.map((event, index) => ({ timestamp: atMs - events.length + index, ...event })),
        },
      },
    ]),
  })
  expect(answer.status).toBe(200)
}

const moved = changeOf(1, { positions: [{ x: 5, y: 5, id: 1, timeOffset: 0 }] })
const said = (text: string) =>
  changeOf(0, { texts: [{ id: outputId, value: text }], attributes: [], removes: [], adds: [] })

/** A whole page with an output, whose text is said anew. */
function pageWith(text: string): object {
  const snapshot = JSON.stringify(snapshotOf([], [{ tag: 'output', children: ['…'] }]))
  const output = JSON.stringify({ type: 3, textContent: text, id: outputId })
  return JSON.parse(snapshot.replace(/\{"type":3,"textContent":"…","id":\d+\}/, output))
}

const isLive = (sessionId: string): Promise<boolean> =>
  api.get<{ session: SessionSummary }>(`/sessions/${sessionId}`).then(
    ({ session }) => session.live && session.hasRecording,
    () => false,
  )

/** The reads of a session's recording from now on, by their query. */
function readsOf(sessionId: string): readonly URLSearchParams[] {
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith(`/sessions/${sessionId}/recording`)) asked.push(searchParams)
  })
  return asked
}

/** A read of what the last picture is drawn from. An address does not say that its session is live: the first minute is read as well. */
const isOfEnd = (search: URLSearchParams): boolean => search.has('withPage') && search.get('from') !== '0'

/** When the picture in the player shows a text first, in milliseconds since 1970. */
const shownAt = (text: string): Promise<number> =>
  page
    .waitForFunction(
      (wanted) => {
        const frame = document.querySelector<HTMLIFrameElement>('iframe[title="The recorded page"]')
        return frame?.contentDocument?.querySelector('output')?.textContent === wanted ? Date.now() : 0
      },
      text,
      { timeout: 30_000 },
    )
    .then((found) => found.jsonValue())

const show = (delays: readonly number[]): string => delays.map((ms) => `${Math.round(ms)} ms`).join(', ')

/** Opens a session that is live: it is followed at once. */
async function openLive(sessionId: string): Promise<void> {
  await page.goto(`${product.consoleUrl}/sessions/${sessionId}`)
  await page.getByRole('button', { name: 'Following live', pressed: true }).waitFor()
}

test('what arrives of a session that is followed is in the picture, and only what is new is sent', async () => {
  const sessionId = randomUUID()
  await send(sessionId, [metaOf('http://shop.test/'), pageWith('first'), moved])
  await until(() => isLive(sessionId), 20_000)
  const asked = readsOf(sessionId)
  await openLive(sessionId)
  const delays: number[] = []
  for (const words of ['second', 'third', 'fourth', 'fifth', 'sixth']) {
    await send(sessionId, [moved, said(words)])
    const arrivedMs = Date.now()
    delays.push((await shownAt(words)) - arrivedMs)
  }
  console.info(`from arrival to the picture: ${show(delays)}`)
  expect(asked.filter(isOfEnd).length).toBe(1)
  expect(asked.filter((search) => search.has('since') && search.has('known')).length).toBeGreaterThan(3)
  expect(asked.filter((search) => !search.has('withPage') && !search.has('since'))).toEqual([])
  await page.keyboard.press('l')
  await page.getByRole('button', { name: 'Follow live', pressed: false }).click()
  await page.getByRole('button', { name: 'Following live', pressed: true }).waitFor()
  page.removeAllListeners('request')
}, 120_000)

test('of a long session that is followed no more is read than is shown, and a minute before when it is sought', async () => {
  const sessionId = randomUUID()
  const minutes = 20
  const startMs = Date.now() - minutes * 60_000
  for (let minute = 0; minute < minutes; minute += 1) {
    const atMs = startMs + minute * 60_000
    if (minute % 5 === 0) await send(sessionId, [metaOf('http://shop.test/'), pageWith(`page ${minute}`)], atMs)
    // There is no idle stretch: the axis is as long as the session.
    const moves = Array.from({ length: 11 }, (_, part) => ({ ...moved, timestamp: atMs + (part + 1) * 5000 }))
    await send(sessionId, [said(`minute ${minute}`), ...moves], atMs + 2000)
  }
  // What arrived in the last half minute counts as new: something older may have been stored after it.
  const sentMs = Date.now()
  await until(() => Date.now() > sentMs + 31_000, 60_000)
  await send(sessionId, [moved])
  await until(() => isLive(sessionId), 20_000)
  const asked = readsOf(sessionId)
  await openLive(sessionId)
  await shownAt(`minute ${minutes - 1}`)
  for (const words of ['now', 'and now']) {
    await send(sessionId, [moved, said(words)])
    await shownAt(words)
  }
  const stretches = () => asked.filter((search) => search.has('from') && !search.has('withPage'))
  expect(asked.filter((search) => !search.has('from') && !search.has('since'))).toEqual([])
  expect(stretches()).toEqual([])

  const area = await page.getByRole('slider', { name: 'Moment of the session' }).boundingBox()
  if (area === null) throw new Error('The tracks are not drawn.')
  await page.mouse.click(area.x + (area.width * 7.5) / minutes, area.y + area.height / 2)
  await shownAt('minute 7')
  const [sought] = stretches()
  // From the last page before it to the last message of that minute.
  expect(Number(sought?.get('from')) / 60_000).toBeCloseTo(5, 0)
  expect(Number(sought?.get('to')) / 60_000).toBeCloseTo(7, 0)
  await send(sessionId, [moved, said('meanwhile')])
  await page.keyboard.press('l')
  await page.getByRole('button', { name: 'Following live', pressed: true }).waitFor()
  await shownAt('meanwhile')
  page.removeAllListeners('request')
}, 180_000)

test('a person is followed as posthog-js records them, and their requests are listed as they come', async () => {
  const served = await servePage(product)
  closing.push(served.close)
  const visitor = await (await openVisitor(browser)).newPage()
  await page.goto(`${product.consoleUrl}/sessions`)
  await visitor.goto(served.url)
  await visitor.getByRole('button', { name: 'Pick a bean' }).click()
  const sessionId = await visitor.evaluate(() => {
    // The page's own client.
    return (window as unknown as { posthog: { get_session_id(): string } }).posthog.get_session_id()
  })
  await page.locator(`a[href$="/sessions/${sessionId}"]`).first().waitFor({ timeout: 30_000 })
  await until(
    () =>
      api.get<{ session: SessionSummary }>(`/sessions/${sessionId}`).then(
        ({ session }) => session.hasRecording,
        () => false,
      ),
    20_000,
  )
  await openLive(sessionId)
  const delays: number[] = []
  for (let tick = 1; tick <= 3; tick += 1) {
    const words = `tick ${tick}`
    await visitor.mouse.move(50 + tick * 20, 60)
    const actedMs = await visitor.evaluate((value) => {
      const output = document.querySelector('output')
      if (output) output.textContent = value
      return Date.now()
    }, words)
    delays.push((await shownAt(words)) - actedMs)
  }
  console.info(`from the person to the picture, 2 s of it posthog-js’s own: ${show(delays)}`)
  await page.goto(`${product.consoleUrl}/requests?session=${sessionId}`)
  await page.getByRole('main').waitFor()
  await visitor.getByRole('button', { name: 'Ask the price' }).click()
  await page
    .getByRole('link', { name: /products/ })
    .or(page.getByRole('row').filter({ hasText: '/rest/v1/products' }))
    .first()
    .waitFor({ timeout: 20_000 })
}, 180_000)
