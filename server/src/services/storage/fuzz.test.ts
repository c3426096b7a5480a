import * as aws from '@aws-sdk/client-s3'
import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { openStorage } from '../../../test/storage-app.ts'
import { localS3AccessKey } from './s3/keys.ts'

const texts = [
  '',
  'a',
  '..',
  '%2e%2e%2f',
  '%00',
  '%',
  'a%2Fb',
  '%ED%A0%80',
  '%F0%9F%98%80',
  "'",
  '"',
  '*',
  'x'.repeat(1500),
]
const bodies = [
  '',
  '{}',
  '[]',
  'null',
  '{"prefix":""}',
  '{"prefix":"\\u0000"}',
  '{"prefix":"\\ud800","limit":1e9,"offset":1e400}',
  '{"prefixes":["\\u0000","\\ud800","a"]}',
  '{"prefixes":[]}',
  '{"expiresIn":1e400,"paths":["\\u0000"]}',
  '{"expiresIn":60,"paths":["a","\\ud800"]}',
  '{"expiresIn":60,"transform":{"width":-1}}',
  '{"bucketId":"b","sourceKey":"a","destinationKey":"\\u0000"}',
  '{"bucketId":"\\u0000","sourceKey":"\\u0000","destinationKey":"x"}',
  '{"name":"\\u0000"}',
  '{"name":"x","allowed_mime_types":["\\u0000/x"]}',
  '{"name":"x","__proto__":{"public":true},"constructor":1}',
  `{"prefix":"","cursor":"${Buffer.from('l:\0\no:asc').toString('base64')}"}`,
  `{"prefix":"","cursor":"${Buffer.from('l:a\nc:created_at\na:9999999-01-01').toString('base64')}"}`,
  '['.repeat(5000),
]

/** Names and values that neither protocol means. */
const oddValues = ['', '0', '-1', '1e9', '99999999999999999999', 'x y', '%', 'é', '~', 'a,b;c=d', 'x'.repeat(300)]

test('no odd resumable upload is a 500', async ({ db }) => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
  const chunk = 'application/offset+octet-stream'
  const good: Record<string, string> = {
    'tus-resumable': '1.0.0',
    'content-type': chunk,
    'upload-offset': '0',
    'upload-length': '3',
    'upload-metadata': `bucketName ${btoa('b')},objectName ${btoa('o')}`,
    'upload-checksum': 'sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=',
    'x-upsert': 'true',
    'x-signature': 'x',
  }
  const failed: string[] = []
  const send = async (method: string, path: string, headers: Record<string, string>) => {
    const sendable = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, encodeURI(value)]))
    const body = method === 'HEAD' || method === 'GET' ? null : 'abc'
    const answer = await app.call(path, { method, headers: sendable, body })
    await answer.arrayBuffer()
    if (answer.status >= 500) failed.push(`${answer.status} ${method} ${path} ${JSON.stringify(headers).slice(0, 300)}`)
    return answer.headers.get('location')?.split('/storage/v1')[1]
  }
  const begun = (await send('POST', '/upload/resumable/', { ...good, 'upload-length': '9' })) ?? ''
  for (const name of Object.keys(good))
    for (const value of oddValues) {
      await send('POST', '/upload/resumable/', { ...good, [name]: value })
      await send('POST', '/upload/resumable/sign/', { ...good, [name]: value })
      for (const method of ['PATCH', 'HEAD']) await send(method, begun, { ...good, [name]: value })
    }
  for (const id of [
    ...oddValues,
    btoa('b/o'),
    btoa('b/o/x'),
    btoa('/00000000-0000-4000-8000-000000000000'),
    'A'.repeat(1900),
  ])
    for (const method of ['PATCH', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'GET'])
      await send(method, `/upload/resumable/${encodeURIComponent(id)}`, good)
  for (const text of ['b', 'o', '../../x', '\0', '😀', 'x'.repeat(2000)])
    for (const field of ['bucketName', 'objectName', 'contentType', 'cacheControl', 'metadata'])
      await send('POST', '/upload/resumable/', {
        ...good,
        'upload-metadata': `${good['upload-metadata']},${field} ${Buffer.from(text).toString('base64')}`,
      })
  expect(failed).toEqual([])
}, 120_000)

