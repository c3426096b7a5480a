import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as aws from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'
import { anonKey, openStorage, type StorageApp } from '../../../../test/storage-app.ts'
import { createS3Store } from '../files/s3/s3-store.ts'
import { localS3AccessKey } from './keys.ts'

const maria = '11111111-1111-4111-8111-111111111111'
const mib = 1024 * 1024
const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest('hex')
const textOf = async (output: aws.GetObjectCommandOutput) => output.Body?.transformToString()

const bytesOf = async (blob: Blob | null) => Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))

interface App extends StorageApp {
  readonly db: TestDatabase
  readonly s3: aws.S3Client
  /** A client that signs with another key, or as a user. */
  readonly as: (credentials: Partial<typeof localS3AccessKey & { sessionToken: string }>) => aws.S3Client
}

const test = base.extend('app', async ({ db }): Promise<App> => {
  const app = await openStorage(db, { settings: { fileSizeLimitBytes: 64 * mib, s3PartMinimumMib: 0 } })
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', false), ('open', 'open', true)`)
  const as = clientOf(app)
  return { ...app, db, s3: as({}), as }
})

function clientOf({ url }: StorageApp): App['as'] {
  return (credentials) =>
    new aws.S3Client({
      region: 'eu-central-1',
      endpoint: `${url}/storage/v1/s3`,
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { ...localS3AccessKey, ...credentials },
    })
}

const filesIn = async ({ files }: StorageApp): Promise<number> => {
  let count = 0
  for await (const _file of files.list()) count += 1
  return count
}

describe('buckets (storage §10)', () => {
  test('are created, listed, described and deleted', async ({ app: { s3, sql } }) => {
    await s3.send(new aws.CreateBucketCommand({ Bucket: 'new', ACL: 'public-read' }))
    await s3.send(new aws.CreateBucketCommand({ Bucket: 'new2' }))
    expect(await sql(`select name, public from storage.buckets where id like 'new%' order by 1`)).toEqual([
      { name: 'new', public: true },
      { name: 'new2', public: false },
    ])
    const { Buckets } = await s3.send(new aws.ListBucketsCommand())
    expect(Buckets?.map(({ Name }) => Name)).toEqual(['b', 'new', 'new2', 'open'])
    expect(Buckets?.[0]?.CreationDate).toBeInstanceOf(Date)
    await s3.send(new aws.HeadBucketCommand({ Bucket: 'new' }))
    expect((await s3.send(new aws.GetBucketLocationCommand({ Bucket: 'new' }))).LocationConstraint).toBe('local')
    expect((await s3.send(new aws.GetBucketVersioningCommand({ Bucket: 'new' }))).Status).toBe('Suspended')
    expect((await s3.send(new aws.DeleteBucketCommand({ Bucket: 'new' }))).$metadata.httpStatusCode).toBe(204)
    await expect(s3.send(new aws.HeadBucketCommand({ Bucket: 'new' }))).rejects.toMatchObject({ name: 'NotFound' })
    await expect(s3.send(new aws.CreateBucketCommand({ Bucket: 'b' }))).rejects.toMatchObject({
      name: 'BucketAlreadyExists',
    })
    await s3.send(new aws.PutObjectCommand({ Bucket: 'new2', Key: 'a', Body: 'x' }))
    await expect(s3.send(new aws.DeleteBucketCommand({ Bucket: 'new2' }))).rejects.toMatchObject({
      name: 'ResourceNotEmpty',
    })
  })
})

