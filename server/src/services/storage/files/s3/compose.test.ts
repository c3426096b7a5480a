import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as aws from '@aws-sdk/client-s3'
import { describe, expect, test as plainTest } from 'vitest'
import { type S3App, s3ClientOf, s3Test as test } from '../../../../../test/s3-app.ts'
import { openStorage } from '../../../../../test/storage-app.ts'
import { localS3AccessKey } from '../../s3/keys.ts'
import type { FileStore, ListedFile } from '../file-store.ts'
import { planParts } from './compose.ts'
import { createS3Store } from './s3-store.ts'

const mib = 1024 * 1024
const noLimit = { limitBytes: Number.POSITIVE_INFINITY }
const streamOf = (bytes: Buffer) => Readable.from([bytes], { objectMode: false })

/** A store in a bucket of a server that copies parts: this one. */
const storeIn = ({ url }: Pick<S3App, 'url'>): FileStore =>
  createS3Store({
    ...localS3AccessKey,
    endpoint: `${url}/storage/v1/s3`,
    region: 'local',
    bucket: 'b',
    timeoutSeconds: 60,
    pathStyle: true,
  })

/** Bytes that were sent to the server, and not copied by it, since its records had a length. */
const sentSince = ({ ended }: S3App, length: number): number =>
  ended
    .slice(length)
    .filter(({ context }) => context.method === 'PUT')
    .reduce((sum, { context }) => sum + Number(context.headers['content-length'] ?? 0), 0)

/** An upload of a file in parts, of which one has come. */
async function begunUpload({ s3 }: S3App, id: string): Promise<void> {
  const place = { Bucket: 'b', Key: `objects/${id}` }
  const { UploadId } = await s3.send(new aws.CreateMultipartUploadCommand(place))
  await s3.send(new aws.UploadPartCommand({ ...place, UploadId, PartNumber: 1, Body: 'part' }))
}

describe('parts of an object that is made of others', () => {
  plainTest.each([
    ['nothing', [], []],
    ['one byte', [1], [1]],
    ['two short ones', [2, 3], [5]],
    ['long ones', [5 * mib, 6 * mib, 1], [5 * mib, 6 * mib, 1]],
    ['a short one before a long one', [mib, 10 * mib], [5 * mib, 6 * mib]],
    ['a short one before one that is short without its beginning', [4 * mib, 5 * mib], [5 * mib, 4 * mib]],
    ['more than a part may have', [12 * 1024 * mib], [5120 * mib, 5120 * mib, 2048 * mib]],
    ['none between others', [5 * mib, 0, 5 * mib], [5 * mib, 5 * mib]],
  ])('%s', (_what, sizes, expected) => {
    const parts = planParts(sizes.map((sizeBytes, index) => ({ key: String(index), sizeBytes })))
    expect(parts.map((part) => part.reduce((sum, { start, end }) => sum + end - start + 1, 0))).toEqual(expected)
    const places = parts.flat()
    for (const [index, size] of sizes.entries()) {
      const own = places.filter(({ key }) => key === String(index))
      expect(own.reduce((at, { start, end }) => (start === at ? end + 1 : Number.NaN), 0)).toBe(size)
    }
  })

  plainTest('of any sizes: none but the last is too short, none is too long, and there are not too many', () => {
    for (let trial = 0; trial < 10; trial += 1) {
      const count = 1 + ((trial * 7919) % 20_000)
      const sizes = Array.from({ length: count }, (_, index) => ((index * 104_729 + trial * 1_299_709) % (9 * mib)) + 1)
      const parts = planParts(sizes.map((sizeBytes, index) => ({ key: String(index), sizeBytes })))
      const lengths = parts.map((part) => part.reduce((sum, { start, end }) => sum + end - start + 1, 0))
      expect(lengths.slice(0, -1).every((length) => length >= 5 * mib && length <= 5120 * mib)).toBe(true)
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(sizes.reduce((sum, size) => sum + size, 0))
      expect(parts.length).toBeLessThanOrEqual(10_000)
    }
  })
})

