import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'
import { sha256 } from '../support/uploads.ts'

const mib = 1024 ** 2
const bytes = randomBytes(20 * mib)

/** An application that uploads as Supabase's documentation shows it (https://supabase.com/docs/guides/storage/uploads/resumable-uploads). */
const source = `
import Uppy from '@uppy/core'
import Tus from '@uppy/tus'

const { endpoint, token } = window.options
const uppy = new Uppy().use(Tus, {
  endpoint,
  headers: { authorization: 'Bearer ' + token, 'x-upsert': 'true' },
  retryDelays: [0, 300, 600, 1200, 2400, 4800],
  uploadDataDuringCreation: true,
  removeFingerprintOnSuccess: true,
  chunkSize: 6 * 1024 * 1024,
  allowedMetaFields: ['bucketName', 'objectName', 'contentType', 'cacheControl', 'metadata'],
})
uppy.on('file-added', (file) => {
  file.meta = {
    ...file.meta,
    bucketName: 'uppy',
    objectName: 'videos/' + file.name,
    contentType: file.type,
    cacheControl: '7200',
    metadata: JSON.stringify({ from: 'uppy' }),
  }
})
const status = document.querySelector('output')
uppy.on('upload-success', () => { status.textContent = 'stored' })
uppy.on('upload-error', (file, error) => { status.textContent = error.message })
document.querySelector('input').addEventListener('change', (event) => {
  for (const file of event.target.files) uppy.addFile({ name: file.name, type: file.type, data: file })
  void uppy.upload()
})
`
const html = `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>Uploads</title></head>
<body><label>File <input type="file"></label><output></output><script src="/app.js"></script></body></html>`

interface Line {
  readonly url: string
  /** Cuts every connection once so many more bytes were sent to the product; connections are refused until \`mend\`. */
  cutAfter(sentBytes: number): void
  readonly isCut: () => boolean
  mend(): void
  readonly sentBytes: () => number
  close(): Promise<void>
}