describe('objects (storage §10)', () => {
  const put = (
    s3: aws.S3Client,
    Key: string,
    Body: NonNullable<aws.PutObjectCommandInput['Body']>,
    more: object = {},
  ) => s3.send(new aws.PutObjectCommand({ Bucket: 'b', Key, Body, ...more }))
  const get = (s3: aws.S3Client, Key: string, more: object = {}) =>
    s3.send(new aws.GetObjectCommand({ Bucket: 'b', Key, ...more }))

  test('come back as they were put, through both protocols', async ({ app }) => {
    const { s3 } = app
    const bytes = randomBytes(300_000)
    const key = "a folder/b & c's+(1).bin"
    const stored = await put(s3, key, bytes, {
      ContentType: 'image/png',
      CacheControl: 'max-age=60',
      Metadata: { camera: 'box', iso: '400' },
    })
    expect(stored).toMatchObject({ ETag: `"${md5(bytes)}"`, ChecksumCRC32: expect.any(String) })
    const found = await get(s3, key)
    expect(found).toMatchObject({
      ContentType: 'image/png',
      CacheControl: 'max-age=60',
      ContentLength: bytes.length,
      ETag: `"${md5(bytes)}"`,
      Metadata: { camera: 'box', iso: '400' },
      LastModified: expect.any(Date),
    })
    expect(Buffer.from((await found.Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true)
    expect(await s3.send(new aws.HeadObjectCommand({ Bucket: 'b', Key: key }))).toMatchObject({
      ContentLength: bytes.length,
      Metadata: { camera: 'box' },
    })
    expect((await s3.send(new aws.GetObjectTaggingCommand({ Bucket: 'b', Key: key }))).TagSet).toEqual([])
    const { data } = await app.client().from('b').download(key)
    expect((await bytesOf(data)).equals(bytes)).toBe(true)
    expect(app.ended.at(-1)?.context.errorCode).toBeNull()
  })

  test('may be streams of a known length, whose checksum comes behind them', async ({ app: { s3 } }) => {
    const bytes = randomBytes(3 * mib + 5)
    for (const ChecksumAlgorithm of ['CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const) {
      const Body = Readable.from([bytes.subarray(0, mib), bytes.subarray(mib)], { objectMode: false })
      const stored = await put(s3, 'stream', Body, { ContentLength: bytes.length, ChecksumAlgorithm })
      expect(stored).toMatchObject({ ETag: `"${md5(bytes)}"`, [`Checksum${ChecksumAlgorithm}`]: expect.any(String) })
    }
    const found = await get(s3, 'stream')
    expect(Buffer.from((await found.Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true)
  })

  test('of an empty folder are placeholders', async ({ app: { s3, sql } }) => {
    await put(s3, 'folder/', '')
    expect(await sql('select name from storage.objects')).toEqual([{ name: 'folder/.emptyFolderPlaceholder' }])
  })

  test('are answered in ranges and by conditions', async ({ app: { s3 } }) => {
    const { ETag } = await put(s3, 'a', '0123456789')
    const range = await get(s3, 'a', { Range: 'bytes=2-4' })
    expect([await textOf(range), range.ContentRange]).toEqual(['234', 'bytes 2-4/10'])
    await expect(get(s3, 'a', { Range: 'bytes=10-12' })).rejects.toMatchObject({ name: 'InvalidRange' })
    await expect(get(s3, 'a', { IfNoneMatch: ETag })).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
    await expect(get(s3, 'a', { IfModifiedSince: new Date() })).rejects.toMatchObject({
      $metadata: { httpStatusCode: 304 },
    })
    await expect(get(s3, 'a', { IfMatch: '"x"' })).rejects.toMatchObject({ name: 'PreconditionFailed' })
    expect(await get(s3, 'a', { IfMatch: ETag, ResponseContentType: 'text/css' })).toMatchObject({
      ContentType: 'text/css',
    })
    await expect(put(s3, 'a', 'x', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' })
    await put(s3, 'new', 'x', { IfNoneMatch: '*' })
  })

  test('are replaced, and the file of the earlier one is not lost sight of', async ({ app: { s3, db } }) => {
    await put(s3, 'a', 'one')
    await put(s3, 'a', 'two')
    expect(await textOf(await get(s3, 'a'))).toBe('two')
    const removals = await db.admin.query({ text: 'select from clew_storage.removals', values: [] })
    expect(removals.rows).toHaveLength(1)
  })

  test('are copied, with their metadata or other', async ({ app: { s3 } }) => {
    await put(s3, 'a b', 'text', { ContentType: 'text/x', Metadata: { one: '1' } })
    const copy = (Key: string, more: object = {}) =>
      s3.send(new aws.CopyObjectCommand({ Bucket: 'open', Key, CopySource: 'b/a%20b', ...more }))
    const copied = await copy('same')
    expect(copied.CopyObjectResult).toMatchObject({ ETag: `"${md5('text')}"`, LastModified: expect.any(Date) })
    await copy('other', { MetadataDirective: 'REPLACE', ContentType: 'text/y', Metadata: { two: '2' } })
    const head = (Key: string) => s3.send(new aws.HeadObjectCommand({ Bucket: 'open', Key }))
    expect(await head('same')).toMatchObject({ ContentType: 'text/x', Metadata: { one: '1' } })
    expect(await head('other')).toMatchObject({ ContentType: 'text/y', Metadata: { two: '2' } })
    await expect(copy('no', { CopySourceIfMatch: '"x"' })).rejects.toMatchObject({ name: 'PreconditionFailed' })
    await expect(copy('no', { CopySource: 'b/nothing' })).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  test('are deleted, one or many, and those that are absent as well', async ({ app: { s3 } }) => {
    for (const Key of ['a', 'b&c', 'd']) await put(s3, Key, 'x')
    const remove = () => s3.send(new aws.DeleteObjectCommand({ Bucket: 'b', Key: 'a' }))
    expect((await remove()).$metadata.httpStatusCode).toBe(204)
    expect((await remove()).$metadata.httpStatusCode).toBe(204)
    const Objects = [{ Key: 'b&c' }, { Key: 'nothing' }]
    const deleted = await s3.send(new aws.DeleteObjectsCommand({ Bucket: 'b', Delete: { Objects } }))
    expect([deleted.Deleted, deleted.Errors]).toEqual([Objects, undefined])
    const quiet = { Objects: [{ Key: 'd' }], Quiet: true }
    expect((await s3.send(new aws.DeleteObjectsCommand({ Bucket: 'b', Delete: quiet }))).Deleted).toBeUndefined()
    await expect(get(s3, 'd')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  test.for([
    ['a key that is not there', 'b', 'nothing', 'NoSuchKey', 404],
    ['a bucket that is not there', 'nothing', 'a', 'NoSuchBucket', 404],
    ['a key that no object may have', 'b', 'a#b', 'InvalidKey', 400],
    ['a key that leads elsewhere', 'b', 'a/../../b', 'InvalidKey', 400],
  ] as const)('%s is refused in XML', async ([, Bucket, Key, name, httpStatusCode], { app: { s3 } }) => {
    const refused =
      name === 'InvalidKey'
        ? s3.send(new aws.PutObjectCommand({ Bucket, Key, Body: 'x' }))
        : s3.send(new aws.GetObjectCommand({ Bucket, Key }))
    await expect(refused).rejects.toMatchObject({ name, $metadata: { httpStatusCode } })
  })

  test('over the limit are refused, and leave nothing', async ({ app }) => {
    await app.sql(`update storage.buckets set file_size_limit = 10, allowed_mime_types = '{text/*}' where id = 'b'`)
    const { s3 } = app
    await put(s3, 'a', '0123456789', { ContentType: 'text/plain' })
    await expect(put(s3, 'a', '01234567890', { ContentType: 'text/plain' })).rejects.toMatchObject({
      name: 'EntityTooLarge',
      $metadata: { httpStatusCode: 413 },
    })
    await expect(put(s3, 'a', '0', { ContentType: 'image/png' })).rejects.toMatchObject({ name: 'InvalidMimeType' })
    expect(await filesIn(app)).toBe(1)
  })

  test('whose bytes changed on the way are refused, and leave nothing', async ({ app }) => {
    await expect(put(app.s3, 'a', 'text', { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' })).rejects.toMatchObject({
      name: 'InvalidChecksum',
    })
    await expect(
      put(app.s3, 'a', 'text', { ChecksumSHA256: createHash('sha256').digest('base64') }),
    ).rejects.toMatchObject({ name: 'InvalidChecksum' })
    expect(await filesIn(app)).toBe(0)
    expect(await app.sql('select from storage.objects')).toEqual([])
  })
})

describe('lists (storage §10)', () => {
  const keys = ['a.txt', 'b/1', 'b/2', 'b/c/3', 'd/4', 'e 5']
  const listing = test.extend('s3', async ({ app }) => {
    for (const Key of keys) await app.s3.send(new aws.PutObjectCommand({ Bucket: 'b', Key, Body: Key }))
    return app.s3
  })
  const namesOf = ({ Contents, CommonPrefixes }: aws.ListObjectsV2CommandOutput | aws.ListObjectsCommandOutput) => [
    ...(Contents ?? []).map(({ Key }) => Key),
    ...(CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
  ]

  listing.for([
    [{}, keys],
    [{ Prefix: 'b/' }, ['b/1', 'b/2', 'b/c/3']],
    [{ Delimiter: '/' }, ['a.txt', 'e 5', 'b/', 'd/']],
    [{ Delimiter: '/', Prefix: 'b/' }, ['b/1', 'b/2', 'b/c/']],
    [{ StartAfter: 'b/2' }, ['b/c/3', 'd/4', 'e 5']],
    [{ EncodingType: 'url', Prefix: 'e' }, ['e%205']],
    [{ Prefix: 'nothing' }, []],
  ] as const)('of objects with %j', async ([options, expected], { s3 }) => {
    const listed = await s3.send(new aws.ListObjectsV2Command({ Bucket: 'b', ...options }))
    expect([namesOf(listed), listed.IsTruncated, listed.KeyCount]).toEqual([expected, false, expected.length])
  })

  listing.for([1, 2, 3, 1000])('of objects come in pages of %i', async (MaxKeys, { s3 }) => {
    const found: (string | undefined)[] = []
    for await (const page of aws.paginateListObjectsV2(
      { client: s3, pageSize: MaxKeys },
      { Bucket: 'b', Delimiter: '/' },
    ))
      found.push(...namesOf(page))
    expect(found.sort()).toEqual(['a.txt', 'b/', 'd/', 'e 5'])
    const first = await s3.send(new aws.ListObjectsCommand({ Bucket: 'b', MaxKeys }))
    // Without folders the last key is the marker; with them the server names it.
    expect(first.NextMarker).toBeUndefined()
    const second = first.IsTruncated
      ? namesOf(await s3.send(new aws.ListObjectsCommand({ Bucket: 'b', Marker: first.Contents?.at(-1)?.Key })))
      : []
    const folders = await s3.send(new aws.ListObjectsCommand({ Bucket: 'b', MaxKeys, Delimiter: '/' }))
    expect(folders.NextMarker !== undefined).toBe(folders.IsTruncated)
    expect([...namesOf(first), ...second]).toEqual(keys)
  })

  listing('tell size, tag and time', async ({ s3 }) => {
    const { Contents } = await s3.send(new aws.ListObjectsV2Command({ Bucket: 'b', MaxKeys: 1 }))
    expect(Contents).toMatchObject([{ Size: 5, ETag: `"${md5('a.txt')}"`, LastModified: expect.any(Date) }])
    await expect(s3.send(new aws.ListObjectsV2Command({ Bucket: 'nothing' }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    })
  })
})

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
    const s3 = clientOf(app)({})
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

describe('who may (storage §10)', () => {
  test('a presigned URL needs no key, and is good for one request', async ({ app }) => {
    const Key = 'a b.html'
    const sign = (command: aws.PutObjectCommand | aws.GetObjectCommand) =>
      // The two commands have no common type that the presigner takes.
      getSignedUrl(app.s3, command as aws.GetObjectCommand, { expiresIn: 60 })
    const url = await sign(new aws.PutObjectCommand({ Bucket: 'b', Key }))
    const stored = await fetch(url, { method: 'PUT', body: '<script>', headers: { 'content-type': 'text/html' } })
    expect([stored.status, await stored.text()]).toEqual([200, ''])
    const read = await sign(new aws.GetObjectCommand({ Bucket: 'b', Key, ResponseContentDisposition: 'attachment' }))
    const answer = await fetch(read)
    expect([answer.status, await answer.text()]).toEqual([200, '<script>'])
    // It opens in a browser.
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(answer.headers.get('content-disposition')).toBe('attachment')
    for (const [changed, code] of [
      [read.replace('a%20b', 'a%20c'), 'SignatureDoesNotMatch'],
      [read.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'), 'SignatureDoesNotMatch'],
      [`${app.url}/storage/v1/s3/b/a%20b.html`, 'AccessDenied'],
    ] as const) {
      const refused = await fetch(changed)
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining(`<Code>${code}</Code>`)])
    }
  })

  test('an unknown key, and a known one with another secret, are refused', async ({ app: { as } }) => {
    const list = new aws.ListBucketsCommand()
    await expect(as({ accessKeyId: 'x' }).send(list)).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
    await expect(as({ secretAccessKey: 'x' }).send(list)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
  })

  test('a user is held to the policies', async ({ app }) => {
    const user = (token: string) => app.as({ accessKeyId: 'project', secretAccessKey: anonKey, sessionToken: token })
    const s3 = user(app.token(maria))
    await app.s3.send(new aws.PutObjectCommand({ Bucket: 'b', Key: 'other/a', Body: 'x' }))
    const own = { Bucket: 'b', Key: `${maria}/a`, Body: 'mine' }
    await expect(s3.send(new aws.PutObjectCommand(own))).rejects.toMatchObject({
      name: 'AccessDenied',
      $metadata: { httpStatusCode: 403 },
    })
    for (const command of ['select', 'insert', 'update', 'delete'])
      await app.db.load(
        `create policy "${command}" on storage.objects for ${command} to authenticated
         ${command === 'insert' ? 'with check' : 'using'} ((storage.foldername(name))[1] = (auth.uid())::text)`,
      )
    await s3.send(new aws.PutObjectCommand(own))
    expect(await app.sql(`select owner_id from storage.objects where name like '1%'`)).toEqual([{ owner_id: maria }])
    const { Contents } = await s3.send(new aws.ListObjectsV2Command({ Bucket: 'b' }))
    expect(Contents?.map(({ Key }) => Key)).toEqual([own.Key])
    await expect(s3.send(new aws.GetObjectCommand({ Bucket: 'b', Key: 'other/a' }))).rejects.toMatchObject({
      name: 'NoSuchKey',
    })
    await expect(s3.send(new aws.DeleteObjectCommand({ Bucket: 'b', Key: 'other/a' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    })
    const Objects = [{ Key: own.Key }, { Key: 'other/a' }, { Key: 'nothing' }]
    const deleted = await s3.send(new aws.DeleteObjectsCommand({ Bucket: 'b', Delete: { Objects } }))
    expect(deleted.Deleted).toEqual([{ Key: own.Key }, { Key: 'nothing' }])
    expect(deleted.Errors).toMatchObject([{ Key: 'other/a', Code: 'AccessDenied' }])
    const { UploadId } = await app.s3.send(new aws.CreateMultipartUploadCommand({ Bucket: 'b', Key: 'other/b' }))
    const foreign = { Bucket: 'b', Key: 'other/b', UploadId }
    await expect(s3.send(new aws.UploadPartCommand({ ...foreign, PartNumber: 1, Body: 'x' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    })
    await expect(s3.send(new aws.AbortMultipartUploadCommand(foreign))).rejects.toMatchObject({ name: 'AccessDenied' })
    const expired = user(app.token(maria, { exp: 1 }))
    await expect(expired.send(new aws.ListObjectsV2Command({ Bucket: 'b' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    })
  })

  test('a form is stored as its policy allows', async ({ app }) => {
    const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
    const credential = `${localS3AccessKey.accessKeyId}/${date.slice(0, 8)}/local/s3/aws4_request`
    const fields = { 'x-amz-algorithm': 'AWS4-HMAC-SHA256', 'x-amz-credential': credential, 'x-amz-date': date }
    const conditions = [
      ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
      { bucket: 'b' },
      ['starts-with', '$key', 'forms/'],
      ['starts-with', '$Content-Type', ''],
      ['eq', '$success_action_status', '201'],
      ['content-length-range', 2, 10],
    ]
    const expiration = new Date(Date.now() + 60_000).toISOString()
    const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64')
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const scope = [date.slice(0, 8), 'local', 's3', 'aws4_request']
    const key = scope.reduce<string | Buffer>(
      (before, text) => hmac(before, text),
      `AWS4${localS3AccessKey.secretAccessKey}`,
    )
    const send = async (content: string, name: string) => {
      const form = new FormData()
      const all = { ...fields, policy, 'x-amz-signature': hmac(key, policy).toString('hex'), 'Content-Type': 'text/x' }
      for (const [field, value] of Object.entries({ ...all, key: name, success_action_status: '201' }))
        form.append(field, value)
      form.append('file', new Blob([content]), 'photo.txt')
      const answer = await fetch(`${app.url}/storage/v1/s3/b`, { method: 'POST', body: form })
      return [answer.status, await answer.text()]
    }
    expect(await send('hello', 'forms/$' + '{filename}')).toEqual([
      201,
      expect.stringContaining('<Key>forms/photo.txt'),
    ])
    expect(await app.sql(`select name, metadata->>'mimetype' as type from storage.objects`)).toEqual([
      { name: 'forms/photo.txt', type: 'text/x' },
    ])
    expect(await send('hello', 'other/a')).toEqual([403, expect.stringContaining('InvalidPolicyDocument')])
    expect(await send('x', 'forms/a')).toEqual([403, expect.stringContaining('smaller')])
    expect(await send('hello, world', 'forms/a')).toEqual([413, expect.stringContaining('EntityTooLarge')])
    expect(await filesIn(app)).toBe(1)
  })
})

test('what is not served says so, and no request is a bug', async ({ app }) => {
  const { s3 } = app
  await expect(s3.send(new aws.GetBucketAclCommand({ Bucket: 'b' }))).rejects.toMatchObject({ name: 'NotSupported' })
  await expect(s3.send(new aws.ListObjectVersionsCommand({ Bucket: 'b' }))).rejects.toMatchObject({
    name: 'NotSupported',
  })
  const none = s3.send(new aws.DeleteObjectsCommand({ Bucket: 'b', Delete: { Objects: [] } }))
  await expect(none).rejects.toMatchObject({ name: 'MalformedXML' })
  for (const path of ['/%', '/b/%ff', '/b?list-type=2&max-keys=x', '//', '/b/a?partNumber=0&uploadId=x', '/%00/%00']) {
    const { status } = await fetch(`${app.url}/storage/v1/s3${path}`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  }
})

test('a bucket here keeps the files of another instance; one whose client leaves in its midst leaves no part', async ({
  app,
}) => {
  const { sql, url } = app
  const endpoint = `${url}/storage/v1/s3`
  const store = createS3Store({ ...localS3AccessKey, endpoint, region: 'local', bucket: 'b', pathStyle: true })
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
