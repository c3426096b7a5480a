import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as aws from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { describe, expect } from 'vitest'
import { filesIn, s3ClientOf, s3Test as test, textOf } from '../../../../test/s3-app.ts'
import { openStorage } from '../../../../test/storage-app.ts'
import { createS3Store } from '../files/s3/s3-store.ts'
import { localS3AccessKey } from './keys.ts'

const mib = 1024 * 1024
const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest('hex')
const bytesOf = async (blob: Blob | null) => Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))

describe('multipart uploads (storage §10)', () => {
  test('of the SDK, of 40 MiB', async ({ app }) => {
    const bytes = randomBytes(40 * mib)
    const upload = new Upload({
      client: app.s3,
      params: { Bucket: 'b', Key: 'large', Body: Readable.from([bytes], { objectMode: false }), ContentType: 'a/b' },
      partSize: 8 * mib,
    })
    const done = await upload.done()
    const digests = Array.from({ length: 5 }, (_, index) => {
      const part = bytes.subarray(index * 8 * mib, (index + 1) * 8 * mib)
      return createHash('md5').update(part).digest()
    })
    expect(done.ETag).toBe(`"${md5(Buffer.concat(digests))}-5"`)
    const { data } = await app.client().from('b').download('large')
    expect((await bytesOf(data)).equals(bytes)).toBe(true)
    expect(data?.type).toBe('a/b')
    expect(await filesIn(app)).toBe(1)
    expect(await app.sql('select from storage.s3_multipart_uploads')).toEqual([])
  })

  const begin = async (s3: aws.S3Client, Key = 'large') => {
    const { UploadId } = await s3.send(
      new aws.CreateMultipartUploadCommand({ Bucket: 'b', Key, ContentType: 'text/x', Metadata: { one: '1' } }),
    )
    const upload = { Bucket: 'b', Key, UploadId }
    const part = (PartNumber: number, Body: string) =>
      s3.send(new aws.UploadPartCommand({ ...upload, PartNumber, Body }))
    const complete = (Parts?: aws.CompletedPart[]) =>
      s3.send(new aws.CompleteMultipartUploadCommand({ ...upload, ...(Parts && { MultipartUpload: { Parts } }) }))
    return { upload, part, complete }
  }

  test('are listed, replaced part by part, copied from objects, and completed', async ({ app }) => {
    const { s3 } = app
    await s3.send(new aws.PutObjectCommand({ Bucket: 'b', Key: 'source', Body: '0123456789' }))
    const { upload, part, complete } = await begin(s3)
    await part(1, 'wrong')
    const one = await part(1, 'one,')
    const two = await s3.send(
      new aws.UploadPartCopyCommand({ ...upload, PartNumber: 2, CopySource: 'b/source', CopySourceRange: 'bytes=3-5' }),
    )
    const listed = await s3.send(new aws.ListPartsCommand({ ...upload, MaxParts: 1 }))
    expect(listed).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '1', Parts: [{ PartNumber: 1, Size: 4 }] })
    const uploads = await s3.send(new aws.ListMultipartUploadsCommand({ Bucket: 'b' }))
    expect(uploads.Uploads).toMatchObject([{ Key: 'large', UploadId: upload.UploadId }])
    expect(await app.sql('select in_progress_size::int as size from storage.s3_multipart_uploads')).toEqual([
      { size: 7 },
    ])
    await expect(complete([{ PartNumber: 3, ETag: one.ETag }])).rejects.toMatchObject({ name: 'MissingPart' })
    await expect(complete([{ PartNumber: 1, ETag: two.CopyPartResult?.ETag }])).rejects.toMatchObject({
      name: 'MissingPart',
    })
    await complete([
      { PartNumber: 1, ETag: one.ETag },
      { PartNumber: 2, ETag: two.CopyPartResult?.ETag },
    ])
    const found = await s3.send(new aws.GetObjectCommand({ Bucket: 'b', Key: 'large' }))
    expect([await textOf(found), found.ContentType, found.Metadata]).toEqual(['one,345', 'text/x', { one: '1' }])
    await expect(complete()).rejects.toMatchObject({ name: 'NoSuchUpload' })
    expect(await filesIn(app)).toBe(2)
  })

  test('without a list of parts are of all parts', async ({ app: { s3 } }) => {
    const { part, complete } = await begin(s3)
    await part(2, 'b')
    await part(1, 'a')
    await complete()
    expect(await textOf(await s3.send(new aws.GetObjectCommand({ Bucket: 'b', Key: 'large' })))).toBe('ab')
  })

  test('have no small part but the last', async ({ db }) => {
    const app = await openStorage(db)
    await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
    const s3 = s3ClientOf(app)({})
    const { part, complete } = await begin(s3)
    const parts = [await part(1, 'a'), await part(2, 'b')].map(({ ETag }, index) => ({ ETag, PartNumber: index + 1 }))
    await expect(complete(parts)).rejects.toMatchObject({ name: 'EntityTooSmall', $metadata: { httpStatusCode: 400 } })
    await part(1, 'a'.repeat(5 * mib))
    await complete()
    expect((await s3.send(new aws.HeadObjectCommand({ Bucket: 'b', Key: 'large' }))).ContentLength).toBe(5 * mib + 1)
  })

  test('that take too long are ended, and leave nothing', async ({ app }) => {
    const { upload, part } = await begin(app.s3)
    await part(1, 'a')
    const young = await begin(app.s3, 'young')
    await app.db.admin.query({
      text: `update storage.s3_multipart_uploads set created_at = now() - interval '8 days' where key = 'large'`,
      values: [],
    })
    await app.storage.collector.collect()
    await expect(app.s3.send(new aws.ListPartsCommand(upload))).rejects.toMatchObject({ name: 'NoSuchUpload' })
    expect(await filesIn(app)).toBe(0)
    expect((await young.part(1, 'b')).ETag).toBeTruthy()
  })

  test('are listed by folders, a page after another', async ({ app: { s3 } }) => {
    for (const key of ['folder/a', 'folder/b', 'one', 'two']) await begin(s3, key)
    const seen: (string | undefined)[] = []
    let from: Partial<aws.ListMultipartUploadsCommandInput> = {}
    for (let isTruncated = true; isTruncated; ) {
      const page = await s3.send(
        new aws.ListMultipartUploadsCommand({ Bucket: 'b', Delimiter: '/', MaxUploads: 1, ...from }),
      )
      seen.push(
        ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
        ...(page.Uploads ?? []).map(({ Key }) => Key),
      )
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      isTruncated = page.IsTruncated === true
    }
    expect(seen).toEqual(['folder/', 'one', 'two'])
  })

  test('that are completed twice at once are completed', async ({ app }) => {
    const { part, complete } = await begin(app.s3)
    await part(1, 'a')
    const results = await Promise.allSettled([complete(), complete(), complete()])
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ name: expect.stringMatching(/NoSuchUpload|MissingPart/) })
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await textOf(await app.s3.send(new aws.GetObjectCommand({ Bucket: 'b', Key: 'large' })))).toBe('a')
  })

  test('are aborted, and leave nothing', async ({ app }) => {
    const { upload, part } = await begin(app.s3)
    await part(1, 'a')
    await app.s3.send(new aws.AbortMultipartUploadCommand(upload))
    await expect(part(1, 'a')).rejects.toMatchObject({ name: 'NoSuchUpload' })
    expect(await filesIn(app)).toBe(0)
  })

  test('are no longer than the limit, however many parts come at once', async ({ app }) => {
    await app.sql(`update storage.buckets set file_size_limit = 25 where id = 'b'`)
    const { part, complete } = await begin(app.s3)
    const results = await Promise.allSettled([1, 2, 3, 4].map((number) => part(number, '0123456789')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { name: 'EntityTooLarge' } },
      { reason: { name: 'EntityTooLarge' } },
    ])
    await complete()
  })
})

