import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeProblems } from '../support/axe.ts'
import { keepEvidence } from '../support/browser.ts'
import { typePassword } from '../support/console-page.ts'
import { openStorageConsole, type StorageConsole } from '../support/console-storage.ts'
import { createPdf } from '../support/pdf.ts'
import { outputOf } from '../support/shared.ts'
import { isTrial } from '../support/trials.ts'

const [bucket, large, brief, pictures] = ['kinds-of-files', 'ten-thousand', 'brief', 'pictures']
const objectCount = 10_000
/** One page of a list. */
const pictureCount = 200
const longName = `${'a-very-long-name-'.repeat(14)}.txt`
/** One black pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe('the states of the screens of files', () => {
  let at: StorageConsole
  beforeAll(async () => {
    at = await openStorageConsole(30_000)
    for (const name of [bucket, large, brief, pictures]) await at.createBucket(name)
    await at.put(bucket, 'dot.png', png, 'image/png')
    await at.put(bucket, 'clip.mp4', 'no film', 'video/mp4')
    await at.put(bucket, 'tune.mp3', 'no tune', 'audio/mpeg')
    await at.put(bucket, 'book.pdf', createPdf({ pageCount: 2 }), 'application/pdf')
    await at.put(bucket, 'notes.txt', 'two\nlines')
    await at.put(bucket, 'data.bin', 'x', 'application/octet-stream')
    await at.put(bucket, longName, 'x')
    const client = new pg.Client({ connectionString: at.product.dbUrl })
    await client.connect()
    await client.query(
      `insert into storage.objects (bucket_id, name, version)
       select $1, 'file ' || lpad(n::text, 5, '0'), 'v' || n from generate_series(1, ${objectCount}) n`,
      [large],
    )
    await client.query(
      `insert into storage.objects (bucket_id, name, version, metadata)
       select $1, 'picture ' || lpad(n::text, 4, '0') || '.png', 'v' || n, '{"mimetype": "image/png"}'
       from generate_series(1, ${pictureCount}) n`,
      [pictures],
    )
    await client.end()
  }, 180_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, at.page, await outputOf('cafe'))
  })
  afterAll(() => at?.browser.close())

  const open = async (key: string) => {
    await at.openBucket(bucket, `?object=${encodeURIComponent(key)}`)
    const drawer = at.page.getByRole('dialog', { name: key, exact: true })
    await drawer.getByRole('link', { name: 'Download' }).waitFor()
    return drawer
  }

  test('each kind of file is shown as what it is', async () => {
    const image = (await open('dot.png')).getByRole('img', { name: 'Preview of dot.png' })
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1)
    for (const [key, tag] of [
      ['clip.mp4', 'VIDEO'],
      ['tune.mp3', 'AUDIO'],
    ] as const) {
      const player = (await open(key)).getByLabel(key, { exact: true })
      expect(await player.evaluate(({ tagName }) => tagName)).toBe(tag)
    }
    await (await open('notes.txt')).getByText('two\nlines').waitFor()
    const pdf = await open('book.pdf')
    const address = await pdf.getByRole('link', { name: 'Open' }).getAttribute('href')
    const served = await at.page.evaluate(async (url) => {
      const answer = await fetch(url)
      return [answer.headers.get('content-type'), answer.headers.get('content-disposition')]
    }, address ?? '')
    expect(served).toEqual(['application/pdf', "inline; filename*=UTF-8''book.pdf"])
    const [tab] = await Promise.all([at.context.waitForEvent('page'), pdf.getByRole('link', { name: 'Open' }).click()])
    // A document of the browser's viewer, and no download.
    await expect.poll(() => tab.evaluate(() => document.contentType)).toBe('application/pdf')
    await tab.close()
    expect(await (await open('data.bin')).getByRole('link', { name: 'Open' }).count()).toBe(0)
  })

  test('ten thousand objects scroll to the last, and only those in sight are drawn', async () => {
    await at.openBucket(large)
    const table = at.page.getByRole('table', { name: 'Objects' })
    await table.waitFor()
    const last = at.page.getByRole('button', { name: `file ${objectCount}`, exact: true })
    const box = table.locator('..')
    await expect
      .poll(
        async () => {
          await box.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
          return last.count()
        },
        { timeout: 100_000, interval: 50 },
      )
      .toBe(1)
    expect(await table.getByRole('row').count()).toBeLessThan(120)
  })

  test('pictures that pass while the grid is scrolled are not asked for; those where it stops are', async () => {
    const { page } = at
    const asked = new Set<string>()
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/thumbnail')) asked.add(url.searchParams.get('key') ?? '')
    })
    await at.openBucket(pictures, '?view=grid')
    const list = page.getByRole('list', { name: 'Objects' })
    await list.waitFor()
    await expect.poll(() => asked.has('picture 0001.png')).toBe(true)
    // A screen's height a frame, as a fling scrolls.
    await list.locator('..').evaluate(async (box) => {
      for (let frame = 0; frame < 30; frame += 1) {
        box.scrollTo({ top: (box.scrollHeight - box.clientHeight) * (frame / 29) })
        await new Promise(requestAnimationFrame)
      }
    })
    await expect.poll(() => asked.has(`picture 0${pictureCount}.png`)).toBe(true)
    expect(asked.size).toBeLessThan(pictureCount / 2)
  })

  test('a bucket that is deleted while it is open says so, and an object that is removed shows its history', async () => {
    const { page, product } = at
    await at.put(brief, 'short.txt', 'x')
    await at.openBucket(brief, '?object=short.txt')
    const drawer = page.getByRole('dialog', { name: 'short.txt' })
    await drawer.getByRole('link', { name: 'Download' }).waitFor()
    const headers = { authorization: `Bearer ${product.serviceRoleKey}` }
    for (const path of [`object/${brief}/short.txt`, `bucket/${brief}`])
      expect((await fetch(`${product.apiUrl}/storage/v1/${path}`, { method: 'DELETE', headers })).status).toBe(200)
    await page.getByRole('heading', { name: 'There is no bucket with this name.' }).waitFor()
    await page.reload()
    await drawer.getByRole('listitem').filter({ hasText: 'removed' }).waitFor()
  })

  test('an operator who is signed out elsewhere signs in again, and is where they were', async () => {
    const { page, context } = at
    await at.openBucket(bucket, '?object=notes.txt')
    await page.getByRole('dialog', { name: 'notes.txt' }).waitFor()
    await context.clearCookies()
    await page.reload()
    await typePassword(page)
    await page.getByRole('dialog', { name: 'notes.txt' }).getByText('two\nlines').waitFor()
  })

  test.runIf(isTrial)(
    'axe finds nothing on any of the screens',
    async () => {
      const { page, product } = at
      const paths = ['', '?tab=policies', `/${bucket}`, `/${bucket}?view=grid`, `/${bucket}?tab=history`, '/nowhere']
      const objects = ['notes.txt', 'book.pdf', 'nothing.txt', longName].map(
        (key) => `/${bucket}?object=${encodeURIComponent(key)}`,
      )
      for (const path of [...paths, ...objects])
        expect(await axeProblems(page, `${product.consoleUrl}/storage${path}`, [390, 1024, 1440])).toEqual([])
    },
    300_000,
  )

  test('nothing sticks out at 390 px, with the longest name', async () => {
    const { page } = at
    await page.setViewportSize({ width: 390, height: 800 })
    for (const search of ['', '?view=grid', '?tab=history', `?object=${encodeURIComponent(longName)}`]) {
      await at.openBucket(bucket, search)
      await page.waitForLoadState('networkidle')
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(390)
    }
  })
})
