import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Upload } from 'tus-js-client'
import { expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'
import { openStorage, type StorageApp } from '../../../../test/storage-app.ts'

const maria = '11111111-1111-4111-8111-111111111111'
const test = base.extend('app', async ({ db }): Promise<StorageApp & { readonly db: TestDatabase }> => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
  return { ...app, db }
})

const tus = { 'tus-resumable': '1.0.0' }
const chunk = { ...tus, 'content-type': 'application/offset+octet-stream' }
const metadata = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')
const ofObject = (key: string, more: Record<string, string> = {}) =>
  metadata({ bucketName: 'b', objectName: key, ...more })

async function begin(
  app: StorageApp,
  key: string,
  length: number,
  headers: Record<string, string> = {},
  as = 'service_role',
) {
  const answer = await app.call('/upload/resumable/', {
    as,
    method: 'POST',
    headers: { ...tus, 'upload-length': String(length), 'upload-metadata': ofObject(key), ...headers },
  })
  return {
    status: answer.status,
    text: await answer.text(),
    path: (answer.headers.get('location') ?? '').split('/storage/v1')[1] ?? '',
  }
}
const patch = (app: StorageApp, path: string, offset: number, body: string | Buffer) =>
  app.call(path, { method: 'PATCH', body, headers: { ...chunk, 'upload-offset': String(offset) } })

test('tus-js-client uploads in chunks of 6 MiB, with creation and resumption', async ({ app }) => {
  const bytes = randomBytes(13 * 1024 * 1024)
  const options = {
    endpoint: `${app.url}/storage/v1/upload/resumable`,
    chunkSize: 6 * 1024 * 1024,
    headers: { authorization: `Bearer ${app.token('service_role')}`, 'x-upsert': 'true' },
    uploadDataDuringCreation: true,
    metadata: {
      bucketName: 'b',
      objectName: 'big.bin',
      contentType: 'image/png',
      cacheControl: '60',
      metadata: '{"a":1}',
    },
  }
  // Stops after the first chunk, as a closed tab does.
  const address = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(bytes, {
      ...options,
      onError: reject,
      onChunkComplete: () => void upload.abort().then(() => resolve(upload.url ?? '')),
    })
    upload.start()
  })
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(bytes, { ...options, uploadUrl: address, onError: reject, onSuccess: () => resolve() })
    upload.start()
  })
  const downloaded = await app.call('/object/b/big.bin')
  expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true)
  expect(await app.sql('select metadata, user_metadata from storage.objects')).toMatchObject([
    { metadata: { mimetype: 'image/png', cacheControl: 'max-age=60', size: bytes.length }, user_metadata: { a: 1 } },
  ])
})

test('an upload goes on where it ended', async ({ app }) => {
  const { status, path } = await begin(app, 'f/a', 6, {
    'upload-metadata': ofObject('f/a', { contentType: 'text/plain' }),
  })
  expect(status).toBe(201)
  const first = await patch(app, path, 0, 'abc')
  expect([first.status, first.headers.get('upload-offset'), first.headers.get('tus-complete')]).toEqual([
    204,
    '3',
    null,
  ])
  const head = await app.call(path, { method: 'HEAD', headers: tus })
  expect([
    head.status,
    head.headers.get('upload-offset'),
    head.headers.get('upload-length'),
    head.headers.get('cache-control'),
  ]).toEqual([200, '3', '6', 'no-store'])
  const wrong = await patch(app, path, 0, 'x')
  expect(wrong.status).toBe(409)
  const tooLong = await patch(app, path, 3, 'defg')
  expect(tooLong.status).toBe(413)
  const last = await patch(app, path, 3, 'def')
  expect([last.status, last.headers.get('upload-offset'), last.headers.get('tus-complete')]).toEqual([204, '6', '1'])
  expect(await (await app.call('/object/b/f/a')).text()).toBe('abcdef')
  // Who has lost the last answer learns that all of it is stored.
  const done = await app.call(path, { method: 'HEAD', headers: tus })
  expect([done.status, done.headers.get('upload-offset'), done.headers.get('upload-length')]).toEqual([200, '6', '6'])
  // As one who repeats the last part: nothing of it is kept, and nothing changes.
  for (const [offset, body, expected] of [
    [3, 'def', 409],
    [6, 'g', 413],
    [6, '', 204],
  ] as const)
    expect((await patch(app, path, offset, body)).status, `${offset} ${body}`).toBe(expected)
  expect(await (await app.call('/object/b/f/a')).text()).toBe('abcdef')
  const removed = await app.call(path, { method: 'DELETE', headers: tus })
  expect([removed.status, await removed.text()]).toEqual([400, 'Cannot terminate an already completed upload'])
  await app.call('/object/b/f/a', { method: 'DELETE' })
  expect((await app.call(path, { method: 'HEAD', headers: tus })).status).toBe(404)
  expect((await patch(app, path, 6, '')).status).toBe(404)
})

