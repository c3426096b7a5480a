import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import * as aws from '@aws-sdk/client-s3'
import { describe, expect } from 'vitest'
import { filesIn, s3Test as test, textOf } from '../../../../test/s3-app.ts'

const mib = 1024 * 1024
const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest('hex')
const bytesOf = async (blob: Blob | null) => Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))

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
