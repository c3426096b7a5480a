import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keepEvidence } from '../support/browser.ts'
import { openSignedIn } from '../support/console-page.ts'
import { openSharedBrowser, outputOf, type SharedProduct, sharedCafe } from '../support/shared.ts'
import { sha256 } from '../support/uploads.ts'

const mib = 1024 ** 2
const limitMs = 60_000

describe('files in the console', () => {
  let product: SharedProduct
  let browser: Browser
  let page: Page
  let folder: string
  let bucket: string
  let count = 0

  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${product.apiUrl}/storage/v1/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${product.serviceRoleKey}`, ...init.headers },
    })
  const put = async (key: string, body: BodyInit, type = 'text/plain') => {
    const answer = await api(`object/${bucket}/${key}`, { method: 'POST', body, headers: { 'content-type': type } })
    expect(answer.status).toBe(200)
  }
  /** The text of an object; null where it is not there. */
  const stored = async (key: string): Promise<string | null> => {
    const answer = await api(`object/authenticated/${bucket}/${key}`)
    return answer.ok ? answer.text() : null
  }
  const openBucket = async (search = '') => {
    await page.goto(`${product.consoleUrl}/storage/${bucket}${search}`)
    await page.getByRole('heading', { name: bucket, level: 1 }).waitFor()
  }
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
  /** Goes on with Tab until something of this name has the focus, as a person without a mouse does. */
  const tabTo = async (name: RegExp | string, back = false) => {
    const isThere = async () => {
      // What has the focus may be gone between two questions: one answers at once.
      const label = await page.evaluate(() => {
        const focused = document.activeElement
        const named = focused instanceof HTMLInputElement ? focused.labels?.[0] : focused
        return focused?.ariaLabel ?? named?.textContent ?? ''
      })
      return typeof name === 'string' ? label === name : name.test(label)
    }
    for (let presses = 0; presses < 120; presses += 1) {
      if (await isThere()) return
      await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    }
    throw new Error(`Nothing named ${name} can be reached by Tab.`)
  }

  beforeAll(async () => {
    product = await sharedCafe()
    browser = await openSharedBrowser()
    folder = await mkdtemp(join(tmpdir(), 'clew-console-storage-'))
    page = await (await browser.newContext({ viewport: { width: 1180, height: 800 } })).newPage()
    page.setDefaultTimeout(limitMs)
    page.on('dialog', (asked) => void asked.accept())
    await openSignedIn(page, product.consoleUrl)
  }, 180_000)
  beforeEach(async () => {
    count += 1
    bucket = `files-${count}`
    const answer = await api('bucket', {
      method: 'POST',
      body: JSON.stringify({ name: bucket }),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(200)
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, page, await outputOf('cafe'))
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('an upload goes on after the page is loaded again, once its file is chosen again', async () => {
    const bytes = randomBytes(12 * mib)
    const file = join(folder, 'film.mp4')
    const other = join(folder, 'other.mp4')
    await writeFile(file, bytes)
    await writeFile(other, 'another file')
    await openBucket()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/storage/uploads')) sent.push(request.method())
    })
    // The first chunk arrives with the creation; the next ones never leave the browser.
    await page.route('**/storage/uploads/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.getByLabel('Files to upload').setInputFiles(file)
    await page.getByText('The connection was lost. It is tried again.').waitFor()
    await page.reload()
    await page.unroute('**/storage/uploads/*')
    const interrupted = page.getByRole('region', { name: 'Interrupted uploads' })
    await interrupted.getByText('8.39 MB of 12.6 MB').waitFor()
    const choose = page.getByLabel('The file of film.mp4', { exact: true })
    await choose.setInputFiles(other)
    await page.getByText('This is another file, or it was changed.').waitFor()
    sent.length = 0
    await choose.setInputFiles(file)
    await page.getByText('1 upload has ended').waitFor()
    await page.getByRole('button', { name: 'film.mp4', exact: true }).waitFor()
    expect(sent).not.toContain('POST')
    const answer = await api(`object/authenticated/${bucket}/film.mp4`)
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(bytes))
    await page.reload()
    await page.getByRole('button', { name: 'film.mp4', exact: true }).waitFor()
    expect(await interrupted.count()).toBe(0)
  })

  test('an interrupted upload is discarded, and another tab that sends is none', async () => {
    const file = join(folder, 'film.mp4')
    await writeFile(file, randomBytes(12 * mib))
    await openBucket()
    await page.route('**/storage/uploads/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.getByLabel('Files to upload').setInputFiles(file)
    await page.getByText('The connection was lost. It is tried again.').waitFor()
    const tab = await page.context().newPage()
    await tab.goto(`${product.consoleUrl}/storage/${bucket}`)
    await tab.getByRole('heading', { name: 'This folder is empty.' }).waitFor()
    await tab.waitForLoadState('networkidle')
    expect(await tab.getByRole('region', { name: 'Interrupted uploads' }).count()).toBe(0)
    await page.goto('about:blank')
    await page.unroute('**/storage/uploads/*')
    await tab.reload()
    await tab.getByRole('button', { name: 'Discard film.mp4' }).click()
    await tab.getByRole('region', { name: 'Interrupted uploads' }).waitFor({ state: 'hidden' })
    expect(await tab.evaluate((name) => Object.keys(localStorage).filter((key) => key.includes(name)), bucket)).toEqual(
      [],
    )
    await tab.close()
  })

  test('everything is done by keyboard alone: open a folder, select, rename, remove, undo', async () => {
    for (const name of ['bread', 'cakes/lemon', 'cakes/plum']) await put(`${name}.txt`, name)
    await openBucket()
    await page.getByRole('button', { name: 'cakes', exact: true }).waitFor()
    // `j` selects the first row, which Enter opens.
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'lemon.txt', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('folder')).toBe('cakes/')

    await tabTo('Actions for lemon.txt')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Rename or move' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const move = dialog('Rename or move')
    await move.waitFor()
    await tabTo('Key, with its folders')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('cakes/lime.txt')
    await page.keyboard.press('Enter')
    await page.getByText('The object is moved.').waitFor()
    await page.getByRole('button', { name: 'lime.txt', exact: true }).waitFor()
    expect(await stored('cakes/lime.txt')).toBe('cakes/lemon')

    await tabTo('Select lime.txt', true)
    await page.keyboard.press('Space')
    await tabTo('Delete 1', true)
    await page.keyboard.press('Enter')
    await page.getByText('1 object was deleted.').waitFor()
    expect(await stored('cakes/lime.txt')).toBeNull()
    await page.keyboard.press('F6')
    await tabTo('Undo')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'lime.txt', exact: true }).waitFor()
    expect(await stored('cakes/lime.txt')).toBe('cakes/lemon')
  })

  test('a folder is moved with all in it; what has its place taken stays, and is named', async () => {
    for (const key of ['cakes/lemon.txt', 'cakes/small/plum.txt', 'sweets/small/plum.txt']) await put(key, key)
    await openBucket()
    await page.getByRole('button', { name: 'Actions for cakes' }).click()
    await page.getByRole('menuitem', { name: 'Rename or move' }).click()
    const move = dialog('Rename or move the folder')
    await move.getByLabel('Folder, with those above it').fill('sweets')
    await move.getByRole('button', { name: 'Move', exact: true }).click()
    await move.getByText('1 of 2 moved').waitFor()
    const stayed = move.getByRole('list', { name: 'What could not be moved' }).getByRole('listitem')
    await stayed.filter({ hasText: 'cakes/small/plum.txt' }).waitFor()
    expect(await stored('sweets/lemon.txt')).toBe('cakes/lemon.txt')
    expect(await stored('sweets/small/plum.txt')).toBe('sweets/small/plum.txt')

    await move.getByLabel('Folder, with those above it').fill('baked')
    await move.getByRole('button', { name: 'Move the rest' }).click()
    await page.getByText('The object is moved.').waitFor()
    await page.getByRole('button', { name: 'baked', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'cakes', exact: true }).count()).toBe(0)
    expect([await stored('baked/small/plum.txt'), await stored('cakes/small/plum.txt')]).toEqual([
      'cakes/small/plum.txt',
      null,
    ])
  })

  test('a folder that is dropped is uploaded with the folders in it', async () => {
    const dropped = join(folder, 'menu')
    await mkdir(join(dropped, 'drinks', 'hot'), { recursive: true })
    await writeFile(join(dropped, 'index.txt'), 'all')
    await writeFile(join(dropped, 'drinks', 'hot', 'tea.txt'), 'tea')
    await openBucket()
    const area = await page.getByRole('region', { name: 'Files' }).boundingBox()
    const session = await page.context().newCDPSession(page)
    const at = { x: (area?.x ?? 0) + 200, y: (area?.y ?? 0) + 200 }
    const data = { items: [], files: [dropped], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, ...at, data })
    await page.getByText('2 uploads have ended').waitFor()
    await page.getByRole('button', { name: 'menu', exact: true }).click()
    await page.getByRole('button', { name: 'index.txt', exact: true }).waitFor()
    expect([await stored('menu/index.txt'), await stored('menu/drinks/hot/tea.txt')]).toEqual(['all', 'tea'])
  })
})
