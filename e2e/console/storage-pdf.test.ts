import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { keepEvidence } from '../support/browser.ts'
import { openStorageConsole, type StorageConsole } from '../support/console-storage.ts'
import { createPdf, lockedTrailer } from '../support/pdf.ts'
import { outputOf } from '../support/shared.ts'

const bucket = 'documents'

describe('a PDF in the drawer', () => {
  let at: StorageConsole
  beforeAll(async () => {
    at = await openStorageConsole(30_000)
    await at.createBucket(bucket)
    const documents = {
      'long.pdf': createPdf({ pageCount: 200 }),
      'script.pdf': createPdf({
        pageCount: 1,
        catalog:
          '/OpenAction << /S /JavaScript /JS (app.alert\\("x"\\)) >> /AA << /WC << /S /URI /URI (http://x) >> >>',
      }),
      'locked.pdf': createPdf({ pageCount: 1, trailer: lockedTrailer }),
      'text.pdf': 'this is no PDF',
      'half.pdf': createPdf({ pageCount: 3 }).slice(0, 100),
      // Its pages are the pages that they are in.
      'circle.pdf': createPdf({ pageCount: 1 }).replace('/Kids [4 0 R]', '/Kids [2 0 R]'),
    }
    for (const [key, text] of Object.entries(documents)) await at.put(bucket, key, text, 'application/pdf')
  }, 180_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, at.page, await outputOf('cafe'))
  })
  afterAll(() => at?.browser.close())

  const open = async (key: string) => {
    await at.openBucket(bucket, `?object=${key}`)
    return at.page.getByRole('dialog', { name: key, exact: true })
  }
  const drawn = async (drawer: Locator, name: string) => {
    const canvas = drawer.getByRole('img', { name, exact: true })
    await expect.poll(() => canvas.getAttribute('aria-busy')).toBe('false')
    return canvas
  }
  /** The colour in the middle of a page. */
  const colourOf = (canvas: Locator) =>
    canvas.evaluate((element: HTMLCanvasElement) =>
      [...(element.getContext('2d')?.getImageData(element.width / 2, element.height / 2, 1, 1).data ?? [])].slice(0, 3),
    )

  test('is drawn page by page, by mouse and keyboard, and nothing is loaded for it before', async () => {
    const { page } = at
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await at.openBucket(bucket)
    await page.getByRole('button', { name: 'long.pdf', exact: true }).waitFor()
    expect(asked.filter((path) => path.includes('/assets/pdf'))).toEqual([])

    const drawer = await open('long.pdf')
    expect(await colourOf(await drawn(drawer, 'Page 1 of 200'))).toEqual([255, 0, 0])
    expect(asked.filter((path) => path.includes('/assets/pdf')).length).toBeGreaterThan(0)
    await drawer.getByRole('button', { name: 'Next page' }).click()
    expect(await colourOf(await drawn(drawer, 'Page 2 of 200'))).toEqual([0, 0, 255])
    await page.keyboard.press('.')
    await drawn(drawer, 'Page 3 of 200')
    await page.keyboard.press(',')
    await drawn(drawer, 'Page 2 of 200')
    await drawer.getByLabel('Page', { exact: true }).fill('999')
    await page.keyboard.press('Enter')
    const last = await drawn(drawer, 'Page 200 of 200')
    expect(await drawer.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)

    const width = (await last.boundingBox())?.width ?? 0
    await drawer.getByRole('button', { name: 'Larger' }).click()
    await expect.poll(async () => ((await last.boundingBox())?.width ?? 0) / width).toBeCloseTo(1.5)
    await page.keyboard.press('0')
    await expect.poll(async () => (await last.boundingBox())?.width).toBe(width)
    // Of all that was looked at, one page is held.
    expect(await drawer.locator('canvas').count()).toBe(1)
  })

  test('runs no script, and frames nothing', async () => {
    const { page, product } = at
    let dialogs = 0
    page.on('dialog', async (dialog) => {
      dialogs += 1
      await dialog.dismiss()
    })
    await drawn(await open('script.pdf'), 'Page 1 of 1')
    expect([dialogs, page.frames().length, at.context.pages().length]).toEqual([0, 1, 1])
    const policy = (await fetch(product.consoleUrl)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-src 'none'")
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*(blob:|data:)/)
  })

  test.each([
    ['locked.pdf', 'The document asks for a password.'],
    ['text.pdf', 'The file is no PDF, or it is damaged.'],
    ['half.pdf', 'The file is no PDF, or it is damaged.'],
    ['circle.pdf', 'The file is no PDF, or it is damaged.'],
  ])('%s says why it is not drawn, and leads to the browser’s own viewer', async (key, problem) => {
    const drawer = await open(key)
    const alert = drawer.getByRole('alert')
    await alert.getByText(problem).waitFor()
    const link = alert.getByRole('link', { name: 'in a tab of its own' })
    expect(await link.getAttribute('href')).toContain(`key=${key}`)
    expect(await link.getAttribute('target')).toBe('_blank')
  })
})
