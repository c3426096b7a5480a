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
import { startFloor } from './processes.ts'

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

/** Uploads, downloads, large uploads of both protocols, lists and changed images, beside a Node server and bare sharp. */
export async function measureStorage(product: Product, databaseUrl: string, folder: string): Promise<void> {
  // The command's own JSON.
  const keys = JSON.parse((await run(['keys', '--data', product.dataDir, '--json'])).stdout) as Keys
  const imagePath = join(folder, 'image.jpg')
  const image = await createImage()
  writeFileSync(imagePath, image)
  const floor = await startFloor(join(here, 'storage-floor.ts'), [join(folder, 'storage-floor'), imagePath])
  const ports = { clew: Number(new URL(product.apiUrl).port), floor: floor.port }
  const headers = { authorization: `Bearer ${keys.serviceRoleKey}` }
  const bucket = JSON.stringify({ name: 'bench', public: true, file_size_limit: largeBytes })
  await fetch(`${product.apiUrl}/storage/v1/bucket`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: bucket,
  })
  try {
    for (const [title, bytes] of [
      ['8 KiB', 8192],
      ['20 MiB', 20 * mib],
    ] as const)
      await measureTransfer(title, bytes, ports, headers)
    await measureLarge(product, keys, ports.floor)
    await measureList(databaseUrl, product, headers)
    await measureImages(image, ports, headers)
  } finally {
    floor.child.kill()
  }
}

type Ports = Parameters<typeof compare>[1]
type Headers = Readonly<Record<string, string>>

async function measureTransfer(title: string, bytes: number, ports: Ports, headers: Headers): Promise<void> {
  const body = randomBytes(bytes)
  const name = title.replace(' ', '-')
  const upload = (path: string): ((n: number) => LoadRequest) => {
    const head = { ...headers, 'x-upsert': 'true', 'content-type': 'application/octet-stream' }
    return (n) => ({ method: 'POST', path: `${path}/${name}-${n % 64}`, headers: head, body })
  }
  const download = (path: string): ((n: number) => LoadRequest) => {
    return () => ({ method: 'GET', path: `${path}/${name}-0`, headers: {} })
  }
  await compare(`storage: upload of ${title}`, ports, { clew: upload('/storage/v1/object/bench'), floor: upload('') })
  await compare(`storage: download of ${title}`, ports, {
    clew: download('/storage/v1/object/public/bench'),
    floor: download(''),
  })
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

/** One upload at a time, three of each; the floor gets the bytes in one request. */
async function measureLarge(product: Product, keys: Keys, floorPort: number): Promise<void> {
  const body = randomBytes(largeBytes)
  const client = new S3Client({
    region: 'local',
    endpoint: `${product.apiUrl}/storage/v1/s3`,
    forcePathStyle: true,
    credentials: { accessKeyId: keys.s3AccessKeyId, secretAccessKey: keys.s3SecretAccessKey },
  })
  const s3 = () =>
    new Upload({
      client,
      params: { Bucket: 'bench', Key: 'large-s3', Body: body },
      partSize: 8 * mib,
      queueSize: 4,
    }).done()
  const resumable = () =>
    new Promise<void>((resolve, reject) => {
      new tus.Upload(body, {
        endpoint: `${product.apiUrl}/storage/v1/upload/resumable`,
        headers: { authorization: `Bearer ${keys.serviceRoleKey}`, 'x-upsert': 'true' },
        metadata: { bucketName: 'bench', objectName: 'large-tus' },
        chunkSize: 6 * mib,
        onSuccess: () => resolve(),
        onError: reject,
      }).start()
    })
  const floor = () => fetch(`http://127.0.0.1:${floorPort}/large`, { method: 'POST', body })
  const seconds: { s3: number[]; tus: number[]; floor: number[] } = { s3: [], tus: [], floor: [] }
  for (let round = 0; round < 3; round += 1) {
    seconds.floor.push(await secondsOf(floor))
    seconds.s3.push(await secondsOf(s3))
    seconds.tus.push(await secondsOf(resumable))
  }
  const rate = (values: readonly number[]): number => largeBytes / mib / median(values)
  for (const [title, values] of [
    ['S3 multipart upload of 200 MiB', seconds.s3],
    ['resumable upload of 200 MiB (TUS, 6 MiB each)', seconds.tus],
  ] as const)
    add(
      `storage: ${title}`,
      `${rate(values).toFixed(0)} MiB/s`,
      `${rate(seconds.floor).toFixed(0)} MiB/s`,
      (rate(values) / rate(seconds.floor)).toFixed(2),
    )
  client.destroy()
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
  await fetch(`http://127.0.0.1:${ports.clew}/storage/v1/object/bench/image.jpg`, {
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
  await compare('storage: an image is resized', ports, {
    clew: resize('/storage/v1/render/image/public/bench/image.jpg'),
    floor: resize('/image'),
  })
}