test('an empty upload, one of a length told late, and one that is ended', async ({ app }) => {
  expect((await begin(app, 'empty', 0)).status).toBe(201)
  expect(await (await app.call('/object/b/empty')).text()).toBe('')
  const late = await app.call('/upload/resumable/', {
    method: 'POST',
    headers: { ...tus, 'upload-defer-length': '1', 'upload-metadata': ofObject('late') },
  })
  const path = (late.headers.get('location') ?? '').split('/storage/v1')[1] ?? ''
  await patch(app, path, 0, 'ab')
  const last = await app.call(path, {
    method: 'PATCH',
    body: 'c',
    headers: { ...chunk, 'upload-offset': '2', 'upload-length': '3' },
  })
  expect(last.status).toBe(204)
  expect(await (await app.call('/object/b/late')).text()).toBe('abc')
  const ended = await begin(app, 'ended', 5)
  expect((await app.call(ended.path, { method: 'DELETE', headers: tus })).status).toBe(204)
  expect((await patch(app, ended.path, 0, 'x')).status).toBe(404)
})

test.for([
  ['no version', { 'tus-resumable': '' }, 412],
  ['no metadata', { 'upload-metadata': '' }, 400],
  ['no length', { 'upload-length': 'x' }, 400],
  ['a bad key', { 'upload-metadata': ofObject('a#b') }, 400],
  ['no bucket', { 'upload-metadata': metadata({ bucketName: 'absent', objectName: 'a' }) }, 404],
  ['too long', { 'upload-length': '99999999999' }, 413],
] as const)('%s is %3$d', async ([, headers, status], { app }) => {
  expect((await begin(app, 'a', 1, headers)).status).toBe(status)
})

test('policies decide, once more for each part', async ({ app }) => {
  expect(await begin(app, 'a', 3, {}, maria)).toMatchObject({
    status: 403,
    text: 'new row violates row-level security policy',
  })
  await app.db.load(
    `create policy "upload" on storage.objects for insert to authenticated with check (owner_id = auth.uid()::text)`,
  )
  const { path, status } = await begin(app, 'a', 3, {}, maria)
  expect(status).toBe(201)
  const part = (as: string) =>
    app.call(path, { as, method: 'PATCH', body: 'abc', headers: { ...chunk, 'upload-offset': '0' } })
  await app.db.load(`drop policy "upload" on storage.objects`)
  expect((await part(maria)).status).toBe(403)
  await app.db.load(`create policy "upload" on storage.objects for insert to authenticated with check (true)`)
  expect((await part(maria)).status).toBe(204)
  expect(await app.sql('select owner_id from storage.objects')).toEqual([{ owner_id: maria }])
  expect((await begin(app, 'a', 3, {}, maria)).status).toBe(409)
})

