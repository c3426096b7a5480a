import { createHash, randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'
import { openStorage, type StorageApp } from '../../../../test/storage-app.ts'

const test = base.extend('app', async ({ db }): Promise<StorageApp & { readonly db: TestDatabase }> => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', false), ('open', 'open', true)`)
  return { ...app, db }
})

const bytes = randomBytes(300_000)
const md5 = (body: Buffer | string) => createHash('md5').update(body).digest('hex')

describe('uploads and downloads through the official client (storage §5, storage §6)', () => {
  test.for([
    ['a Blob', () => new Blob([bytes], { type: 'image/png' }), 'image/png'],
    ['bytes', () => bytes, 'text/plain;charset=UTF-8'],
    ['a stream', () => new Blob([bytes]).stream(), 'text/plain;charset=UTF-8'],
  ] as const)('%s', async ([, body, mimetype], { app }) => {
    const client = app.client().from('b')
    const { data, error } = await client.upload('folder/a.bin', body(), {
      metadata: { from: 'a test', nested: { x: 1 } },
    })
    expect(error).toBeNull()
    expect(data).toEqual({ id: expect.any(String), path: 'folder/a.bin', fullPath: 'b/folder/a.bin' })
    const downloaded = await client.download('folder/a.bin')
    expect(Buffer.from((await downloaded.data?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(bytes)
    expect(await app.sql('select metadata, user_metadata, owner, owner_id from storage.objects')).toEqual([
      {
        metadata: {
          eTag: `"${md5(bytes)}"`,
          size: bytes.length,
          mimetype,
          cacheControl: 'max-age=3600',
          lastModified: expect.stringMatching(/Z$/),
          contentLength: bytes.length,
          httpStatusCode: 200,
        },
        user_metadata: { from: 'a test', nested: { x: 1 } },
        owner: null,
        owner_id: null,
      },
    ])
    expect((await client.info('folder/a.bin')).data).toMatchObject({
      name: 'folder/a.bin',
      bucketId: 'b',
      size: bytes.length,
      contentType: mimetype,
      cacheControl: 'max-age=3600',
      etag: `"${md5(bytes)}"`,
      metadata: { from: 'a test', nested: { x: 1 } },
    })
  })

  test('an empty file, and a marker of an empty folder', async ({ app }) => {
    const client = app.client().from('b')
    for (const name of ['empty', 'f/.emptyFolderPlaceholder']) {
      expect((await client.upload(name, new Blob([]))).error).toBeNull()
      expect((await client.download(name)).data?.size).toBe(0)
    }
    expect((await client.upload('g/.emptyFolderPlaceholder', new Blob(['x']))).error).toMatchObject({
      statusCode: '413',
    })
  })

  test('a second upload is refused without upsert, and replaces with it', async ({ app }) => {
    const client = app.client().from('b')
    await client.upload('a', 'one')
    expect((await client.upload('a', 'two')).error).toMatchObject({
      status: 400,
      statusCode: '409',
      message: 'The resource already exists',
    })
    expect(await (await client.download('a')).data?.text()).toBe('one')
    expect((await client.upload('a', 'three', { upsert: true })).error).toBeNull()
    expect((await client.update('a', 'four')).error).toBeNull()
    expect(await (await client.download('a')).data?.text()).toBe('four')
    // The replaced files wait for those who are reading them.
    expect(await app.db.admin.query({ text: 'select from clew_storage.removals', values: [] })).toMatchObject({
      rowCount: 2,
    })
  })

  test('remove, move, copy, exists', async ({ app }) => {
    const client = app.client().from('b')
    await client.upload('a', 'text', { metadata: { x: 1 } })
    expect((await client.copy('a', 'c')).data).toEqual({ path: 'b/c' })
    const taken = { bucketId: 'b', sourceKey: 'a', destinationKey: 'c' }
    const refused = await app.call('/object/copy', {
      method: 'POST',
      body: JSON.stringify(taken),
      headers: { 'content-type': 'application/json' },
    })
    expect(await refused.json()).toMatchObject({ statusCode: '409', error: 'Duplicate', code: 'ResourceAlreadyExists' })
    expect((await client.copy('a', 'in/other', { destinationBucket: 'open' })).error).toBeNull()
    expect((await client.move('c', 'd')).data).toMatchObject({ message: 'Successfully moved' })
    expect((await client.move('a', 'd')).error).toMatchObject({ statusCode: '409' })
    expect((await client.move('absent', 'e')).error).toMatchObject({ statusCode: '404' })
    expect((await client.move('d', 'd')).error).toBeNull()
    expect((await client.exists('d')).data).toBe(true)
    expect((await client.exists('c')).data).toBe(false)
    expect((await app.client().from('open').info('in/other')).data).toMatchObject({ metadata: { x: 1 }, size: 4 })
    expect((await client.remove(['a', 'd', 'absent'])).data?.map(({ name }) => name).sort()).toEqual(['a', 'd'])
    expect((await client.download('d')).error).not.toBeNull()
    const other = await app.call('/object/open/in/other', { method: 'DELETE' })
    expect(await other.json()).toEqual({ message: 'Successfully deleted' })
  })

  test('list, by folders and pages', async ({ app }) => {
    const client = app.client().from('b')
    for (const name of ['a.txt', 'f/1', 'f/2', 'f/g/3', 'z.txt']) await client.upload(name, name)
    expect((await client.list('')).data).toMatchObject([
      { name: 'a.txt', id: expect.any(String), metadata: { size: 5 } },
      { name: 'f', id: null, metadata: null, updated_at: null, created_at: null, last_accessed_at: null },
      { name: 'z.txt' },
    ])
    expect((await client.list('f', { limit: 2, sortBy: { column: 'name', order: 'desc' } })).data).toMatchObject([
      { name: 'g' },
      { name: '2' },
    ])
    expect((await client.list('f', { search: '1' })).data).toMatchObject([{ name: '1' }])
    const names: string[] = []
    let cursor: string | undefined
    do {
      const { data } = await client.listV2({
        with_delimiter: true,
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      })
      names.push(...[...(data?.folders ?? []), ...(data?.objects ?? [])].map(({ name }) => name))
      cursor = data?.nextCursor
    } while (cursor !== undefined)
    expect(names).toEqual(['a.txt', 'f/', 'z.txt'])
    const timed = await client.listV2({ limit: 3, sortBy: { column: 'created_at', order: 'desc' } })
    expect(timed.data?.objects.map(({ name }) => name)).toEqual(['z.txt', 'f/g/3', 'f/2'])
    const next = await client.listV2({ limit: 3, cursor: timed.data?.nextCursor ?? '' })
    expect(next.data).toMatchObject({ hasNext: false, objects: [{ name: 'f/1' }, { name: 'a.txt' }] })
    expect((await app.client().from('absent').list()).data).toEqual([])
  })

  test('signed URLs of downloads and uploads', async ({ app }) => {
    const client = app.client().from('b')
    await client.upload('a b.txt', 'text')
    const signed = await client.createSignedUrl('a b.txt', 60, { download: 'x.txt' })
    const answer = await fetch(signed.data?.signedUrl ?? '')
    expect([answer.status, await answer.text(), answer.headers.get('cache-control')]).toEqual([200, 'text', null])
    expect(answer.headers.get('expires')).toMatch(/GMT$/)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=x.txt; filename*=UTF-8''x.txt`)
    const many = await client.createSignedUrls(['absent', 'a b.txt'], 60)
    expect(many.data).toMatchObject([
      { path: 'absent', signedUrl: null, error: expect.stringContaining('does not exist') },
      { path: 'a b.txt', error: null },
    ])
    const upload = await client.createSignedUploadUrl('new.txt')
    const uploaded = await client.uploadToSignedUrl('new.txt', upload.data?.token ?? '', 'new')
    expect(uploaded.data).toEqual({ path: 'new.txt', fullPath: 'b/new.txt' })
    expect((await client.uploadToSignedUrl('new.txt', upload.data?.token ?? '', 'again')).error).toMatchObject({
      statusCode: '409',
    })
    expect((await client.uploadToSignedUrl('other.txt', upload.data?.token ?? '', 'x')).error).toMatchObject({
      statusCode: '400',
      message: 'Invalid signature',
    })
    const wrong = await fetch(`${app.url}/storage/v1/object/sign/b/new.txt?token=${upload.data?.token}`)
    expect(await wrong.json()).toMatchObject({ code: 'InvalidSignature', message: 'Token is not scoped for download' })
    const tampered = await fetch(`${signed.data?.signedUrl.replace('a%20b', 'a%20c')}`)
    expect([tampered.status, await tampered.json()]).toMatchObject([400, { code: 'InvalidSignature' }])
  })
})

describe('reads (storage §6)', () => {
  test('a public bucket needs no token; a private one no public route', async ({ app }) => {
    await app.client().from('open').upload('a', 'text', { cacheControl: '7' })
    await app.client().from('b').upload('a', 'text')
    const statuses = await Promise.all(
      [
        '/object/public/open/a',
        '/object/open/a',
        '/object/info/public/open/a',
        '/object/public/b/a',
        '/object/b/a',
      ].map(async (path) => (await app.call(path, { as: null })).status),
    )
    expect(statuses).toEqual([200, 200, 200, 400, 400])
    const hidden = await app.call('/object/public/b/a')
    expect(await hidden.json()).toMatchObject({ code: 'NoSuchBucket', statusCode: '404' })
    const answer = await app.call('/object/public/open/a', { as: null })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'max-age=7',
      'content-length': '4',
      'content-type': 'text/plain;charset=UTF-8',
      etag: `"${md5('text')}"`,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'none',
    })
  })

  test.for([
    ['bytes=0-1', 206, 'te', 'bytes 0-1/4'],
    ['bytes=2-', 206, 'xt', 'bytes 2-3/4'],
    ['bytes=-1', 206, 't', 'bytes 3-3/4'],
    ['bytes=-9', 206, 'text', 'bytes 0-3/4'],
    ['bytes=1-999', 206, 'ext', 'bytes 1-3/4'],
    ['lines=1-2', 200, 'text', null],
    ['bytes=4-', 416, null, null],
    ['bytes=3-1', 416, null, null],
    ['bytes=-0', 416, null, null],
    ['bytes=-', 416, null, null],
    ['bytes=0-0,2-3', 416, null, null],
  ] as const)('a range %s', async ([range, status, body, contentRange], { app }) => {
    await app.client().from('open').upload('a', 'text')
    const answer = await app.call('/object/public/open/a', { headers: { range } })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange])
    if (body === null) expect(await answer.json()).toMatchObject({ statusCode: '416', code: 'InvalidRange' })
    else expect(await answer.text()).toBe(body)
  })

  test('conditions', async ({ app }) => {
    await app.client().from('open').upload('a', 'text')
    const ask = async (headers: Record<string, string>) => {
      const answer = await app.call('/object/public/open/a', { headers })
      return [answer.status, answer.headers.get('cache-control')]
    }
    const etag = `"${md5('text')}"`
    expect(await ask({ 'if-none-match': etag })).toEqual([304, 'max-age=3600'])
    expect(await ask({ 'if-none-match': `"x", W/${etag}` })).toEqual([304, expect.any(String)])
    expect(await ask({ 'if-none-match': '"x"' })).toEqual([200, 'max-age=3600, stale-while-revalidate=30'])
    expect(await ask({ 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() })).toEqual([
      304,
      'max-age=3600',
    ])
    expect(await ask({ 'if-modified-since': new Date(0).toUTCString() })).toEqual([200, 'max-age=3600'])
    expect(await ask({ range: 'bytes=0-1', 'if-range': '"x"' })).toEqual([200, 'max-age=3600'])
    expect(await ask({ range: 'bytes=0-1', 'if-range': etag })).toEqual([206, 'max-age=3600'])
    const head = await app.call('/object/open/a', { method: 'HEAD', as: null })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '4', ''])
    expect((await app.call('/object/open/absent', { method: 'HEAD', as: null })).status).toBe(400)
  })

  test.for([
    ['text/html; charset=utf-8', 'text/plain', null],
    ['image/svg+xml', 'image/svg+xml', expect.stringContaining('sandbox')],
    ['application/xhtml+xml', 'application/xhtml+xml', expect.stringContaining('sandbox')],
    ['image/png', 'image/png', null],
  ] as const)('%s is served so that no browser runs it', async ([type, served, policy], { app }) => {
    await app.client().from('open').upload('a', '<script>', { contentType: type })
    const answer = await app.call('/object/public/open/a')
    expect(answer.headers.get('content-type')).toBe(served)
    expect(answer.headers.get('content-security-policy')).toEqual(policy)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('a row without a file, or with a version that is no file’s name, is not found', async ({ app }) => {
    await app.db.load(`
      insert into storage.objects (bucket_id, name, version, metadata) values
        ('open', 'a', null, null), ('open', 'b', '../../../etc/passwd', '{"mimetype": "a\\nb", "size": "x"}'),
        ('open', 'c', gen_random_uuid()::text, '[1]')`)
    for (const name of ['a', 'b', 'c']) {
      const answer = await app.call(`/object/public/open/${name}`)
      expect([answer.status, answer.headers.get('cache-control'), await answer.json()]).toEqual([
        400,
        'no-store',
        { statusCode: '404', error: 'Not found', message: 'The resource was not found', code: 'NoSuchKey' },
      ])
      expect((await app.call(`/object/info/public/open/${name}`)).status).toBe(200)
    }
  })
})
