import Fastify from 'fastify'
import sharp from 'sharp'
import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { requestContext } from '../../../../test/request-context.ts'
import { openStorage } from '../../../../test/storage-app.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import type { StorageDeps } from '../storage.ts'
import { storageConsole } from './storage-console.ts'

/** The console's part of a storage, for an operator with this role, with a public bucket `photos`. */
async function open(
  db: TestDatabase,
  role: 'owner' | 'developer' | 'analyst' | 'viewer' = 'owner',
  settings: Partial<StorageDeps['settings']> = {},
) {
  const app = await openStorage(db, { settings })
  const { actions, log } = recordedActions(role)
  const server = Fastify()
  server.decorateRequest('operator', null)
  server.decorateRequest('requestContext', null)
  server.addHook('onRequest', async (request) => request.setDecorator('requestContext', requestContext()))
  server.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError
      ? reply.code(error.status).send({ code: error.code, message: error.message })
      : reply.send(error),
  )
  const { storage } = app
  const { owner, admin: sql } = db
  await server.register(
    storageConsole({
      storage,
      sql,
      owner,
      actions,
      apiUrl: app.url,
      fileSizeLimit: 1000,
      newId: () => uuidv7(),
      now: () => new Date(),
    }),
  )
  onTestFinished(() => server.close())
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
    const json = payload && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) }
    const response = await fetch(`${origin}${path}`, { method, ...json })
    const body = await response.text()
    return { status: response.status, body: body === '' ? null : JSON.parse(body) }
  }
  const at = (path: string, query: Record<string, string> = {}) =>
    `/storage/buckets/photos/${path}?${new URLSearchParams(query)}`
  /** Creates an upload, with its bytes where they are given. */
  const upload = (
    key: string,
    body: string | null,
    { contentType = 'text/plain', upsert = false, length = body?.length ?? 0 } = {},
  ) => {
    const fields = { bucketName: 'photos', objectName: key, contentType }
    const metadata = Object.entries(fields).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    return fetch(`${origin}/storage/uploads/`, {
      method: 'POST',
      headers: {
        ...tus,
        'upload-length': String(length),
        'upload-metadata': metadata.join(','),
        'x-upsert': String(upsert),
        ...(body === null ? {} : { 'content-type': 'application/offset+octet-stream' }),
      },
      body,
    })
  }
  return {
    ...{ app, log, call, at, origin },
    get: (key: string, { query = {}, ...init }: RequestInit & { query?: Record<string, string> } = {}) =>
      fetch(`${origin}${at('content', { key, ...query })}`, init),
    upload,
    put: async (key: string, body: string, contentType = 'text/plain', upsert = false) => {
      const response = await upload(key, body, { contentType, upsert })
      return response.status === 201 ? 'stored' : response.text()
    },
    keys: async (prefix = '', query: Record<string, string> = {}) => {
      const { body } = await call('GET', at('entries', { prefix, ...query }))
      return body.entries.map(({ key }: { key: string }) => key)
    },
  }
}

const tus = { 'tus-resumable': '1.0.0' }
const photos = { name: 'photos', public: true, fileSizeLimit: null, allowedMimeTypes: [] }

test('buckets are created, listed with what they hold, changed and deleted', async ({ db }) => {
  const { call, put, log } = await open(db)
  expect((await call('POST', '/storage/buckets', photos)).status).toBe(204)
  expect((await call('POST', '/storage/buckets', photos)).body.code).toBe('BucketAlreadyExists')
  expect((await call('POST', '/storage/buckets', { ...photos, name: 'a/b' })).body.code).toBe('InvalidBucketName')
  await put('a.txt', '12345')
  expect((await call('GET', '/storage/buckets')).body).toMatchObject({
    fileSizeLimit: 1000,
    buckets: [{ id: 'photos', public: true, fileSizeLimit: null, allowedMimeTypes: [], objects: 1, sizeBytes: 5 }],
  })
  const settings = { public: false, fileSizeLimit: 3, allowedMimeTypes: ['image/*'] }
  expect((await call('PATCH', '/storage/buckets/photos', settings)).status).toBe(204)
  expect((await call('GET', '/storage/buckets')).body.buckets).toMatchObject([settings])
  expect(await put('b.txt', '1')).toMatch(/mime type text\/plain is not supported/)
  expect(await put('b.png', '1234', 'image/png')).toMatch(/^Maximum size exceeded/)
  expect((await call('DELETE', '/storage/buckets/photos')).body.code).toBe('ResourceNotEmpty')
  expect((await call('POST', '/storage/buckets/photos/empty')).body).toEqual({ removed: 1, more: false })
  expect((await call('DELETE', '/storage/buckets/photos')).status).toBe(204)
  expect((await call('GET', '/storage/buckets')).body.buckets).toEqual([])
  expect(new Set(log.map(({ name }) => name))).toEqual(
    new Set(['bucket.create', 'object.upload', 'bucket.change', 'bucket.delete', 'bucket.empty']),
  )
})