test('a signed token uploads without another', async ({ app }) => {
  const { data } = await app.client().from('b').createSignedUploadUrl('signed')
  const signature = { 'x-signature': data?.token ?? '' }
  const call = (path: string, init: RequestInit) => app.call(path, { as: null, ...init })
  const created = await call('/upload/resumable/sign/', {
    method: 'POST',
    headers: { ...tus, ...signature, 'upload-length': '2', 'upload-metadata': ofObject('signed') },
  })
  const path = (created.headers.get('location') ?? '').split('/storage/v1')[1] ?? ''
  const done = await call(path, {
    method: 'PATCH',
    body: 'ab',
    headers: { ...chunk, ...signature, 'upload-offset': '0' },
  })
  expect([created.status, done.status]).toEqual([201, 204])
  const other = await call('/upload/resumable/sign/', {
    method: 'POST',
    headers: { ...tus, ...signature, 'upload-length': '2', 'upload-metadata': ofObject('other') },
  })
  expect(other.status).toBe(400)
})

test('OPTIONS tells what is served, and uploads that took too long are removed', async ({ app }) => {
  const options = await app.call('/upload/resumable/', { method: 'OPTIONS', as: null })
  expect([options.status, options.headers.get('tus-version'), options.headers.get('tus-extension')]).toEqual([
    204,
    '1.0.0',
    expect.stringContaining('creation-with-upload'),
  ])
  const { path } = await begin(app, 'a', 3)
  await patch(app, path, 0, 'a')
  await app.db.admin.query({ text: `update clew_storage.resumable_uploads set expires_at = now()`, values: [] })
  expect((await patch(app, path, 1, 'b')).status).toBe(404)
  await app.storage.collector.collect()
  const left: string[] = []
  for await (const { id } of app.files.list()) left.push(id)
  expect(left).toEqual([])
})

test('a part that is not what its checksum says leaves nothing (storage §9)', async ({ app }) => {
  const { path } = await begin(app, 'a', 6)
  const send = (offset: number, body: string, checksum: string) =>
    app.call(path, {
      method: 'PATCH',
      body,
      headers: { ...chunk, 'upload-offset': String(offset), 'upload-checksum': checksum },
    })
  const digest = (algorithm: string, text: string) =>
    `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`
  const wrong = await send(0, 'abc', digest('sha1', 'abd'))
  expect([wrong.status, await wrong.text()]).toEqual([460, 'Checksum Mismatch'])
  for (const unknown of ['sha0 xxxx', 'sha1']) expect((await send(0, 'abc', unknown)).status).toBe(400)
  expect((await send(0, 'abc', digest('sha1', 'abc'))).status).toBe(204)
  const head = await app.call(path, { method: 'HEAD', headers: tus })
  expect(head.headers.get('upload-offset')).toBe('3')
  expect((await send(3, 'de', digest('md5', 'de'))).status).toBe(204)
  expect((await send(5, 'fg', digest('sha256', 'fg'))).status).toBe(413)
  expect((await send(5, 'f', digest('sha256', 'f'))).status).toBe(204)
  expect(await (await app.call('/object/b/a')).text()).toBe('abcdef')
  const left: string[] = []
  for await (const { id } of app.files.list()) left.push(id)
  expect(left).toHaveLength(1)
})

