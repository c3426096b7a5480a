import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryOf } from '../../server/src/instance/directory.ts'
import { removeOrphans } from '../../server/src/services/storage/collect/orphans.ts'
import type { FileStore, ListedFile } from '../../server/src/services/storage/files/file-store.ts'
import { createFolderStore } from '../../server/src/services/storage/files/folder/folder-store.ts'
import { createS3Store } from '../../server/src/services/storage/files/s3/s3-store.ts'
import { killNow, newDataDir, type Product, startProduct, until } from '../support/product.ts'
import { sharedCafe } from '../support/shared.ts'
import { isTrial } from '../support/trials.ts'
import {
  authorizationOf,
  beginResumable,
  bucket,
  chunkHeaders,
  createBucket,
  download,
  inBucketOf,
  remove,
  s3Credentials,
  sha256,
  storageUrl,
  uploads,
} from '../support/uploads.ts'

/** More by hand: `CLEW_TRIALS=100`. */
const trials = Number(process.env.CLEW_TRIALS ?? 1)
const mib = 1024 ** 2
const protocols = ['plain', 'tus', 's3'] as const
const writersOfEach = 2
/** Files that may be left without a row by one kill: what every writer was sending, parts among them. */
const leftByKill = (3 * protocols.length + 1) * writersOfEach

/** Where the files are, of which the product is told by its environment. */
interface Place {
  readonly env: NodeJS.ProcessEnv
  readonly files: FileStore
}

const inFolder = async (dataDir: string): Promise<Place> => ({
  env: {},
  files: await createFolderStore(directoryOf(dataDir).storage),
})

/** A bucket of a product that nothing kills. */
async function inBucket(): Promise<Place> {
  const other = await sharedCafe()
  const name = `files-${randomUUID()}`
  await createBucket(other, name)
  const endpoint = `${storageUrl(other)}/s3`
  const files = createS3Store({
    ...s3Credentials,
    endpoint,
    region: 'local',
    bucket: name,
    timeoutSeconds: 60,
    pathStyle: true,
  })
  return { env: inBucketOf(other, name), files }
}

/** Asks the database as the administrator, who sees what the service alone knows. */
async function ask<Row>(dataDir: string, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  const { sockets } = directoryOf(dataDir)
  const path = (await readdir(sockets, { recursive: true })).find((name) => /\.s\.PGSQL\.\d+$/.test(name)) ?? ''
  const client = new pg.Client({
    user: 'supabase_admin',
    database: 'postgres',
    host: join(sockets, dirname(path)),
    port: Number(path.slice(path.lastIndexOf('.') + 1)),
  })
  await client.connect()
  try {
    // The types of its columns are the statement's.
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Every file: those of objects, of parts and of uploads that grow, and what a kill has left of them. */
async function listed({ files }: Place): Promise<ReadonlySet<string>> {
  const found: ListedFile[] = []
  for await (const file of files.list()) found.push(file)
  return new Set(found.map(({ id }) => id))
}

const versions = async (dataDir: string) =>
  (await ask<{ version: string }>(dataDir, 'select version from storage.objects')).map(({ version }) => version)

/** Whatever names a file: an object, an upload that goes on, a removal that is due. */
const named = async (dataDir: string): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await ask<{ id: string }>(
        dataDir,
        `select version as id from storage.objects
        union select id::text from clew_storage.resumable_uploads
        union select version from storage.s3_multipart_uploads_parts
        union select file_id::text from clew_storage.removals`,
      )
    ).map(({ id }) => id),
  )

interface Attempts {
  acknowledged: string | null
  /** What was sent since. */
  since: string[]
}

const sizeOf = (protocol: (typeof protocols)[number]): number =>
  protocol === 's3' ? 5 * mib + randomInt(mib) : randomInt(1, 2 * mib)

/** Takes, replaces and removes objects until the product is dead; resolves once every request has ended. */
function write(victim: Product, attempts: Map<string, Attempts>, isDead: () => boolean) {
  const done = { stored: 0, removed: 0 }
  /** Names that are written and removed, again and again: of those nothing is promised but that a row has its file. */
  const removers = Array.from({ length: writersOfEach }, async (_, index) => {
    while (!isDead()) {
      await uploads.plain(victim, `brief-${index}`, randomBytes(randomInt(1, 2 * mib))).catch(() => undefined)
      if (await remove(victim, `brief-${index}`).catch(() => false)) done.removed += 1
    }
  })
  const writers = protocols.flatMap((protocol) =>
    Array.from({ length: writersOfEach }, async (_, index) => {
      const name = `${protocol}-${index}`
      const own: Attempts = attempts.get(name) ?? { acknowledged: null, since: [] }
      attempts.set(name, own)
      while (!isDead()) {
        const bytes = randomBytes(sizeOf(protocol))
        const digest = sha256(bytes)
        own.since.push(digest)
        const isStored = await uploads[protocol](victim, name, bytes).then(
          () => true,
          () => false,
        )
        if (!isStored) continue
        own.acknowledged = digest
        own.since = []
        done.stored += 1
      }
    }),
  )
  return { done, ended: Promise.all([...writers, ...removers]) }
}

/** Sends the head of a request and some of its body, and leaves. @returns once the connection has ended */
async function sendPart(method: string, url: string, headers: object, body: Buffer, sentBytes: number): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const lines = Object.entries({ host: hostname, ...headers, 'content-length': body.length }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  await new Promise<void>((resolve) => socket.write(body.subarray(0, sentBytes), () => resolve()))
  socket.destroy()
}