describe('@uppy/tus in a browser, on an origin of its own', () => {
  let product: SharedProduct
  let browser: Browser
  let visitor: BrowserContext
  let line: Line
  let folder: string
  let application: Server
  let token: string
  const asked: string[] = []

  const open = async (): Promise<Page> => {
    const page = await visitor.newPage()
    page.on('request', (request) => {
      if (request.url().includes('/upload/resumable')) asked.push(request.method())
    })
    await page.addInitScript((options) => Object.assign(window, { options }), {
      endpoint: `${line.url}/storage/v1/upload/resumable`,
      token,
    })
    await page.goto(`http://127.0.0.1:${portOf(application)}`)
    return page
  }
  const stored = async (name: string) => {
    const answer = await fetch(`${product.apiUrl}/storage/v1/object/authenticated/uppy/videos/${name}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      cacheControl: answer.headers.get('cache-control'),
      sha256: sha256(Buffer.from(await answer.arrayBuffer())),
    }
  }
  const isStored = (page: Page) => expect.poll(() => page.locator('output').textContent()).toBe('stored')
  const whole = { status: 200, type: 'video/mp4', cacheControl: 'max-age=7200', sha256: sha256(bytes) }

  beforeAll(async () => {
    product = await sharedCafe()
    browser = await openSharedBrowser()
    folder = await mkdtemp(join(tmpdir(), 'clew-uppy-'))
    line = await openLine(new URL(product.apiUrl))
    const resolveDir = fileURLToPath(new URL('.', import.meta.url))
    const bundle = await build({ stdin: { contents: source, resolveDir }, bundle: true, write: false })
    const script = bundle.outputFiles[0]?.text ?? ''
    application = createHttpServer(({ url }, answer) =>
      url === '/' ? answer.setHeader('content-type', 'text/html').end(html) : answer.end(script),
    )
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
    const signedUp = await fetch(`${product.apiUrl}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: product.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'uppy@example.test', password: 'four oat biscuits' }),
    })
    token = (await signedUp.json()).access_token
    const client = new pg.Client({ connectionString: product.dbUrl })
    await client.connect()
    await client.query(`
      insert into storage.buckets (id, name) values ('uppy', 'uppy');
      create policy "uppy: their own" on storage.objects to authenticated
        using (bucket_id = 'uppy' and owner_id = auth.uid()::text)
        with check (bucket_id = 'uppy' and owner_id = auth.uid()::text)`)
    await client.end()
    visitor = await browser.newContext()
  })
  afterAll(async () => {
    await browser?.close()
    await line?.close()
    application?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('goes on after the line was cut in the middle of a chunk, and sends little twice', async () => {
    const path = join(folder, 'cut.mp4')
    await writeFile(path, bytes)
    const page = await open()
    asked.length = 0
    line.cutAfter(9 * mib)
    await page.getByLabel('File').setInputFiles(path)
    await expect.poll(() => line.isCut()).toBe(true)
    line.mend()
    await isStored(page)
    expect(await stored('cut.mp4')).toEqual(whole)
    expect(asked.filter((method) => method === 'POST')).toHaveLength(1)
    expect(asked).toContain('HEAD')
    // Beside the file itself, the chunk that was cut, and at most one more that came while that one was still held.
    expect(line.sentBytes()).toBeLessThan(33 * mib)
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    await page.close()
  })

  test('goes on where it was when the page is opened again and the file is chosen again', async () => {
    const path = join(folder, 'again.mp4')
    await writeFile(path, bytes)
    const first = await open()
    asked.length = 0
    line.cutAfter(9 * mib)
    await first.getByLabel('File').setInputFiles(path)
    await expect.poll(() => line.isCut()).toBe(true)
    await first.close()
    line.mend()
    const second = await open()
    expect(await second.evaluate(() => Object.keys(localStorage).length)).toBe(1)
    const before = line.sentBytes()
    await second.getByLabel('File').setInputFiles(path)
    await isStored(second)
    expect(await stored('again.mp4')).toEqual(whole)
    expect(asked.filter((method) => method === 'POST')).toHaveLength(1)
    expect(line.sentBytes() - before).toBeLessThan(15 * mib)
    expect(await second.evaluate(() => Object.keys(localStorage))).toEqual([])
    await second.close()
  })

  test('uploads another file in place of an object; a user without a policy is told why', async () => {
    const path = join(folder, 'cut.mp4')
    const other = randomBytes(mib)
    await writeFile(path, other)
    const page = await open()
    await page.getByLabel('File').setInputFiles(path)
    await isStored(page)
    expect(await stored('cut.mp4')).toEqual({ ...whole, sha256: sha256(other) })
    await page.close()

    const mine = token
    token = product.publishableKey
    const stranger = await open()
    token = mine
    await stranger.getByLabel('File').setInputFiles(path)
    await expect
      .poll(() => stranger.locator('output').textContent())
      .toContain('new row violates row-level security policy')
    expect(await stored('cut.mp4')).toEqual({ ...whole, sha256: sha256(other) })
    await stranger.close()
  })
})

/** The port of a server that listens on one. */
const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port

/** A line to the product that can be cut. */
async function openLine(target: URL): Promise<Line> {
  const open = new Set<Socket>()
  let sentBytes = 0
  let limit = Number.POSITIVE_INFINITY
  const isCut = () => sentBytes >= limit
  const server = createServer((near) => {
    if (isCut()) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => {
      sentBytes += chunk.length
      if (isCut()) for (const socket of open) socket.destroy()
    })
    near.pipe(far)
    far.pipe(near)
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    cutAfter(bytesToGo) {
      limit = sentBytes + bytesToGo
    },
    isCut,
    mend() {
      limit = Number.POSITIVE_INFINITY
    },
    sentBytes: () => sentBytes,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