test.for([
  [{}, null, 'http://HOST/storage/v1'],
  [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'files.test' }, null, 'https://files.test/storage/v1'],
  [{ 'x-forwarded-host': 'files.test:1', 'x-forwarded-port': '8443' }, null, 'http://files.test:8443/storage/v1'],
  [{ 'x-forwarded-host': 'files.test', 'x-forwarded-port': '443' }, null, 'http://files.test/storage/v1'],
  [{ 'x-forwarded-prefix': '/api/' }, null, 'http://HOST/api/storage/v1'],
  [{ 'x-forwarded-prefix': '/storage/v1' }, null, 'http://HOST/storage/v1'],
  [
    { 'x-forwarded-host': 'a/b', 'x-forwarded-proto': 'ftp', 'x-forwarded-prefix': '//x' },
    null,
    'http://HOST/storage/v1',
  ],
  [{ 'x-forwarded-host': 'files.test' }, 'https://public.test/base/', 'https://public.test/base/storage/v1'],
] as const)(
  'an upload behind a proxy that says %j is where the client asked (storage §9)',
  async ([headers, publicUrl, expected], { db }) => {
    const app = await openStorage(db, { publicUrl: publicUrl === null ? null : new URL(publicUrl) })
    await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
    const answer = await app.call('/upload/resumable/', {
      method: 'POST',
      headers: { ...tus, 'upload-length': '1', 'upload-metadata': ofObject('a'), ...headers },
    })
    const base = `${expected.replace('HOST', new URL(app.url).host)}/upload/resumable/`
    expect(answer.headers.get('location')?.slice(0, base.length)).toBe(base)
  },
)

test('an upload that became an object before its end was noted is that object (storage §12)', async ({ app }) => {
  const { path } = await begin(app, 'a', 3)
  await app.db.admin.query({
    text: 'create table public.noted as select * from clew_storage.resumable_uploads',
    values: [],
  })
  expect((await patch(app, path, 0, 'abc')).status).toBe(204)
  // As a process leaves it that is killed between the two.
  await app.db.admin.query({
    text: 'insert into clew_storage.resumable_uploads select * from public.noted',
    values: [],
  })
  const head = await app.call(path, { method: 'HEAD', headers: tus })
  expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '3'])
  expect(await (await app.call('/object/b/a')).text()).toBe('abc')
  const left = await app.db.admin.query({ text: 'select from clew_storage.resumable_uploads', values: [] })
  expect(left.rowCount).toBe(0)
})

test('a client that comes back ends the request it left behind', async ({ app }) => {
  const { path } = await begin(app, 'a', 10)
  const { port } = new URL(app.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `PATCH /storage/v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${app.token('service_role')}\r\ntus-resumable: 1.0.0\r\nupload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\ncontent-length: 10\r\n\r\nabc`,
  )
  const offset = async () => (await app.call(path, { method: 'HEAD', headers: tus })).headers.get('upload-offset')
  await expect.poll(offset).toBe('3')
  expect((await patch(app, path, 3, 'defghij')).status).toBe(204)
  expect(await (await app.call('/object/b/a')).text()).toBe('abcdefghij')
  socket.destroy()
})

test('another process’s lease is waited for, and taken once it has run out', async ({ app }) => {
  const { path } = await begin(app, 'a', 1)
  const lease = (until: string) =>
    app.db.admin.query({
      text: `update clew_storage.resumable_uploads set holder = gen_random_uuid(), held_until = now() + interval '${until}'`,
      values: [],
    })
  await lease('1 hour')
  expect((await patch(app, path, 0, 'a')).status).toBe(503)
  await lease('-1 second')
  expect((await patch(app, path, 0, 'a')).status).toBe(204)
})

test('a crash between the object’s row and the end of its upload leaves the object, and not the file of it alone', async ({
  app,
}) => {
  const admin = (text: string) => app.db.admin.query({ text, values: [] })
  const left = 'create table public.left_uploads as select * from clew_storage.resumable_uploads'
  const again = 'insert into clew_storage.resumable_uploads select * from public.left_uploads'
  const content = async () => (await (await app.call('/object/b/a')).text()).slice(0, 5)
  const { path } = await begin(app, 'a', 5)
  await admin(left)
  expect((await patch(app, path, 0, 'first')).status).toBe(204)
  await admin(again)
  const head = () => app.call(path, { method: 'HEAD', headers: tus })
  expect((await head()).headers.get('tus-complete')).toBe('1')
  expect(await content()).toBe('first')
  // Another took its place before the client came back.
  await app.client().from('b').update('a', 'newer')
  await admin(again)
  expect((await head()).headers.get('tus-complete')).toBe('1')
  expect(await content()).toBe('newer')
})
