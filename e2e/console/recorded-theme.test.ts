import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { signInProfile } from '../support/console-page.ts'
import { until } from '../support/product.ts'
import { changeOf, isRecorded, metaOf, type RecordedElement, sendRecording, snapshotOf } from '../support/recorded.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

let product: SharedProduct
let api: ConsoleApi
let context: BrowserContext
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  product = await sharedCafe()
  api = await signInOwner(product)
  const browser = await openSharedBrowser()
  closing.push(() => browser.close())
  // Playwright's emulation sets the scheme of every frame and ignores `color-scheme` of the frame's element.
  context = await browser.newContext({ colorScheme: null })
  await signInProfile(context, product.consoleUrl)
}, 180_000)
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const style: RecordedElement = {
  tag: 'style',
  children: [
    ':root{color-scheme:light dark}p{color:rgb(1,1,1)}@media(prefers-color-scheme:dark){p{color:rgb(250,250,250)}}',
  ],
}
const followsItsSystem = [
  metaOf('https://shop.example/'),
  snapshotOf([style], [{ tag: 'p', attributes: { id: 'text' }, children: ['x'] }]),
  changeOf(3, { id: 1, x: 0, y: 0 }),
]

/** The console as an operator sees it who chose a theme. */
async function openSession(sessionId: string, theme: 'light' | 'dark'): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript((chosen) => localStorage.setItem('clew.theme', chosen), theme)
  await page.goto(`${product.consoleUrl}/sessions/${sessionId}?t=0`)
  return page
}

test('a recorded page does not turn dark with the operator’s console', async () => {
  const sessionId = await sendRecording(product, followsItsSystem)
  await until(() => isRecorded(api, sessionId), 60_000)
  for (const theme of ['light', 'dark'] as const) {
    const page = await openSession(sessionId, theme)
    const text = page.frameLocator('iframe[title="The recorded page"]').locator('#text')
    await text.waitFor({ state: 'attached' })
    const seen = await text.evaluate((it) => getComputedStyle(it).color)
    const paper = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect([paper, seen]).toEqual([theme, 'rgb(1, 1, 1)'])
    await page.close()
  }
})