test('a folder is listed page by page, sorted, and narrowed by how names begin', async ({ db }) => {
  const { call, at, put, keys } = await open(db)
  await call('POST', '/storage/buckets', photos)
  for (const key of ['a.txt', 'b/1.txt', 'b/2.txt', 'c.txt', 'd/.emptyFolderPlaceholder']) await put(key, '')
  expect(await keys()).toEqual(['a.txt', 'b/', 'c.txt', 'd/'])
  expect(await keys('', { order: 'desc' })).toEqual(['d/', 'c.txt', 'b/', 'a.txt'])
  expect(await keys('b/')).toEqual(['b/1.txt', 'b/2.txt'])
  expect(await keys('b/2')).toEqual(['b/2.txt'])
  expect(await keys('d/')).toEqual([])
  expect(await keys('', { sort: 'updated_at' })).toEqual(['b/', 'd/', 'a.txt', 'c.txt'])
  const first = (await call('GET', at('entries', { limit: '3' }))).body
  expect(first.entries.length).toBe(3)
  expect(await keys('', { after: first.next })).toEqual(['d/'])
  expect((await call('GET', at('entries', { after: 'nonsense' }))).body.code).toBe('InvalidParameter')
})

test('an object tells what it is, and its bytes come in ranges', async ({ db }) => {
  const { call, at, put, get, app } = await open(db)
  await call('POST', '/storage/buckets', photos)
  expect(await put('a b/ü.png', '', 'image/png')).toMatch(/Invalid key/)
  await put('a b/1.png', '0123456789', 'image/png')
  const { body } = await call('GET', at('object', { key: 'a b/1.png' }))
  expect(body).toMatchObject({ sizeBytes: 10, mimeType: 'image/png', preview: 'image', hasFile: true, ownerId: null })
  expect(await (await fetch(body.publicUrl)).text()).toBe('0123456789')
  const part = await get('a b/1.png', { headers: { range: 'bytes=2-4' } })
  expect([part.status, await part.text()]).toEqual([206, '234'])
  const signed = (await call('POST', '/storage/buckets/photos/sign', { key: 'a b/1.png', expiresInSeconds: 60 })).body
  expect(signed.url.startsWith(`${app.url}/storage/v1/object/sign/photos/a%20b/1.png?token=`)).toBe(true)
  expect(await (await fetch(signed.url)).text()).toBe('0123456789')
  expect((await call('GET', at('object', { key: 'no' }))).body.code).toBe('NoSuchKey')
})

test('nothing of an uploaded file runs in the console', async ({ db }) => {
  const { app, call, put, get } = await open(db)
  await call('POST', '/storage/buckets', photos)
  await app.sql(`insert into storage.objects (bucket_id, name) values ('photos', 'row only')`)
  expect((await get('row only')).status).toBe(404)
  await put('page.html', '<script>alert(1)</script>', 'text/html')
  await put('page.svg', '<svg/>', 'image/svg+xml')
  await put('page.xht', '<html/>', 'application/xhtml+xml')
  const headersOf = async (key: string, query = {}) => Object.fromEntries((await get(key, { query })).headers)
  const strict = expect.stringMatching(/^default-src 'none'.*sandbox$/)
  const common = { 'x-content-type-options': 'nosniff', 'content-security-policy': strict }
  expect(await headersOf('page.html')).toMatchObject({ ...common, 'content-type': 'text/plain; charset=utf-8' })
  expect(await headersOf('page.svg')).toMatchObject({
    ...common,
    'content-disposition': "inline; filename*=UTF-8''page.svg",
  })
  expect(await headersOf('page.xht')).toMatchObject({ ...common, 'content-type': 'text/plain; charset=utf-8' })
  expect(await headersOf('page.html', { download: 'true' })).toMatchObject({
    ...common,
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''page.html",
  })
})

