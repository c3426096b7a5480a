import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOwner } from '../support/console-api.ts'
import { signInProfile } from '../support/console-page.ts'
import { until } from '../support/product.ts'
import { changeOf, isRecorded, metaOf, sendRecording, snapshotOf } from '../support/recorded.ts'
import { openSharedBrowser, sharedCafe } from '../support/shared.ts'

const closing: (() => Promise<unknown>)[] = []
let page: Page
beforeAll(async () => {
  const product = await sharedCafe()
  const api = await signInOwner(product)
  const browser = await openSharedBrowser()
  closing.push(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await signInProfile(context, product.consoleUrl)
  const opened = (heading: string) => [
    metaOf('http://cafe.test/'),
    snapshotOf([], [{ tag: 'h1', children: [heading] }]),
    ...Array.from({ length: 30 }, () => changeOf(3, { id: 1, x: 0, y: 0 })),
  ]
  const sessionId = await sendRecording(product, [...opened('Menu'), ...opened('Your order')])
  await until(() => isRecorded(api, sessionId), 60_000)
  page = await context.newPage()
  await page.goto(`${product.consoleUrl}/sessions/${sessionId}?t=0`)
}, 180_000)
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const slider = () => page.getByRole('slider', { name: 'Moment of the session' })
const recorded = () => page.frameLocator('iframe[title="The recorded page"]')
const card = () => page.getByRole('img', { name: /^The page at/ })
const heading = (name: string) => card().frameLocator('iframe').getByRole('heading', { name })

/** Moves the pointer to a part of the session. */
async function pointAt(share: number): Promise<void> {
  const area = await slider().boundingBox()
  if (area === null) throw new Error('The tracks are not drawn.')
  await page.mouse.move(area.x + area.width * share, area.y + area.height / 2, { steps: 4 })
}

test('pointing into the tracks shows the page of that moment, and the recording stays where it is', async () => {
  await recorded().getByRole('heading', { name: 'Menu' }).waitFor()
  await pointAt(0.9)
  await heading('Your order').waitFor()
  expect(await card().getAttribute('aria-label')).toBe('The page at 0:22')
  await pointAt(0.1)
  await heading('Menu').waitFor()
  expect(await recorded().getByRole('heading', { name: 'Menu' }).count()).toBe(1)
  await page.mouse.move(700, 20)
  await card().waitFor({ state: 'detached' })
}, 60_000)

test('the keys that move the playhead show it as well, until Esc', async () => {
  await slider().focus()
  await page.keyboard.press('End')
  await heading('Your order').waitFor()
  await page.keyboard.press('Home')
  await heading('Menu').waitFor()
  await page.keyboard.press('Escape')
  await card().waitFor({ state: 'detached' })
}, 60_000)

test('while the recording plays it has the browser to itself', async () => {
  await pointAt(0.9)
  await heading('Your order').waitFor()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await card().waitFor({ state: 'detached' })
  await page.keyboard.press('Space')
  await heading('Your order').waitFor()
}, 60_000)