test('a bucket here keeps the files of another instance; one whose client leaves in its midst leaves no part', async ({
  app,
}) => {
  const { sql, url } = app
  const endpoint = `${url}/storage/v1/s3`
  const store = createS3Store({
    ...localS3AccessKey,
    endpoint,
    region: 'local',
    bucket: 'b',
    timeoutSeconds: 60,
    pathStyle: true,
  })
  const [whole, cut] = [randomUUID(), randomUUID()]
  const limit = { limitBytes: 64 * mib }
  const bytes = randomBytes(20 * mib)
  await store.put(whole, Readable.from([bytes], { objectMode: false }), limit)
  expect(md5(await buffer(await store.get(whole)))).toBe(md5(bytes))
  const parts = () => sql('select from storage.s3_multipart_uploads_parts')
  const body = Readable.from(
    (async function* () {
      for (let sent = 0; sent < 20; sent += 1) yield bytes.subarray(0, mib)
      await expect.poll(parts).not.toEqual([])
      throw new Error('the client left')
    })(),
    { objectMode: false },
  )
  await expect(store.put(cut, body, limit)).rejects.toThrow('the client left')
  await expect.poll(() => sql('select from storage.s3_multipart_uploads')).toEqual([])
  expect(await sql('select name from storage.objects')).toEqual([{ name: `objects/${whole}` }])
  await expect.poll(() => filesIn(app)).toBe(1)
  await store.close()
})