test('an upload does not replace an object unless it says so', async ({ db }) => {
  const { call, put, get, upload } = await open(db)
  await call('POST', '/storage/buckets', photos)
  await put('a.txt', 'one')
  expect((await upload('a.txt', 'two')).status).toBe(409)
  expect(await put('a.txt', 'two', 'text/plain', true)).toBe('stored')
  expect(await (await get('a.txt')).text()).toBe('two')
})

test('an upload goes on where it was cut; the audit log has it once', async ({ db }) => {
  const { call, get, upload, origin, log } = await open(db)
  await call('POST', '/storage/buckets', photos)
  const created = await upload('a.txt', null, { length: 6 })
  const path = created.headers.get('location') ?? ''
  expect([created.status, path]).toEqual([201, expect.stringMatching(/^\/storage\/uploads\//)])
  const append = async (offset: number, body: string) => {
    const headers = { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
    const { status } = await fetch(`${origin}${path}`, { method: 'PATCH', headers, body })
    return status
  }
  expect(await append(0, 'one')).toBe(204)
  const { headers } = await fetch(`${origin}${path}`, { method: 'HEAD', headers: tus })
  expect(headers.get('upload-offset')).toBe('3')
  expect(await append(0, 'one')).toBe(409)
  expect(await append(3, 'two')).toBe(204)
  expect(await (await get('a.txt')).text()).toBe('onetwo')
  expect(log.filter(({ name }) => name === 'object.upload')).toEqual([
    { name: 'object.upload', target: 'photos/a.txt' },
  ])
})

test('an object and a folder are moved', async ({ db }) => {
  const { call, put, keys } = await open(db)
  await call('POST', '/storage/buckets', photos)
  await call('POST', '/storage/buckets', { ...photos, name: 'other' })
  for (const key of ['a.txt', 'b/1.txt', 'b/c/2.txt']) await put(key, '')
  const move = (body: object) => call('POST', '/storage/buckets/photos/move', body)
  const done = { failed: [], left: 0, next: null }
  expect((await move({ from: 'a.txt', to: 'x/a.txt' })).body).toEqual({ moved: 1, ...done })
  expect((await move({ from: 'b/', to: 'x/b/' })).body).toEqual({ moved: 2, ...done })
  expect(await keys('x/')).toEqual(['x/a.txt', 'x/b/'])
  expect(await keys('x/b/')).toEqual(['x/b/1.txt', 'x/b/c/'])
  expect((await move({ from: 'x/', to: 'x/y/' })).body.code).toBe('InvalidKey')
  expect((await move({ from: 'no/', to: 'yes/' })).body.code).toBe('NoSuchKey')
  expect((await move({ from: 'x/', to: 'x/', toBucket: 'no' })).body.code).toBe('NoSuchBucket')
  expect((await move({ from: 'x/', to: 'x/', toBucket: 'other' })).body).toEqual({ moved: 3, ...done })
  expect(await keys()).toEqual([])
})

test('a large folder is moved in batches; what has its place taken stays, and is named', async ({ db }) => {
  const { app, call, keys } = await open(db)
  await call('POST', '/storage/buckets', photos)
  await app.sql(`insert into storage.objects (bucket_id, name)
    select 'photos', 'a/' || to_char(i, 'FM0000') from generate_series(1, 450) i union all values ('photos', 'b/0002')`)
  const move = (after: string) => call('POST', '/storage/buckets/photos/move', { from: 'a/', to: 'b/', after })
  const first = (await move('')).body
  expect(first).toMatchObject({ moved: 199, failed: [{ key: 'a/0002' }], left: 250, next: 'a/0200' })
  const second = (await move(first.next)).body
  expect(second).toEqual({ moved: 200, failed: [], left: 50, next: 'a/0400' })
  expect((await move(second.next)).body).toEqual({ moved: 50, failed: [], left: 0, next: null })
  expect(await keys('a/')).toEqual(['a/0002'])
})

test('of operators who move, replace and remove one object at once each is told, and its bytes are in one place or none', async ({
  db,
}) => {
  const { app, call, put, get, keys } = await open(db)
  await call('POST', '/storage/buckets', photos)
  for (let round = 0; round < 10; round += 1) {
    await put('a.txt', 'first')
    const [left, right, removed, replaced] = await Promise.all([
      call('POST', '/storage/buckets/photos/move', { from: 'a.txt', to: 'left.txt' }),
      call('POST', '/storage/buckets/photos/move', { from: 'a.txt', to: 'right.txt' }),
      call('POST', '/storage/buckets/photos/remove', { keys: ['a.txt'] }),
      put('a.txt', 'second', 'text/plain', true),
    ])
    const moved = [left, right].filter(({ status, body }) => status === 200 && body.moved === 1)
    expect(replaced).toBe('stored')
    // Two moves, and more than one of move and removal, only where the replacement came between them.
    expect(moved.length + removed.body.removed).toBeLessThanOrEqual(2)
    const found = await keys()
    for (const key of found) expect(await (await get(key)).text()).toMatch(/^(?:first|second)$/)
    expect(found.length).toBeGreaterThanOrEqual(moved.length)
    await call('POST', '/storage/buckets/photos/empty')
  }
  const [rows] = await app.sql<{ count: number }>('select count(*)::int as count from storage.objects')
  expect(rows).toEqual({ count: 0 })
})

test('an object is found by its id, a bucket by its name', async ({ db }) => {
  const { call, at, put } = await open(db)
  await call('POST', '/storage/buckets', photos)
  await put('a b/1.txt', '1')
  const { id } = (await call('GET', at('object', { key: 'a b/1.txt' }))).body
  expect((await call('GET', `/storage/objects/${id}`)).body).toEqual({ bucketId: 'photos', key: 'a b/1.txt' })
  expect((await call('GET', '/storage/objects/00000000-0000-4000-8000-000000000000')).body.code).toBe('NoSuchKey')
  expect((await call('GET', '/storage/bucket-names')).body).toEqual({ names: ['photos'] })
})

test('a removal is undone, once, but where another object has the key by now', async ({ db }) => {
  const { call, at, put, get, keys } = await open(db)
  await call('POST', '/storage/buckets', photos)
  for (const key of ['a.txt', 'b/1.txt', 'b/2.txt']) await put(key, key)
  const { id } = (await call('GET', at('object', { key: 'a.txt' }))).body
  const { body } = await call('POST', '/storage/buckets/photos/remove', { keys: ['a.txt', 'b/', 'no.txt'] })
  expect(body).toMatchObject({ removed: 3, more: false })
  expect(await keys()).toEqual([])
  await put('b/2.txt', 'another')
  expect((await call('POST', '/storage/restore', { undo: body.undo })).body).toEqual({ restored: 2 })
  expect((await call('GET', at('object', { key: 'a.txt' }))).body).toMatchObject({ id, sizeBytes: 5 })
  expect(await (await get('a.txt')).text()).toBe('a.txt')
  expect(await (await get('b/2.txt')).text()).toBe('another')
  expect((await call('POST', '/storage/restore', { undo: body.undo })).body.code).toBe('NoSuchKey')
  // The files that came back are no longer to be removed.
  const { rows } = await db.admin.query<{ files: number }>({
    text: 'select count(*)::int as files from clew_storage.removals r join storage.objects o on o.version = r.file_id::text',
    values: [],
  })
  expect(rows).toEqual([{ files: 0 }])
})

test('policies are made from templates, which work, and dropped', async ({ db }) => {
  const { call, app, put, log } = await open(db)
  const name = "it's"
  await call('POST', '/storage/buckets', { ...photos, public: false })
  await call('POST', '/storage/buckets', { ...photos, name })
  await put('a.txt', 'a')
  const { templates } = (await call('GET', '/storage/policies/templates?bucketId=photos')).body
  for (const { id: templateId } of templates) {
    expect((await call('POST', '/storage/policies', { templateId, bucketId: 'photos' })).status).toBe(204)
    expect((await call('POST', '/storage/policies', { templateId, bucketId: name })).status).toBe(204)
  }
  const again = await call('POST', '/storage/policies', { templateId: 'read-all', bucketId: 'photos' })
  expect(again.body.code).toBe('ResourceAlreadyExists')
  const { policies } = (await call('GET', '/storage/policies')).body
  expect(policies.length).toBe(2 * (templates.length + 2))
  expect(policies).toContainEqual({
    name: 'photos: everyone reads',
    table: 'objects',
    command: 'select',
    roles: ['public'],
    permissive: true,
    using: "(bucket_id = 'photos'::text)",
    check: null,
  })
  const read = async () => (await app.call('/object/authenticated/photos/a.txt', { as: 'anon' })).status
  expect(await read()).toBe(200)
  const drop = await call('DELETE', `/storage/policies/objects/${encodeURIComponent('photos: everyone reads')}`)
  expect(drop.status).toBe(204)
  expect(await read()).toBe(400)
  expect((await call('DELETE', '/storage/policies/objects/nothing')).body.code).toBe('NoSuchKey')
  expect(log.at(-2)).toEqual({ name: 'policy.drop', target: 'photos: everyone reads on storage.objects' })
})

test('analysts see buckets and no object, developers make no policy, viewers see nothing', async ({ db }) => {
  const owner = await open(db)
  await owner.call('POST', '/storage/buckets', photos)
  await owner.put('a.txt', 'a')
  const statuses = async (role: 'developer' | 'analyst' | 'viewer') => {
    const { call, at } = await open(db, role)
    return [
      (await call('GET', '/storage/buckets')).status,
      (await call('GET', at('entries'))).status,
      (await call('GET', at('object', { key: 'a.txt' }))).status,
      (await call('POST', '/storage/buckets', photos)).status,
      (await call('POST', '/storage/policies', { templateId: 'read-all', bucketId: 'photos' })).status,
    ]
  }
  expect(await statuses('developer')).toEqual([200, 200, 200, 409, 403])
  expect(await statuses('analyst')).toEqual([200, 403, 403, 403, 403])
  expect(await statuses('viewer')).toEqual([403, 403, 403, 403, 403])
})

/** Noise, which no format makes small. */
const largeImage = (side: number): Promise<Buffer> =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()

test('the thumbnail of a large image is small, and is not made again for who has it', async ({ db }) => {
  const { app, call, at, origin } = await open(db, 'developer', { imageTransformation: true })
  await call('POST', '/storage/buckets', photos)
  const image = await largeImage(1600)
  await app.client().from('photos').upload('a.png', image, { contentType: 'image/png' })
  const thumbnail = async (size: 'tile' | 'preview', headers = {}) => {
    const response = await fetch(`${origin}${at('thumbnail', { key: 'a.png', size })}`, { headers })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const { response, bytes } = await thumbnail('tile')
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 320, height: 320 })
  expect(image.length).toBeGreaterThan(5_000_000)
  expect(bytes.length).toBeLessThan(100_000)
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(await sharp((await thumbnail('preview')).bytes).metadata()).toMatchObject({ width: 640, height: 640 })
  const again = await thumbnail('tile', { 'if-none-match': response.headers.get('etag') ?? '' })
  expect([again.response.status, again.bytes.length]).toEqual([304, 0])
  expect((await thumbnail('preview', { 'if-none-match': response.headers.get('etag') ?? '' })).response.status).toBe(
    200,
  )
})

test('where images are not changed a small file is its own thumbnail, and a large one has none', async ({ db }) => {
  const { app, call, at, origin, put } = await open(db)
  await call('POST', '/storage/buckets', photos)
  const [small, large] = [await largeImage(60), await largeImage(600)]
  await app.client().from('photos').upload('small.png', small, { contentType: 'image/png' })
  await app.client().from('photos').upload('large.png', large, { contentType: 'image/png' })
  await put('notes.txt', 'no image')
  const thumbnail = (key: string) => fetch(`${origin}${at('thumbnail', { key })}`)
  const own = await thumbnail('small.png')
  expect(own.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await own.arrayBuffer()).equals(small)).toBe(true)
  expect(await (await thumbnail('large.png')).json()).toMatchObject({ code: 'InvalidRequest' })
  expect(await (await thumbnail('notes.txt')).json()).toMatchObject({ code: 'InvalidRequest' })
  expect(await (await thumbnail('none.png')).json()).toMatchObject({ code: 'NoSuchKey' })
})

test('an analyst sees no thumbnail', async ({ db }) => {
  const { origin, at } = await open(db, 'analyst')
  expect((await fetch(`${origin}${at('thumbnail', { key: 'a.png' })}`)).status).toBe(403)
})