/** Sends the rest of a resumable upload from where it stands, however often another request is in its way. */
async function sendRest(product: Product, address: string, bytes: Buffer, offset: number): Promise<void> {
  let at = offset
  await until(async () => {
    const rest = new Uint8Array(bytes.subarray(at))
    const answer = await fetch(address, { method: 'PATCH', headers: chunkHeaders(product, at), body: rest })
    if (answer.status === 409) {
      const found = await fetch(address, { method: 'HEAD', headers: chunkHeaders(product, 0) })
      at = Number(found.headers.get('upload-offset'))
    }
    return answer.status === 204
  })
}

const folderPlace = ['a folder', inFolder] as const
const bucketPlace = ['a bucket elsewhere', inBucket] as const

describe.each(isTrial ? [folderPlace, bucketPlace] : [folderPlace])('files in %s', (_where, open) => {
  let dataDir: string
  let place: Place
  let product: Product
  beforeAll(async () => {
    dataDir = await newDataDir()
    place = await open(dataDir)
    product = await startProduct({ dataDir, env: place.env })
    await createBucket(product)
  })
  afterAll(async () => {
    await product?.stop()
    await place?.files.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const attempts = new Map<string, Attempts>()
  test.each(Array.from({ length: trials }, (_, round) => [round, round % 2 === 0 ? 'alone' : 'with its engines']))(
    'round %i, killed %s: an object is whole, and the last one acknowledged or one that was sent after it',
    async (round) => {
      let isDead = false
      const { done, ended } = write(product, attempts, () => isDead)
      const enough = randomInt(3, isTrial ? 20 : 8)
      await until(() => done.stored >= enough && done.removed > 0, 60_000)
      await new Promise((resolve) => setTimeout(resolve, randomInt(300)))
      killNow(product, round % 2 === 1)
      isDead = true
      await ended

      product = await startProduct({ dataDir, env: place.env })
      for (const [name, { acknowledged, since }] of attempts) {
        const bytes = await download(product, name)
        if (bytes === null) expect(acknowledged, name).toBeNull()
        else expect([acknowledged, ...since], name).toContain(sha256(bytes))
      }
      const files = await listed(place)
      expect((await versions(dataDir)).filter((version) => !files.has(version))).toEqual([])
      for (let index = 0; index < writersOfEach; index += 1) await download(product, `brief-${index}`)
      const known = await named(dataDir)
      expect([...files].filter((id) => !known.has(id)).length).toBeLessThanOrEqual(leftByKill * (round + 1))
    },
    120_000,
  )

  test('what the kills have left is found', async () => {
    const inTwoDays = () => new Date(Date.now() + 48 * 3_600_000)
    const sql = {
      query: async <Row>({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) => {
        const rows = await ask<Row>(dataDir, text, values)
        return { rows, rowCount: rows.length }
      },
    }
    const unnamed = async () => {
      const known = await named(dataDir)
      return [...(await listed(place))].filter((id) => !known.has(id))
    }
    const found = await removeOrphans({ sql, files: place.files, now: inTwoDays })
    expect(found).toMatchObject({ suspicious: 0, missing: 0 })
    expect(await unnamed()).toEqual([])
    await ask(dataDir, 'update clew_storage.removals set due_at = now()')
  })

  test('an upload that is cut at any byte leaves the object as it was, and a resumable one goes on from there', async () => {
    const size = mib + 17
    const old = randomBytes(size)
    await uploads.plain(product, 'cut', old)
    const places = [0, 1, size - 1, ...Array.from({ length: trials * 2 }, () => randomInt(size))]
    for (const cutAt of places) {
      const bytes = randomBytes(size)
      const headers = { ...authorizationOf(product), 'x-upsert': 'true', 'content-type': 'a/b' }
      const address = await beginResumable(product, 'cut-resumable', size)
      await Promise.all([
        sendPart('POST', `${storageUrl(product)}/object/${bucket}/cut`, headers, bytes, cutAt),
        sendPart('PATCH', address, chunkHeaders(product, 0), bytes, cutAt),
      ])
      expect(sha256((await download(product, 'cut')) ?? old.subarray(1)), String(cutAt)).toBe(sha256(old))
      // The request that was left behind is ended by the one that comes back.
      const state = await fetch(address, { method: 'HEAD', headers: chunkHeaders(product, 0) })
      const offset = Number(state.headers.get('upload-offset'))
      expect(offset).toBeLessThanOrEqual(cutAt)
      await sendRest(product, address, bytes, offset)
      expect(sha256((await download(product, 'cut-resumable')) ?? old), String(cutAt)).toBe(sha256(bytes))
    }
    await until(async () => {
      const [known, files] = [await named(dataDir), await listed(place)]
      return (
        (await versions(dataDir)).every((version) => files.has(version)) &&
        known.size >= files.size - leftByKill * trials
      )
    })
  }, 300_000)

  // The collector is waited for; the tests of its room show the removal at each run.
  test.runIf(isTrial)('and removed, and nothing else is', async () => {
    const waiting = () => ask(dataDir, 'select from clew_storage.removals where due_at <= now()')
    await until(async () => (await waiting()).length === 0, 90_000)
    const known = await named(dataDir)
    expect([...(await listed(place))].filter((id) => !known.has(id))).toEqual([])
    for (const [name, { acknowledged }] of attempts)
      if (acknowledged !== null) expect(await download(product, name), name).not.toBeNull()
  })
})
