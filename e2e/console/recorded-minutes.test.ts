import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimOwner, signInOwner } from '../support/console-api.ts'
import { signInProfile } from '../support/console-page.ts'
import { type ProductFacts, startProduct, until } from '../support/product.ts'
import { changeOf, isRecorded, metaOf, snapshotOf } from '../support/recorded.ts'
import { openSharedBrowser, sharedCafe } from '../support/shared.ts'

const minutes = 30
const listId = 50
const closing: (() => Promise<unknown>)[] = []
let context: BrowserContext
let consoleUrl: string
let sessionId: string
/** One of many messages, at a product that lists few. */
let many: { readonly context: BrowserContext; readonly consoleUrl: string; readonly sessionId: string }

/**
 * Half an hour: a whole page every five minutes, and a line that each minute adds to it. Every minute is a message, or one for
 * each of its events.
 */
async function sendHalfHour({ apiUrl, ingestToken }: ProductFacts, isOneByOne = false): Promise<string> {
  const startMs = Date.now() - (minutes + 5) * 60_000
  const ids = { $session_id: randomUUID(), $window_id: randomUUID() }
  const messages = Array.from({ length: minutes }, (_, minute) => minute).flatMap((minute) => {
    const at = (offsetMs: number, event: object): object => ({
      ...event,
      timestamp: startMs + minute * 60_000 + offsetMs,
    })
    const page = [
      at(0, metaOf('http://cafe.test/')),
      at(
        1,
        snapshotOf(
          [],
          [
            { tag: 'h1', children: [`Page ${minute}`] },
            { tag: 'main', id: listId },
          ],
        ),
      ),
    ]
    const node = { type: 3, textContent: `line ${minute}. `, id: 5000 + minute }
    const added = changeOf(0, {
      ...{ texts: [], attributes: [], removes: [] },
      adds: [{ parentId: listId, nextId: null, node }],
    })
    // There is no idle stretch: the axis is as long as the session.
    const moved = Array.from({ length: 12 }, (_, part) =>
      at(4000 + part * 5000, changeOf(1, { positions: [{ x: 5, y: 5, id: 1, timeOffset: 0 }] })),
    )
    const events = [...(minute % 5 === 0 ? page : []), at(1000, added), ...moved]
    return (isOneByOne ? events.map((event) => [event]) : [events]).map(($snapshot_data) => {
      const properties = { token: ingestToken, distinct_id: 'visitor-1', ...ids, $snapshot_data }
      return { event: '$snapshot', uuid: randomUUID(), sent_at: Date.now(), properties }
    })
  })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${apiUrl}/ingest/s/`, { method: 'POST', headers, body: JSON.stringify(messages) })
  if (answer.status !== 200) throw new Error(`/ingest/s/: ${answer.status} ${await answer.text()}`)
  return ids.$session_id
}

async function openMany(browser: Browser): Promise<typeof many> {
  const product = await startProduct({ env: { CLEW_REPLAY_OUTLINED_MESSAGES: '100' } })
  closing.push(() => product.close())
  const api = await claimOwner(product)
  const own = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await signInProfile(own, product.consoleUrl)
  const id = await sendHalfHour(product, true)
  const partsOf = async (): Promise<readonly number[]> => {
    const { recording } = await api.get<{ recording: Outline }>(`/sessions/${id}/outline`)
    expect(recording.isCut).toBe(false)
    return recording.messages
  }
  const sent = minutes * 13 + 12
  await until(() => isRecorded(api, id), 60_000)
  await until(async () => (await partsOf()).reduce((sum, count) => sum + count, 0) === sent, 30_000)
  expect((await partsOf()).length).toBeLessThan(100)
  return { context: own, consoleUrl: product.consoleUrl, sessionId: id }
}

interface Outline {
  readonly isCut: boolean
  readonly messages: readonly number[]
}

beforeAll(async () => {
  const product = await sharedCafe()
  consoleUrl = product.consoleUrl
  const api = await signInOwner(product)
  const browser = await openSharedBrowser()
  closing.push(() => browser.close())
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await signInProfile(context, consoleUrl)
  sessionId = await sendHalfHour(product)
  const opening = openMany(browser)
  await until(() => isRecorded(api, sessionId), 60_000)
  many = await opening
}, 240_000)
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const recorded = (page: Page) => page.frameLocator('iframe[title="The recorded page"]')
const textOf = async (page: Page) => (await recorded(page).locator('main').textContent())?.trim()
/** A read of further minutes: that of the first picture asks for the page as well. */
const further = (url: URL): boolean => url.pathname.endsWith('/recording') && !url.searchParams.has('withPage')
const timeline = (url: URL): boolean => url.pathname.endsWith(`/sessions/${sessionId}`)

/** Holds requests back until they are let go. */
async function holdBack(page: Page, which: (url: URL) => boolean): Promise<() => Promise<void>> {
  const held: Route[] = []
  let isOpen = false
  await page.route(which, async (route) => {
    if (isOpen) await route.continue()
    else held.push(route)
  })
  return async () => {
    isOpen = true
    // One that the page has given up meanwhile cannot go on.
    for (const route of held) await route.continue().catch(() => undefined)
  }
}

async function seek(page: Page, minute: number): Promise<void> {
  const area = await page.getByRole('slider', { name: 'Moment of the session' }).boundingBox()
  if (area === null) throw new Error('The tracks are not drawn.')
  await page.mouse.click(area.x + (area.width * minute) / minutes, area.y + area.height / 2)
}

test('the first picture is there before the timeline and the other minutes are, and a minute that is sought comes', async () => {
  const page = await context.newPage()
  const letTimeline = await holdBack(page, timeline)
  const letMinutes = await holdBack(page, further)
  await page.goto(`${consoleUrl}/sessions`)
  await page.locator(`a[href*="/sessions/${sessionId}"]`).first().click()
  await recorded(page).getByRole('heading', { name: 'Page 0' }).waitFor()
  await page.getByRole('complementary', { name: 'What happened' }).getByRole('status', { name: 'Loading' }).waitFor()
  await letTimeline()
  await page.getByRole('list', { name: 'Thread' }).waitFor()

  await seek(page, 22.5)
  await page.getByText('Loading this minute').waitFor()
  expect(await recorded(page).getByRole('heading').textContent()).toBe('Page 0')
  await letMinutes()
  await recorded(page).getByRole('heading', { name: 'Page 20' }).waitFor()
  await expect.poll(() => textOf(page)).toBe('line 20. line 21. line 22.')
  await page.getByText('Loading this minute').waitFor({ state: 'detached' })
  // Back and forth, over minutes that came in another order than they happened in.
  for (const [minute, text] of [
    [13.5, 'line 10. line 11. line 12. line 13.'],
    [27.5, 'line 25. line 26. line 27.'],
    [3.5, 'line 0. line 1. line 2. line 3.'],
    [29.5, 'line 25. line 26. line 27. line 28. line 29.'],
  ] as const) {
    await seek(page, minute)
    await expect.poll(() => textOf(page)).toBe(text)
  }
  await page.close()
}, 90_000)

test('a link to a moment reads what that moment is drawn from, and plays on into what comes later', async () => {
  const page = await context.newPage()
  const letMinutes = await holdBack(page, further)
  await page.goto(`${consoleUrl}/sessions/${sessionId}?t=${16 * 60 + 58}`)
  await recorded(page).getByRole('heading', { name: 'Page 15' }).waitFor()
  await expect.poll(() => textOf(page)).toBe('line 15. line 16.')
  await page.keyboard.press('s')
  await page.keyboard.press('6')
  await page.keyboard.press('Space')
  await expect.poll(() => textOf(page)).toContain('line 17.')
  await page.getByText('Loading this minute').waitFor()
  await letMinutes()
  await expect.poll(() => textOf(page), { timeout: 20_000 }).toContain('line 18.')
  await page.close()
}, 90_000)

test('minutes that cannot be read are said, and read when that is asked for', async () => {
  const page = await context.newPage()
  let fails = true
  await page.route(further, (route) =>
    fails
      ? route.fulfill({ status: 500, json: { code: 'CLEW_INTERNAL', message: 'Something went wrong.' } })
      : route.continue(),
  )
  await page.goto(`${consoleUrl}/sessions/${sessionId}`)
  const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
  await alert.waitFor()
  await recorded(page).getByRole('heading', { name: 'Page 0' }).waitFor()
  await seek(page, 22.5)
  fails = false
  await alert.getByRole('button', { name: 'Try again' }).click()
  await recorded(page).getByRole('heading', { name: 'Page 20' }).waitFor()
  await alert.waitFor({ state: 'detached' })
  await page.close()
}, 90_000)

test('a recording of more messages than are listed is read by the minute as well', async () => {
  const page = await many.context.newPage()
  const whole: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/recording') && !url.searchParams.has('from')) whole.push(request.url())
  })
  const letMinutes = await holdBack(page, further)
  await page.goto(`${many.consoleUrl}/sessions/${many.sessionId}`)
  await recorded(page).getByRole('heading', { name: 'Page 0' }).waitFor()
  await page.getByRole('list', { name: 'Thread' }).waitFor()
  await seek(page, 22.5)
  await page.getByText('Loading this minute').waitFor()
  await letMinutes()
  for (const [minute, text] of [
    [22.5, 'line 20. line 21. line 22.'],
    [13.5, 'line 10. line 11. line 12. line 13.'],
    [29.5, 'line 25. line 26. line 27. line 28. line 29.'],
    [3.5, 'line 0. line 1. line 2. line 3.'],
  ] as const) {
    await seek(page, minute)
    await expect.poll(() => textOf(page)).toBe(text)
  }
  expect(whole).toEqual([])
  await page.close()
}, 90_000)
