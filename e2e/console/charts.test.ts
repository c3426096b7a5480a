import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeProblems } from '../support/axe.ts'
import type { Product } from '../support/product.ts'
import { openProjectConsole, type ProjectConsole, pageLimitMs } from '../support/project-console.ts'

describe('the charts of the console', () => {
  let opened: ProjectConsole | undefined
  let product: Product
  let page: Page

  beforeAll(async () => {
    opened = await openProjectConsole(
      'charts',
      `create table public.orders (id int primary key, total int not null);
       insert into public.orders select n, n * 10 from generate_series(1, 4) n;
       grant select on public.orders to anon;`,
    )
    ;({ product, page } = opened)
    const statuses: number[] = []
    for (const path of ['orders', 'orders', 'orders', 'nothing']) statuses.push((await call(path)).status)
    expect(statuses).toEqual([200, 200, 200, 404])
  }, 120_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await opened?.keep(task.name)
  })
  afterAll(() => opened?.close())

  const call = (path: string) => fetch(`${product.apiUrl}/rest/v1/${path}`, { headers: { apikey: product.anonKey } })

  const choose = async (title: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: `Chart menu: ${title}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  const saved = async (title: string, item: string): Promise<{ name: string; bytes: Buffer }> => {
    const download = page.waitForEvent('download')
    await choose(title, item)
    const file = await download
    return { name: file.suggestedFilename(), bytes: Buffer.concat(await (await file.createReadStream()).toArray()) }
  }

  /** Shows what a statement answers as bars. */
  const drawBars = async (statement: string, title: string) => {
    await page.goto(`${product.consoleUrl}/sql`)
    await page.getByRole('textbox', { name: 'SQL' }).click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(statement)
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByRole('combobox', { name: 'Show as' }).selectOption('bars')
    const canvas = page.getByRole('img', { name: title, exact: true }).locator('canvas')
    await canvas.waitFor()
    return canvas
  }

  test('the chart of a result is saved as a CSV and as a picture, and becomes its rows', async () => {
    const title = 'total along id'
    await drawBars('select id::text, total from orders order by id', title)

    const csv = await saved(title, 'Download CSV')
    expect(csv.name).toBe('total-along-id.csv')
    expect(csv.bytes.toString()).toBe('id,total\r\n1,10\r\n2,20\r\n3,30\r\n4,40\r\n')

    const png = await saved(title, 'Download PNG')
    expect(png.name).toBe('total-along-id.png')
    const picture = await lookAt(page, png.bytes)
    expect([picture.width, picture.height]).toEqual([1920, 960])
    expect(picture.shares['#3b6fb5']).toBeGreaterThan(0.05)
    expect(picture.shares['#fcfcfb']).toBeGreaterThan(0.3)
    expect(Object.keys(picture.shares).length).toBeGreaterThan(20)

    await choose(title, 'Show as table')
    await page.getByRole('table', { name: 'Rows of the chart' }).getByText('40').waitFor()
    await choose(title, 'Show as chart')
    await page.getByRole('img', { name: title }).locator('canvas').waitFor()
  }, 120_000)

  test('bars of several series stand beside one another, in the colours of a theme that changes under them', async () => {
    const title = 'total, same along id'
    const canvas = await drawBars('select id::text, total, total as same from orders order by id', title)
    const shares = async () => (await lookAt(page, await pixelsOf(canvas))).shares
    const { '#3b6fb5': first = 0, '#c8553d': second = 0 } = await shares()
    expect(first).toBeGreaterThan(0.05)
    expect(second / first).toBeCloseTo(1, 1)

    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(async () => (await shares())['#5885c0'] ?? 0).toBeGreaterThan(0.05)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(async () => (await shares())['#3b6fb5'] ?? 0).toBeGreaterThan(0.05)
  }, 120_000)

  test('requests are counted in the file as in the table, and drawn in the present theme', async () => {
    const title = 'Requests by time'
    await page.emulateMedia({ colorScheme: 'dark' })
    const counts = async (): Promise<Readonly<Record<string, number>>> => {
      await page.goto(`${product.consoleUrl}/requests?last=1h&q=/rest/v1`)
      const { bytes } = await saved(title, 'Download CSV')
      const [head = [], ...rows] = bytes
        .toString()
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','))
      expect(head).toEqual(['Time', '5xx', '4xx', '3xx', '2xx', 'p95 (ms)'])
      for (const [at = ''] of rows) expect(new Date(at).toISOString()).toBe(at)
      return Object.fromEntries(
        head.slice(1, 5).map((name, index) => [name, rows.reduce((sum, row) => sum + Number(row[index + 1]), 0)]),
      )
    }
    await expect.poll(counts, { timeout: pageLimitMs }).toEqual({ '5xx': 0, '4xx': 1, '3xx': 0, '2xx': 3 })

    const picture = await lookAt(page, (await saved(title, 'Download PNG')).bytes)
    expect(picture.shares['#111110']).toBeGreaterThan(0.3)
    expect(picture.shares['#5885c0']).toBeGreaterThan(0)
    expect(picture.shares['#e3b341']).toBeGreaterThan(0)
  }, 120_000)

  test('with the keyboard alone a chart becomes a table and a chart again, at 390 pixels as well', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${product.consoleUrl}/requests`)
    const menu = page.getByRole('button', { name: 'Chart menu: Requests by time' })
    for (const [name, role] of [
      ['Show as table', 'table'],
      ['Show as chart', 'img'],
    ] as const) {
      await menu.focus()
      await page.keyboard.press('Enter')
      const item = page.getByRole('menuitem', { name })
      await expect.poll(() => item.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await page.getByRole('figure', { name: 'Requests by time' }).getByRole(role).waitFor()
      await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true)
    }
  }, 120_000)

  test('axe finds nothing on a chart, its table and its open menu, at any width', async () => {
    const found: string[] = []
    for (const search of ['', '?chart=table'])
      for (const place of ['', 'requests'])
        found.push(...(await axeProblems(page, `${product.consoleUrl}/${place}${search}`, [1440, 1024, 390])))
    await page.getByRole('button', { name: 'Chart menu: Requests by time' }).click()
    await page.getByRole('menuitem', { name: 'Download PNG' }).waitFor()
    const ofMenu = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run('[role=menu]')
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    })
    expect([...found, ...ofMenu]).toEqual([])
  }, 180_000)
})

/** What a canvas shows, as PNG. */
async function pixelsOf(canvas: Locator): Promise<Buffer> {
  const address = await canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL())
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}

/** A picture's size, and the share of it that each colour has. */
function lookAt(page: Page, png: Buffer) {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = image
    const context = new OffscreenCanvas(width, height).getContext('2d')
    if (context === null) throw new Error('no canvas')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    const shares: Record<string, number> = {}
    for (let at = 0; at < data.length; at += 4) {
      const colour = `#${[...data.slice(at, at + 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`
      shares[colour] = (shares[colour] ?? 0) + 1 / (width * height)
    }
    return { width, height, shares }
  }, png.toString('base64'))
}