test('no odd signed request of the S3 protocol is a 500', async ({ db }) => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
  await app.client().from('b').upload('a', 'x')
  const odd: { query: Record<string, string>; headers: Record<string, string>; path: string | null } = {
    query: {},
    headers: {},
    path: null,
  }
  const s3 = new aws.S3Client({
    region: 'local',
    endpoint: `${app.url}/storage/v1/s3`,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: localS3AccessKey,
  })
  // Before the request is signed: what is odd is signed as well.
  s3.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { query: object; headers: object; path: string }
      Object.assign(request.query, odd.query)
      Object.assign(request.headers, odd.headers)
      if (odd.path !== null) request.path = odd.path
      return next(args)
    },
    { step: 'build', priority: 'low' },
  )
  const failed: string[] = []
  const name = { Bucket: 'b', Key: 'a' }
  const upload = await s3.send(new aws.CreateMultipartUploadCommand({ Bucket: 'b', Key: 'm' }))
  const part = { Bucket: 'b', Key: 'm', UploadId: upload.UploadId }
  const calls: readonly (() => Promise<unknown>)[] = [
    () => s3.send(new aws.GetObjectCommand(name)),
    () => s3.send(new aws.HeadObjectCommand(name)),
    () => s3.send(new aws.PutObjectCommand({ ...name, Body: 'text' })),
    () => s3.send(new aws.CopyObjectCommand({ Bucket: 'b', Key: 'c', CopySource: 'b/a' })),
    () => s3.send(new aws.ListObjectsV2Command({ Bucket: 'b' })),
    () => s3.send(new aws.ListObjectsCommand({ Bucket: 'b', Delimiter: '/' })),
    () => s3.send(new aws.ListMultipartUploadsCommand({ Bucket: 'b', Delimiter: '/' })),
    () => s3.send(new aws.ListPartsCommand(part)),
    () => s3.send(new aws.UploadPartCommand({ ...part, PartNumber: 1, Body: 'text' })),
    () => s3.send(new aws.UploadPartCopyCommand({ ...part, PartNumber: 2, CopySource: 'b/a' })),
    () => s3.send(new aws.DeleteObjectsCommand({ Bucket: 'b', Delete: { Objects: [{ Key: 'nothing' }] } })),
    () => s3.send(new aws.ListBucketsCommand({})),
  ]
  const run = async (change: Partial<typeof odd>): Promise<void> => {
    Object.assign(odd, { query: {}, headers: {}, path: null }, change)
    const answers = await Promise.allSettled(calls.map((call) => call()))
    for (const [index, answer] of answers.entries()) {
      const { $metadata } = (answer.status === 'rejected' ? answer.reason : {}) as {
        $metadata?: { httpStatusCode?: number }
      }
      if (($metadata?.httpStatusCode ?? 0) >= 500) failed.push(`${index} ${JSON.stringify(change).slice(0, 200)}`)
    }
  }
  const queries = [
    'max-keys',
    'prefix',
    'delimiter',
    'marker',
    'continuation-token',
    'partNumber',
    'uploadId',
    'encoding-type',
  ]
  const headers = [
    'range',
    'x-amz-copy-source',
    'x-amz-copy-source-range',
    'x-amz-metadata-directive',
    'if-none-match',
    'content-md5',
    'x-amz-checksum-crc32',
  ]
  const few = ['', '99999999999999999999', 'a b%']
  for (const value of few) {
    for (const query of queries) await run({ query: { [query]: value } })
    for (const header of headers) await run({ headers: { [header]: value } })
  }
  for (const path of ['//', '/b/%F0%9F%98%80', '/%00/%00', '/b/%2e%2e/x', '/b/..%2f..%2fx'])
    await run({ path: `/storage/v1/s3${path}` })
  expect(failed).toEqual([])
}, 120_000)

test('no odd address, body or header is a 500', async ({ db }) => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', true)`)
  await app.client().from('b').upload('a', 'x')
  const seen = new Map<string, number>()
  const send = async (method: string, path: string, body: string | null, headers: Record<string, string>) => {
    const answer = await app.call(path, { method, headers, body: method === 'GET' || method === 'HEAD' ? null : body })
    await answer.arrayBuffer()
    if (answer.status >= 500) seen.set(`${method} ${path} ${String(body).slice(0, 80)}`, answer.status)
  }
  const paths = [
    '/bucket',
    '/object/list/b',
    '/object/list-v2/b',
    '/object/sign/b',
    '/object/sign/b/a',
    '/object/move',
    '/object/copy',
    '/object/b',
    '/upload/resumable/',
  ]
  for (const path of paths)
    for (const body of bodies) {
      await send('POST', path, body, { 'content-type': 'application/json', 'x-metadata': '%%%' })
      if (path === '/object/b') await send('DELETE', path, body, { 'content-type': 'application/json' })
    }
  for (const text of texts)
    for (const path of [
      `/object/b/${text}`,
      `/object/${text}/a`,
      `/object/public/b/${text}`,
      `/object/info/b/${text}`,
      `/bucket/${text}`,
      `/object/sign/b/a?token=${text}`,
      `/upload/resumable/${text}`,
    ])
      for (const method of ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'])
        await send(method, path, 'x', {
          'content-type': 'text/plain',
          range: `bytes=${text.replaceAll(/[^\x20-\x7e]/g, '')}-`,
          'tus-resumable': '1.0.0',
        })
  expect([...seen]).toEqual([])
}, 120_000)
