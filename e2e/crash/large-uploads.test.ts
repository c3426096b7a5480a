import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { directoryOf } from '../../server/src/instance/directory.ts'
import { type Product, startProduct, until } from '../support/product.ts'
import {
  authorizationOf,
  beginResumable,
  bucket,
  chunkHeaders,
  createBucket,
  inBucketOf,
  storageUrl,
} from '../support/uploads.ts'

const mib = 1024 ** 2
/** The long form is one of `npm run trials`. */
const isLong = Number(process.env.CLEW_TRIALS ?? 0) >= 30
const largeBytes = (isLong ? 2048 : 256) * mib
const mostGrowthMib = 64
const crawling = isLong ? 1000 : 100
const timeoutSeconds = 4

const env = {
  CLEW_STORAGE_FILE_SIZE_LIMIT_BYTES: String(4096 * mib),
  CLEW_REQUEST_TIMEOUT_SECONDS: String(timeoutSeconds),
}

let product: Product
beforeAll(async () => {
  product = await startProduct({ env })
  await createBucket(product)
})
afterAll(() => product?.close())

async function memoryMib(product: Product): Promise<number> {
  const status = await readFile(`/proc/${product.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

/** The most memory that the product's process has while something runs, beyond what it had. */
async function growthOf(product: Product, work: () => Promise<unknown>): Promise<number> {
  const before = await memoryMib(product)
  let most = before
  const timer = setInterval(() => {
    void memoryMib(product).then((now) => {
      most = Math.max(most, now)
    })
  }, 50)
  await work()
  clearInterval(timer)
  return most - before
}

const piece = randomBytes(mib)

/** Sends a body of a size, piece by piece, as fast as it is taken. @returns the status of the answer */
function sendLarge(method: string, url: string, headers: object, sizeBytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, { method, headers: { ...headers, 'content-length': sizeBytes } })
    sent.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    Readable.from(
      (function* () {
        for (let left = sizeBytes; left > 0; left -= mib) yield piece
      })(),
    ).pipe(sent)
  })
}

const plain = (product: Product, sizeBytes: number) =>
  sendLarge(
    'POST',
    `${storageUrl(product)}/object/${bucket}/large`,
    { ...authorizationOf(product), 'x-upsert': 'true', 'content-type': 'a/b' },
    sizeBytes,
  )

async function tus(product: Product, sizeBytes: number): Promise<number> {
  const address = await beginResumable(product, 'large', sizeBytes)
  return sendLarge('PATCH', address, chunkHeaders(product, 0), sizeBytes)
}

async function download(product: Product): Promise<number> {
  const answer = await fetch(`${storageUrl(product)}/object/authenticated/${bucket}/large`, {
    headers: authorizationOf(product),
  })
  let received = 0
  for await (const bytes of answer.body ?? []) received += bytes.length
  return received
}

/** Uploads and takes a large file. @throws where the process grows with it */
async function measureMemory(product: Product): Promise<void> {
  for (const way of [plain, tus]) await way(product, 32 * mib)
  await download(product)
  const growth: Record<string, number> = {}
  growth.plain = await growthOf(product, async () => expect(await plain(product, largeBytes)).toBe(200))
  growth.download = await growthOf(product, async () => expect(await download(product)).toBe(largeBytes))
  growth.tus = await growthOf(product, async () => expect(await tus(product, largeBytes)).toBe(204))
  console.info(`memory of the server beyond what it had, MiB: ${JSON.stringify(growth)}`)
  for (const [way, mibs] of Object.entries(growth)) expect(mibs, way).toBeLessThan(mostGrowthMib)
}

test('memory does not grow with the size of a file, nor is a large upload cut for its time', async () => {
  await measureMemory(product)
}, 900_000)

test.runIf(isLong)(
  'nor does it where the files are in a bucket of S3',
  async () => {
    const other = await startProduct({ env: { ...env, ...inBucketOf(product, bucket) } })
    try {
      await createBucket(other)
      await measureMemory(other)
    } finally {
      await other.close()
    }
  },
  1_800_000,
)

/** So much of a body is kept in memory before it has a file. */
const keptBytes = 64 * 1024

/** An upload that begins a file, and then sends a byte a second. */
function crawl(index: number): { readonly socket: Socket; readonly answer: () => string } {
  const { hostname, port } = new URL(product.apiUrl)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let answer = ''
  socket.on('data', (text: string) => {
    answer += text
  })
  socket.on('error', () => undefined)
  socket.write(
    `POST /storage/v1/object/${bucket}/slow-${index} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: a/b\r\n` +
      `authorization: ${authorizationOf(product).authorization}\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(keptBytes + 1)}`,
  )
  const timer = setInterval(() => socket.write('x'), 1000)
  socket.once('close', () => clearInterval(timer))
  return { socket, answer: () => answer }
}

test('uploads that crawl hold nobody up, take little memory, and are ended with their reason', async () => {
  const files = async () =>
    (await readdir(directoryOf(product.dataDir).storage, { recursive: true })).filter((name) => name.length > 30).length
  const before = await files()
  let open: readonly ReturnType<typeof crawl>[] = []
  const growth = await growthOf(product, async () => {
    open = Array.from({ length: crawling }, (_, index) => crawl(index))
    await until(async () => (await files()) >= before + crawling / 2, 60_000)
    for (let count = 0; count < 20; count += 1) {
      const answer = await fetch(`${storageUrl(product)}/object/list/${bucket}`, {
        method: 'POST',
        headers: { ...authorizationOf(product), 'content-type': 'application/json' },
        body: '{"prefix":""}',
      })
      expect(answer.status).toBe(200)
    }
    await until(() => open.every(({ socket }) => socket.closed), 120_000)
  })
  console.info(`memory of the server beyond what it had, MiB, while ${crawling} uploads crawled: ${growth.toFixed(0)}`)
  expect(growth).toBeLessThan(32 + crawling / 8)
  for (const { answer } of open) expect(answer()).toContain('CLEW_GATEWAY_TOO_SLOW')
  await until(async () => (await files()) === before)
}, 300_000)
