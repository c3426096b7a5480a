import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeProblems } from '../support/axe.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { type ConsoleApi, claimOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { layoutProblems } from '../support/layout.ts'
import { posthogScript, type Site, serveSite } from '../support/page.ts'
import { type Product, type ProductFacts, startProduct, until } from '../support/product.ts'
import { pageLimitMs } from '../support/project-console.ts'
import { openSharedBrowser } from '../support/shared.ts'

const desktop = { width: 1200, height: 700 }
const phone = { width: 390, height: 700 }

/** A page with a part as high as the window, a bar that stays, and more below: 2,000 pixels with a window of 700. */
const render = (product: ProductFacts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>Coffee</title>
<style>
  body { margin: 0; font: 16px sans-serif }
  header { position: fixed; top: 0; left: 0; right: 0; height: 40px; background: #2b2a28; color: white }
  .hero { height: 100vh; background: #f3e2c7 }
  .hero button { position: absolute; left: 25%; top: 200px; width: 120px; height: 40px }
  .more { height: 1300px; background: #dfe9f3 }
  h2 { margin: 0 }
</style>
<script>${posthogScript(product)}</script>
</head>
<body>
<header><button>Basket</button></header>
<div class="hero"><button>Order now</button></div>
<div class="more"><h2>Beans of the month</h2></div>
</body>
</html>`

describe('heat maps', () => {
  let product: Product
  let browser: Browser
  let api: ConsoleApi
  let site: Site
  let page: Page

  beforeAll(async () => {
    product = await startProduct({ env: { CLEW_ANALYTICS_CAPTURE_HEATMAPS: 'true' } })
    api = await claimOwner(product)
    site = await serveSite(render(product))
    browser = await openSharedBrowser()
    page = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
    page.setDefaultTimeout(pageLimitMs)
    await openSignedIn(page, product.consoleUrl)
  }, 120_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, page, product.output())
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    await product?.close()
  })

  interface PageRow {
    readonly page: string
    readonly clicks: number
    readonly views: number
  }
  const pageRow = async () => (await api.get<{ pages: readonly PageRow[] }>('/heatmap-pages')).pages[0]

  /** Opens the site at a width, clicks there, and leaves it once the clicks are stored. */
  async function visit(viewport: typeof desktop, path: string, act: (page: Page) => Promise<void>): Promise<void> {
    const before = await pageRow()
    const visitor = await (await openVisitor(browser, viewport)).newPage()
    const recorder = visitor.waitForEvent('requestfinished', (request) => request.url().includes('recorder'))
    await visitor.goto(`${site.url}${path}`)
    await recorder
    await act(visitor)
    await until(async () => ((await pageRow())?.clicks ?? 0) > (before?.clicks ?? 0))
    await visitor.goto('about:blank')
    await until(async () => ((await pageRow())?.views ?? 0) > (before?.views ?? 0))
    await visitor.context().close()
  }

  const title = (kind: string): string => `${kind} on ${site.url}`
  const choose = async (kind: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: `Chart menu: ${title(kind)}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('clicks of an unchanged posthog-js lie where they were made, over the recorded page', async () => {
    await visit(desktop, '?table=7', async (visitor) => {
      await visitor.mouse.click(360, 220)
      await visitor.mouse.click(361, 221)
      await visitor.mouse.click(20, 20)
      await visitor.mouse.wheel(0, 600)
      await visitor.waitForFunction(() => scrollY === 600)
      await visitor.mouse.click(905, 405)
    })
    await visit(phone, '', (visitor) => visitor.mouse.click(195, 505))

    await page.goto(`${product.consoleUrl}/heatmaps`)
    await page.getByRole('table', { name: 'Pages' }).getByRole('link', { name: site.url }).click()
    await page.getByRole('combobox', { name: 'Width of the viewport' }).selectOption('desktop')
    await page.getByText('4 clicks of 1 visitor, in 1 session').waitFor()
    const recorded = page.frameLocator('iframe[title="The recorded page"]')
    await recorded.getByRole('button', { name: 'Order now' }).waitFor()
    // As high as the page, with its first part as high as the visitor's window was.
    const heights = () =>
      page.locator('iframe[title="The recorded page"]').evaluate((frame: HTMLIFrameElement) => {
        const hero = frame.contentDocument?.querySelector<HTMLElement>('.hero')
        return [frame.offsetHeight, hero?.offsetHeight]
      })
    await expect.poll(heights).toEqual([2000, 700])

    await choose('Clicks', 'Show as table')
    const cells = page.getByRole('table', { name: title('Clicks') }).getByRole('row')
    await expect
      .poll(async () => (await cells.allInnerTexts()).slice(1).map((text) => text.replaceAll(/\s+/g, ' ')))
      .toEqual(['30–30.6 % across, 220–230 px down 2', '75–75.6 % across, 1000–1010 px down 1'])
  })

  test('a place that is pressed tells its sessions, each with the moment', async () => {
    await choose('Clicks', 'Show as chart')
    const place = page.getByRole('button', { name: /^Choose a place of the page/ })
    const box = await place.boundingBox()
    if (box === null) throw new Error('The map has no size.')
    const scale = box.width / 1200
    await place.click({ position: { x: 365 * scale, y: 224 * scale } })
    const chosen = page.getByRole('region', { name: 'Chosen area' })
    await chosen.getByText('2 clicks of 1 visitor, in 1 session').waitFor()
    expect(new URL(page.url()).searchParams.get('area')).toMatch(/^\d/)
    const elements = page.getByRole('region', { name: 'Elements' })
    expect(await elements.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^Order now2/),
      expect.stringMatching(/^Basket1/),
    ])
    await chosen.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(page.url()).toMatch(/\/sessions\/[0-9a-f-]+\?at=/)
    await page.goBack()
    await chosen.getByText('2 clicks of 1 visitor, in 1 session').waitFor()
    await page.getByRole('button', { name: 'Choose no area' }).click()
    await chosen.waitFor({ state: 'detached' })
  })

  test('the keyboard chooses the hottest place, and moves it', async () => {
    const place = page.getByRole('button', { name: /^Choose a place of the page/ })
    await place.focus()
    await page.keyboard.press('Enter')
    const chosen = page.getByRole('region', { name: 'Chosen area' })
    await chosen.getByText('2 clicks of 1 visitor').waitFor()
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowDown')
    await chosen.getByText('0 clicks of 0 visitors').waitFor()
    await page.getByRole('button', { name: 'Choose no area' }).click()
  })

  test('what is on fixed elements has a picture of its own', async () => {
    await page.getByRole('button', { name: '1 on fixed elements' }).click()
    await choose('Clicks', 'Show as table')
    const cells = page.getByRole('table', { name: title('Clicks') })
    await cells.getByText('1.3–1.9 % across, 20–30 px down').waitFor()
    await choose('Clicks', 'Show as chart')
    await page.getByRole('button', { name: '1 on fixed elements' }).click()
  })

  test('the map is saved as a picture and as numbers', async () => {
    const saved = async (item: string) => {
      const download = page.waitForEvent('download')
      await choose('Clicks', item)
      return Buffer.concat(await (await (await download).createReadStream()).toArray())
    }
    expect((await saved('Download CSV')).toString()).toContain('Place,Clicks,Across (%),Down in pixels')
    expect((await saved('Download PNG')).subarray(1, 4).toString()).toBe('PNG')
  })

  test('how far the page was scrolled is said by its depth', async () => {
    await page.getByRole('combobox', { name: 'What is drawn' }).selectOption('scroll')
    await page.getByText('1 view; the page is 2000 px high, of which 700 px are seen without scrolling.').waitFor()
    await choose('Scroll depth', 'Show as table')
    const row = (depth: string) => page.getByRole('row', { name: new RegExp(`^${depth}`) })
    expect(await row('60–65 %').textContent()).toMatch(/1100 %$/)
    expect(await row('65–70 %').textContent()).toMatch(/00 %$/)
    await page.getByRole('combobox', { name: 'What is drawn' }).selectOption('click')
  })

  test('the list and the map fit and have no problems for axe, in both themes, down to 390 px', async () => {
    const map = `${product.consoleUrl}/heatmaps?page=${encodeURIComponent(site.url)}&device=desktop`
    for (const address of [`${product.consoleUrl}/heatmaps`, `${map}&area=28-32,200-240`, `${map}&kind=scroll`]) {
      expect(await axeProblems(page, address, [1440, 1024, 390])).toEqual([])
      expect(await layoutProblems(page, [1440, 1024, 390])).toEqual([])
    }
  })
})
