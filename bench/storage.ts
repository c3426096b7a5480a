import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import pg from 'pg'
import sharp from 'sharp'
import * as tus from 'tus-js-client'
import { type Product, run } from '../e2e/support/product.ts'
import { add, compare, median } from './compare.ts'
import type { LoadRequest } from './load.ts'
import { startFloor, watchMemory } from './processes.ts'
import { userToken } from './user-token.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const mib = 1024 * 1024
const largeBytes = 200 * mib
const listed = 100_000
const pages = 50

interface Keys {
  readonly serviceRoleKey: string
  readonly s3AccessKeyId: string
  readonly s3SecretAccessKey: string
}

const user = '00000000-0000-7000-8000-000000000001'

/** Uploads, downloads, large uploads of both protocols, lists and changed images, beside the floors of `storage-floor.ts`. */
export async function measureStorage(product: Product, databaseUrl: string, folder: string): Promise<void> {
  // The command's own JSON.
  const keys = JSON.parse((await run(['keys', '--data', product.dataDir, '--json'])).stdout) as Keys
  const imagePath = join(folder, 'image.jpg')
  const image = await createImage()
  writeFileSync(imagePath, image)
  const floor = await startFloor(join(here, 'storage-floor.ts'), [
    join(folder, 'storage-floor'),
    imagePath,
    databaseUrl,
    product.jwtSecret,
  ])
  const ports = { clew: Number(new URL(product.apiUrl).port), floor: floor.port }
  const headers = { authorization: `Bearer ${keys.serviceRoleKey}` }
  await createBuckets(product, databaseUrl, headers)
  const memory = watchMemory(product.pid)
  try {
    await measureTransfers(ports, headers, { authorization: `Bearer ${userToken(user, product.jwtSecret)}` })
    await measureLarge(product, keys, ports.floor)
    const { idleMiB, mostMiB } = memory.end()
    add('storage: memory of the server (RSS): before these · most', `${idleMiB} · ${mostMiB} MiB`)
    await measureList(databaseUrl, product, headers)
    await measureImages(image, ports, headers)
  } finally {
    memory.end()
    floor.child.kill()
  }
}

/** A public bucket, and one of a user whom policies let in. */
async function createBuckets(product: Product, databaseUrl: string, headers: Headers): Promise<void> {
  for (const [name, isPublic] of [
    ['bench', true],
    ['own', false],
  ] as const)
    await fetch(`${product.apiUrl}/storage/v1/bucket`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name, public: isPublic, file_size_limit: largeBytes }),
    })
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(`create policy own on storage.objects to authenticated
    using (bucket_id = 'own' and owner_id = (select auth.uid()::text))
    with check (bucket_id = 'own' and owner_id = (select auth.uid()::text))`)
  await client.end()
}

type Ports = Parameters<typeof compare>[1]
type Headers = Readonly<Record<string, string>>

/** A floor of bytes alone, and one that keeps a row for each object, as an upload and a download must. */
const floors = [
  ['bytes', 'a flushed file'],
  ['row', 'a flushed file, its MD5 and a committed row'],
] as const

async function measureTransfers(ports: Ports, service: Headers, owner: Headers): Promise<void> {
  for (const [title, bytes] of [
    ['8 KiB', 8192],
    ['20 MiB', 20 * mib],
  ] as const)
    for (const [floor, what] of floors)
      await measureTransfer(title, bytes, ports, service, { bucket: 'bench', floor, what })
  const what = 'a flushed file, its MD5 and a committed row'
  await measureTransfer('8 KiB by a user', 8192, ports, owner, { bucket: 'own', floor: 'row', what })
  const asUser = 'a flushed file, its MD5 and a row of its own policies'
  await measureUpload('8 KiB by a user', 8192, ports, owner, { bucket: 'own', floor: 'own', what: asUser })
}

interface Sides {
  readonly bucket: string
  readonly floor: (typeof floors)[number][0] | 'own'
  readonly what: string
}

let sequence = 64
const objects = '/storage/v1/object'
const nameOf = (title: string): string => title.replaceAll(' ', '-')

async function measureUpload(
  title: string,
  bytes: number,
  ports: Ports,
  headers: Headers,
  sides: Sides,
): Promise<void> {
  const { bucket, floor, what } = sides
  const body = randomBytes(bytes)
  const name = nameOf(title)
  const upload = (path: string): ((n: number) => LoadRequest) => {
    const head = { ...headers, 'x-upsert': 'true', 'content-type': 'application/octet-stream' }
    // Small ones are all new; there is no room for that many of the large ones.
    const key = (n: number) => (bytes < mib && n > 0 ? `${name}-${sequence++}` : `${name}-${n % 64}`)
    return (n) => ({ method: 'POST', path: `${path}/${key(n)}`, headers: head, body })
  }
  await compare(`storage: upload of ${title}, beside ${what}`, ports, {
    clew: upload(`${objects}/${bucket}`),
    floor: upload(`/${floor}`),
  })
}

