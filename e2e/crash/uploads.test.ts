import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryOf } from '../../server/src/instance/directory.ts'
import { killNow, type Product, startProduct, until } from '../support/product.ts'
import {
  authorizationOf,
  beginResumable,
  bucket,
  chunkHeaders,
  createBucket,
  download,
  remove,
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

let dataDir: string
let product: Product
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'clew-uploads-'))
  product = await startProduct({ dataDir })
  await createBucket(product)
})
afterAll(async () => {
  await product?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Asks the database as the administrator, who sees what the service alone knows. */
async function ask<Row extends object>(text: string): Promise<readonly Row[]> {
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
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** The names of all files: those of objects, of parts and of uploads that grow. */
async function filesOf(): Promise<ReadonlySet<string>> {
  const names = await readdir(directoryOf(dataDir).storage, { recursive: true, withFileTypes: true })
  return new Set(names.map(({ name }) => name.replace(/\.joined$/, '')).filter((name) => /^[0-9a-f-]{36}$/.test(name)))
}

const versions = async () =>
  (await ask<{ version: string }>('select version from storage.objects')).map(({ version }) => version)

/** Whatever names a file: an object, an upload that goes on, a removal that is due. */
const named = () =>
  ask<{ id: string }>(`
    select version as id from storage.objects
    union select id::text from clew_storage.resumable_uploads
    union select version from storage.s3_multipart_uploads_parts
    union select file_id::text from clew_storage.removals`)

interface Attempts {
  acknowledged: string | null
  /** What was sent since. */
  since: string[]
}

const sizeOf = (protocol: (typeof protocols)[number]): number =>
  protocol === 's3' ? 5 * mib + randomInt(mib) : randomInt(1, 2 * mib)

describe('killed while it takes, replaces and removes objects', () => {
  const attempts = new Map<string, Attempts>()

  test.each(Array.from({ length: trials }, (_, round) => [round, round % 2 === 0 ? 'alone' : 'with its engines']))(
    'round %i, killed %s: an object is whole, and the last one acknowledged or one that was sent after it',
    async (round) => {
      const victim = product
      let isDead = false
      let stored = 0
      let removed = 0
      /** Names that are written and removed, again and again: of those nothing is promised but that a row has its file. */
      const removers = Array.from({ length: writersOfEach }, async (_, index) => {
        while (!isDead) {
          await uploads.plain(victim, `brief-${index}`, randomBytes(randomInt(1, 2 * mib))).catch(() => undefined)
          const isRemoved = await remove(victim, `brief-${index}`).catch(() => false)
          if (isRemoved) removed += 1
        }
      })
      const writers = protocols.flatMap((protocol) =>
        Array.from({ length: writersOfEach }, async (_, index) => {
          const name = `${protocol}-${index}`
          const own: Attempts = attempts.get(name) ?? { acknowledged: null, since: [] }
          attempts.set(name, own)
          while (!isDead) {
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
            stored += 1
          }
        }),
      )
      const enough = randomInt(3, 20)
      await until(() => stored >= enough && removed > 0, 60_000)
      await new Promise((resolve) => setTimeout(resolve, randomInt(300)))
      killNow(victim, round % 2 === 1)
      isDead = true
      await Promise.all([...writers, ...removers])

      product = await startProduct({ dataDir })
      for (const [name, { acknowledged, since }] of attempts) {
        const bytes = await download(product, name)
        if (bytes === null) expect(acknowledged, name).toBeNull()
        else expect([acknowledged, ...since], name).toContain(sha256(bytes))
      }
      const files = await filesOf()
      expect((await versions()).filter((version) => !files.has(version))).toEqual([])
      for (let index = 0; index < writersOfEach; index += 1) await download(product, `brief-${index}`)
      const known = new Set((await named()).map(({ id }) => id))
      expect([...files].filter((id) => !known.has(id)).length).toBeLessThanOrEqual(leftByKill * (round + 1))
    },
    120_000,
  )
})

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

test('an upload that is cut at any byte leaves the object as it was, and a resumable one goes on from there', async () => {
  const size = mib + 17
  const old = randomBytes(size)
  await uploads.plain(product, 'cut', old)
  const places = [0, 1, size - 1, ...Array.from({ length: trials * 2 }, () => randomInt(size))]
  for (const place of places) {
    const bytes = randomBytes(size)
    const headers = { ...authorizationOf(product), 'x-upsert': 'true', 'content-type': 'a/b' }
    const address = await beginResumable(product, 'cut-resumable', size)
    await Promise.all([
      sendPart('POST', `${storageUrl(product)}/object/${bucket}/cut`, headers, bytes, place),
      sendPart('PATCH', address, chunkHeaders(product, 0), bytes, place),
    ])
    expect(sha256((await download(product, 'cut')) ?? old.subarray(1)), String(place)).toBe(sha256(old))
    // The request that was left behind is ended by the one that comes back.
    const state = await fetch(address, { method: 'HEAD', headers: chunkHeaders(product, 0) })
    const offset = Number(state.headers.get('upload-offset'))
    expect(offset).toBeLessThanOrEqual(place)
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
    expect(sha256((await download(product, 'cut-resumable')) ?? old), String(place)).toBe(sha256(bytes))
  }
  await until(async () => {
    const known = new Set((await named()).map(({ id }) => id))
    const files = await filesOf()
    return (await versions()).every((version) => files.has(version)) && known.size >= files.size - leftByKill * trials
  })
}, 300_000)