describe('a bucket whose server copies parts', () => {
  test('joins files without their bytes being sent again, and copies them so', async ({ app }) => {
    const store = storeIn(app)
    const all = [6 * mib, mib, 7 * mib, 3].map((size) => ({ id: randomUUID(), bytes: randomBytes(size) }))
    for (const { id, bytes } of all) await store.put(id, streamOf(bytes), noLimit)
    const [joined, copy] = [randomUUID(), randomUUID()]
    const before = app.ended.length
    const whole = Buffer.concat(all.map(({ bytes }) => bytes))
    expect(
      await store.join(
        all.map(({ id }) => id),
        joined,
      ),
    ).toBe(whole.length)
    expect(await store.copy(joined, copy)).toMatchObject({ sizeBytes: whole.length })
    // The first is copied; the second is short, and goes with the beginning of the third; then the end.
    expect(sentSince(app, before)).toBe(8 * mib + 3)
    for (const id of [joined, copy]) expect((await buffer(await store.get(id))).equals(whole)).toBe(true)
    await expect(store.join([joined, randomUUID()], randomUUID())).rejects.toMatchObject({ code: 'FileMissing' })
    expect(await app.sql('select from storage.s3_multipart_uploads')).toEqual([])
    await store.close()
  })

  test('finishes a file that grew without its bytes being sent again, also where it was killed in its midst', async ({
    app,
  }) => {
    const store = storeIn(app)
    const id = randomUUID()
    const bytes = randomBytes(18 * mib)
    await store.partial.create(id)
    for (let at = 0; at < bytes.length; at += 6 * mib)
      await store.partial.append(id, at, streamOf(bytes.subarray(at, at + 6 * mib)), noLimit)
    const segments = await app.client().from('b').list(`partial/${id}`)
    // As a kill leaves it that came while they were joined.
    await begunUpload(app, id)
    const before = app.ended.length
    const finished = await store.partial.finish(id)
    expect(finished.sizeBytes).toBe(bytes.length)
    expect(sentSince(app, before)).toBe(0)
    expect((await buffer(await store.get(id))).equals(bytes)).toBe(true)
    // As a kill leaves it that came when the first segment was gone, and others not.
    for (const { name } of (segments.data ?? []).slice(1))
      await app.client().from('b').upload(`partial/${id}/${name}`, 'left')
    await expect(store.partial.size(id)).rejects.toMatchObject({ code: 'FileMissing' })
    expect(await store.partial.finish(id)).toEqual(finished)
    expect((await buffer(await store.get(id))).equals(bytes)).toBe(true)
    expect((await app.client().from('b').list(`partial/${id}`)).data).toEqual([])
    expect(await app.sql('select from storage.s3_multipart_uploads')).toEqual([])
    await store.close()
  })

  test('finds what a kill left of uploads in parts, a day old, and removes them', async ({ app }) => {
    const store = storeIn(app)
    const [whole, half] = [randomUUID(), randomUUID()]
    await store.put(whole, streamOf(randomBytes(6 * mib)), noLimit)
    for (const id of [half, whole]) await begunUpload(app, id)
    const found: ListedFile[] = []
    for await (const file of store.list()) found.push(file)
    expect(found.map(({ id, partial }) => [id, partial]).sort()).toEqual(
      [
        [half, true],
        [whole, false],
        [whole, true],
      ].sort(),
    )
    const aged = found.filter(({ partial }) => partial).map(({ modifiedAt }) => modifiedAt.getTime() - Date.now())
    for (const ms of aged) expect(ms / 3_600_000).toBeCloseTo(24, 0)
    await store.remove([half])
    expect(await app.sql('select key from storage.s3_multipart_uploads')).toEqual([{ key: `objects/${whole}` }])
    await store.remove([whole, half])
    expect(await app.sql('select from storage.s3_multipart_uploads')).toEqual([])
    expect(await app.sql('select from storage.objects')).toEqual([])
    await store.close()
  })
})

test('a part of a multipart upload has the tag of its bytes, however the bucket stores it', async ({ app, db }) => {
  const inner = await openStorage(db, { files: storeIn(app), settings: { fileSizeLimitBytes: 64 * mib } })
  await db.load(`insert into storage.buckets (id, name) values ('c', 'c')`)
  const s3 = s3ClientOf(inner)({})
  const place = { Bucket: 'c', Key: 'large' }
  const { UploadId } = await s3.send(new aws.CreateMultipartUploadCommand(place))
  const bytes = randomBytes(20 * mib)
  const part = await s3.send(new aws.UploadPartCommand({ ...place, UploadId, PartNumber: 1, Body: bytes }))
  expect(part.ETag).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`)
  await s3.send(
    new aws.CompleteMultipartUploadCommand({
      ...place,
      UploadId,
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag: part.ETag }] },
    }),
  )
  const { Body } = await s3.send(new aws.GetObjectCommand(place))
  expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true)
})