/** An upload, and then the download of what it stored. */
async function measureTransfer(
  title: string,
  bytes: number,
  ports: Ports,
  headers: Headers,
  sides: Sides,
): Promise<void> {
  await measureUpload(title, bytes, ports, headers, sides)
  const { bucket, floor } = sides
  const download = (path: string, head: Headers): ((n: number) => LoadRequest) => {
    return () => ({ method: 'GET', path: `${path}/${nameOf(title)}-0`, headers: head })
  }
  await compare(`storage: download of ${title}, beside a file${floor === 'row' ? ' that a row names' : ''}`, ports, {
    clew: bucket === 'bench' ? download(`${objects}/public/bench`, {}) : download(`${objects}/${bucket}`, headers),
    floor: download(`/${floor}`, {}),
  })
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

/** One upload at a time, three of each; a floor takes them by the same client, another all bytes in one request. */
async function measureLarge(product: Product, keys: Keys, floorPort: number): Promise<void> {
  const body = randomBytes(largeBytes)
  const floorUrl = `http://127.0.0.1:${floorPort}`
  const api = `${product.apiUrl}/storage/v1`
  const s3 = (endpoint: string) => async () => {
    const credentials = { accessKeyId: keys.s3AccessKeyId, secretAccessKey: keys.s3SecretAccessKey }
    const client = new S3Client({ region: 'local', endpoint, forcePathStyle: true, credentials })
    const params = { Bucket: 'bench', Key: 'large-s3', Body: body }
    await new Upload({ client, params, partSize: 8 * mib, queueSize: 4 }).done()
    client.destroy()
  }
  const resumable = (endpoint: string) => () =>
    new Promise<void>((resolve, reject) => {
      new tus.Upload(body, {
        endpoint,
        headers: { authorization: `Bearer ${keys.serviceRoleKey}`, 'x-upsert': 'true' },
        metadata: { bucketName: 'bench', objectName: 'large-tus' },
        chunkSize: 6 * mib,
        onSuccess: () => resolve(),
        onError: reject,
      }).start()
    })
  const one = () => fetch(`${floorUrl}/row/large`, { method: 'POST', body })
  const ways = {
    s3: s3(`${api}/s3`),
    s3Floor: s3(`${floorUrl}/s3`),
    tus: resumable(`${api}/upload/resumable`),
    tusFloor: resumable(`${floorUrl}/tus`),
    one,
  }
  const seconds = { s3: [], s3Floor: [], tus: [], tusFloor: [], one: [] } as Record<keyof typeof ways, number[]>
  for (let round = 0; round < 3; round += 1)
    // The object's own names.
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) seconds[way].push(await secondsOf(ways[way]))
  const rate = (way: keyof typeof ways): number => largeBytes / mib / median(seconds[way])
  const shown = (way: keyof typeof ways): string => `${rate(way).toFixed(0)} MiB/s`
  for (const [title, way, floor] of [
    ['S3 multipart upload of 200 MiB, beside a server of that protocol alone', 's3', 's3Floor'],
    ['S3 multipart upload of 200 MiB, beside one request', 's3', 'one'],
    ['resumable upload of 200 MiB (TUS, 6 MiB each), beside a server of that protocol alone', 'tus', 'tusFloor'],
    ['resumable upload of 200 MiB, beside one request', 'tus', 'one'],
  ] as const)
    add(`storage: ${title}`, shown(way), shown(floor), (rate(way) / rate(floor)).toFixed(2))
}

/** Pages of 1,000 of 100,000 objects, beside the same rows read by `pg`. */
async function measureList(databaseUrl: string, product: Product, headers: Headers): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(
    `insert into storage.objects (bucket_id, name, metadata)
     select 'bench', 'list/' || lpad(n::text, 6, '0'), '{"size": 1}' from generate_series(1, $1::int) n`,
    [listed],
  )
  await client.query('analyze storage.objects')
  const readRows = () =>
    client.query(
      `select json_agg(o) from (
         select id, name, metadata, updated_at, created_at, last_accessed_at from storage.objects
         where bucket_id = 'bench' and name collate "C" > 'list/050000' order by name collate "C" limit 1000) o`,
    )
  const list = async () => {
    const answer = await fetch(`${product.apiUrl}/storage/v1/object/list-v2/bench`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ prefix: 'list/', limit: 1000, cursor: Buffer.from('l:list/050000').toString('base64') }),
    })
    await answer.text()
    if (!answer.ok) throw new Error(`A list was answered with ${answer.status}.`)
  }
  const times: { clew: number[]; floor: number[] } = { clew: [], floor: [] }
  for (let round = 0; round < pages; round += 1) {
    times.floor.push((await secondsOf(readRows)) * 1000)
    times.clew.push((await secondsOf(list)) * 1000)
  }
  await client.end()
  const [clew, floor] = [median(times.clew), median(times.floor)]
  add(
    `storage: a page of 1,000 of 100,000 objects`,
    `${clew.toFixed(1)} ms`,
    `${floor.toFixed(1)} ms`,
    (clew / floor).toFixed(2),
  )
}

/** A photograph's size, in noise that compresses as one. */
const createImage = (): Promise<Buffer> =>
  sharp(randomBytes(600 * 400 * 3), { raw: { width: 600, height: 400, channels: 3 } })
    .resize(1800, 1200)
    .jpeg()
    .toBuffer()

/** Every request asks for another width, so that none is answered from the cache. */
async function measureImages(image: Buffer, ports: Ports, headers: Headers): Promise<void> {
  for (const address of [`${ports.clew}/storage/v1/object/bench/image.jpg`, `${ports.floor}/row/image.jpg`])
    await fetch(`http://127.0.0.1:${address}`, {
      method: 'POST',
      headers: { ...headers, 'x-upsert': 'true', 'content-type': 'image/jpeg' },
      body: new Uint8Array(image),
    })
  let sequence = 0
  const resize = (path: string) => (): LoadRequest => {
    sequence += 1
    const width = 200 + (sequence % 400)
    return { method: 'GET', path: `${path}?width=${width}&height=${400 + (sequence % 977)}`, headers: {} }
  }
  for (const [beside, path] of [
    ['sharp with the image in memory', '/image'],
    ['sharp, the image’s row and its file', '/image/image.jpg'],
  ] as const)
    await compare(`storage: an image is resized, beside ${beside}`, ports, {
      clew: resize('/storage/v1/render/image/public/bench/image.jpg'),
      floor: resize(path),
    })
}
