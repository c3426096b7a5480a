import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import * as aws from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect } from 'vitest'
import { test as base } from '../../../../../test/harness.ts'
import { filesIn, openS3, type S3App } from '../../../../../test/s3-app.ts'

const kib = 1024
const test = base.extend('app', ({ db }) =>
  openS3(db, { settings: { fileSizeLimitBytes: 512 * kib }, requestTimeoutMs: 400 }),
)

/** Where a body goes, and with what head. */
interface Route {
  readonly method: string
  /** Below the server’s address, or a whole address. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const tus = { 'tus-resumable': '1.0.0' }
const chunk = { ...tus, 'content-type': 'application/offset+octet-stream' }
const encoded = (text: string) => Buffer.from(text).toString('base64')
const bearer = (app: S3App) => ({ authorization: `Bearer ${app.token('service_role')}` })
const resumable = (app: S3App, length: number) => ({
  ...bearer(app),
  ...tus,
  'upload-length': String(length),
  'upload-metadata': `bucketName ${encoded('b')},objectName ${encoded('a')}`,
})
const place = { Bucket: 'b', Key: 'a' }

/** The routes that take bytes; each is prepared for a body of a length. */
const routes: Readonly<Record<string, (app: S3App, length: number) => Promise<Route>>> = {
  form: async (app) => ({
    method: 'POST',
    url: '/storage/v1/object/b/a',
    headers: { ...bearer(app), 'content-type': 'multipart/form-data; boundary=x' },
  }),
  POST: async (app) => ({
    method: 'POST',
    url: '/storage/v1/object/b/a',
    headers: { ...bearer(app), 'content-type': 'a/b' },
  }),
  PUT: async (app) => ({
    method: 'PUT',
    url: '/storage/v1/object/b/a',
    headers: { ...bearer(app), 'content-type': 'a/b' },
  }),
  signed: async (app) => ({
    method: 'PUT',
    url: `/storage/v1/object/upload/sign/b/a?token=${(await app.client().from('b').createSignedUploadUrl('a')).data?.token}`,
    headers: { 'content-type': 'a/b' },
  }),
  'TUS POST': async (app, length) => ({
    method: 'POST',
    url: '/storage/v1/upload/resumable',
    headers: { ...resumable(app, length), 'content-type': chunk['content-type'] },
  }),
  'TUS PATCH': async (app, length) => {
    const begun = await app.call('/upload/resumable', { method: 'POST', headers: resumable(app, length) })
    return {
      method: 'PATCH',
      url: begun.headers.get('location') ?? '',
      headers: { ...bearer(app), ...chunk, 'upload-offset': '0' },
    }
  },
  PutObject: async ({ s3 }) => ({
    method: 'PUT',
    url: await getSignedUrl(s3, new aws.PutObjectCommand(place)),
    headers: {},
  }),
  UploadPart: async ({ s3 }) => {
    const { UploadId } = await s3.send(new aws.CreateMultipartUploadCommand(place))
    const part = new aws.UploadPartCommand({ ...place, UploadId, PartNumber: 1 })
    return { method: 'PUT', url: await getSignedUrl(s3, part), headers: {} }
  },
}

const wrapped = (name: string, bytes: Buffer): Buffer =>
  name === 'form'
    ? Buffer.concat([
        Buffer.from('--x\r\ncontent-disposition: form-data; name=""; filename="f"\r\ncontent-type: a/b\r\n\r\n'),
        bytes,
        Buffer.from('\r\n--x--\r\n'),
      ])
    : bytes

interface Sent {
  /** What is sent of the body; more may follow. */
  readonly bytes: Buffer
  readonly declaredBytes: number
  readonly headers?: Readonly<Record<string, string>>
  /** What happens when the bytes are sent. */
  readonly next?: 'answered' | 'ended' | 'crawling'
}

/** Sends a request by hand. @returns the statuses of all that was answered until the connection ended */
async function send(
  app: S3App,
  route: Route,
  { bytes, declaredBytes, headers, next = 'answered' }: Sent,
): Promise<number[]> {
  const url = new URL(route.url, app.url)
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (text: string) => {
    answer += text
  })
  socket.on('error', () => undefined)
  const lines = Object.entries({
    host: url.host,
    connection: 'close',
    ...route.headers,
    ...headers,
    'content-length': String(declaredBytes),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${route.method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`)
  socket.write(bytes)
  if (next === 'ended') socket.end()
  const timer = next === 'crawling' ? setInterval(() => socket.write('x'), 50) : undefined
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(timer)
  return [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)]
    .map(([, status]) => Number(status))
    .filter((status) => status !== 100)
}

/** The objects that are stored, by their sizes, and the files that nothing names. */
async function stored(app: S3App) {
  const objects = await app.sql<{ size: number }>(`select (metadata->>'size')::int as size from storage.objects`)
  const [named] = (
    await app.db.admin.query<{ count: number }>({
      text: `select ((select count(*) from storage.objects) + (select count(*) from clew_storage.resumable_uploads)
        + (select count(*) from storage.s3_multipart_uploads_parts))::int as count`,
      values: [],
    })
  ).rows
  return { sizes: objects.map(({ size }) => size), files: (await filesIn(app)) - (named?.count ?? 0) }
}

const content = Buffer.from('0123456789'.repeat(400))
const half = 2000
const gzip = { headers: { 'content-encoding': 'gzip' } }

/** What a body is, how it is sent, what is answered, and the size of the object then. Bodies are stored as they come. */
interface Case {
  readonly title: string
  /** Of the object. */
  readonly bytes: Buffer
  /** What differs when it is sent; `body` is the whole one of the request. */
  readonly sent?: (body: Buffer) => Partial<Sent>
  readonly status: 'done' | 'too large' | number
  readonly isStored: boolean
}

const cases: readonly Case[] = [
  { title: 'one that is whole', bytes: content, status: 'done', isStored: true },
  { title: 'gzip', bytes: gzipSync(content), sent: () => gzip, status: 'done', isStored: true },
  {
    title: 'gzip of far more than the limit',
    bytes: gzipSync(Buffer.alloc(4 * 1024 * kib)),
    sent: () => gzip,
    status: 'done',
    isStored: true,
  },
  { title: 'gzip that is none', bytes: content, sent: () => gzip, status: 'done', isStored: true },
  {
    title: 'one that is shorter than it says',
    bytes: content,
    sent: (body) => ({ declaredBytes: body.length + 5, next: 'ended' }),
    status: 400,
    isStored: false,
  },
  { title: 'one over the limit', bytes: Buffer.alloc(600 * kib), status: 'too large', isStored: false },
  {
    title: 'half of one, and silence',
    bytes: content,
    sent: (body) => ({ bytes: body.subarray(0, half) }),
    status: 408,
    isStored: false,
  },
  {
    title: 'half of one, and then a byte at a time',
    bytes: content,
    sent: (body) => ({ bytes: body.subarray(0, half), next: 'crawling' }),
    status: 408,
    isStored: false,
  },
]

/** Where they are not 200 and 400; an upload that is too large has no address to be sent to. */
const done: Readonly<Record<string, number>> = { 'TUS POST': 201, 'TUS PATCH': 204 }
const tooLarge: Readonly<Record<string, number>> = {
  'TUS POST': 413,
  'TUS PATCH': 404,
  PutObject: 413,
  UploadPart: 413,
}

describe.each(Object.entries(routes))('%s takes', (name, prepare) => {
  const expected = (status: Case['status']): number =>
    status === 'done' ? (done[name] ?? 200) : status === 'too large' ? (tooLarge[name] ?? 400) : status

  test.for(cases)('$title', async ({ bytes, sent, status, isStored }, { app }) => {
    const body = wrapped(name, bytes)
    const route = await prepare(app, bytes.length)
    const answers = await send(app, route, { bytes: body, declaredBytes: body.length, ...sent?.(body) })
    expect(answers).toEqual([expected(status)])
    // A part is no object yet.
    const sizes = isStored && name !== 'UploadPart' ? [bytes.length] : []
    await expect.poll(() => stored(app)).toEqual({ sizes, files: 0 })
  })

  test('one that is longer than it says, whose end is no request', async ({ app }) => {
    const body = wrapped(name, content)
    const route = await prepare(app, content.length - 5)
    const answers = await send(app, route, { bytes: body, declaredBytes: body.length - 5 })
    expect(answers).toEqual([400])
    // What was declared is whole, and may be stored though nobody hears of it; nothing else is left.
    await expect.poll(async () => (await stored(app)).files).toBe(0)
    const { sizes } = await stored(app)
    expect([[], [content.length - 5]]).toContainEqual(sizes)
  })
})
