import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { describe, expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'
import { filesOf, openStorage, type StorageApp } from '../../../../test/storage-app.ts'

const test = base.extend('app', async ({ db }): Promise<StorageApp & { readonly db: TestDatabase }> => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', false), ('open', 'open', true)`)
  return { ...app, db }
})

const json = { 'content-type': 'application/json' }

describe('names (storage §4)', () => {
  test.for([
    ['a//b', 200],
    ['folder/', 200],
    ["_/!-.*'() &$@=;:+,?z", 200],
    ['.hidden', 200],
    ['..a/b..', 200],
    ['x'.repeat(1024), 200],
    ['x'.repeat(1025), 400],
    ['a/../b', 400],
    ['./a/..', 400],
    ['a/.', 400],
    ['é', 400],
    ['😀', 400],
    ['a#b', 400],
    ['a%b', 400],
    ['a\\b', 400],
    ['a\0b', 400],
    ['a\nb', 400],
    ['a~b', 400],
    ['a[b]', 400],
  ] as const)('%j is %d', async ([key, status], { app }) => {
    // With its slashes encoded: a client of URLs would resolve the dots.
    const path = encodeURIComponent(key)
    const answer = await app.call(`/object/b/${path}`, { method: 'POST', body: 'x' })
    expect(answer.status).toBe(status)
    if (status === 200) expect(await app.sql('select name from storage.objects')).toEqual([{ name: key }])
    else expect(await answer.json()).toMatchObject({ code: 'InvalidKey', message: `Invalid key: ${key}` })
    expect(await filesOf(app)).toBe(status === 200 ? 1 : 0)
  })

  test('names differ by their case', async ({ app }) => {
    const client = app.client().from('b')
    await client.upload('a', 'one')
    await client.upload('A', 'two')
    expect(await (await client.download('a')).data?.text()).toBe('one')
  })
})

describe('limits (storage §5)', () => {
  const form = (content: string) => {
    const body = new FormData()
    body.append('', new Blob([content], { type: 'text/plain' }))
    return body
  }

  test.for([
    ['a known length', () => ({ body: 'x'.repeat(11) })],
    ['chunks', () => ({ body: new Blob(['x'.repeat(11)]).stream(), duplex: 'half' as const })],
    ['a form', () => ({ body: form('x'.repeat(11)) })],
  ] as const)('%s beyond the bucket’s limit', async ([, init], { app }) => {
    await app.db.load(`update storage.buckets set file_size_limit = 10`)
    const answer = await app.call('/object/b/a', { method: 'POST', ...init() })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        statusCode: '413',
        error: 'Payload too large',
        message: 'The object exceeded the maximum allowed size',
        code: 'EntityTooLarge',
      },
    ])
    expect([await app.sql('select from storage.objects'), await filesOf(app)]).toEqual([[], 0])
    expect((await app.call('/object/b/a', { method: 'POST', body: 'x'.repeat(10) })).status).toBe(200)
  })

  test('the service’s own limit', async ({ db }) => {
    const app = await openStorage(db, { settings: { fileSizeLimitBytes: 3 } })
    await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
    expect((await app.client().from('b').upload('a', 'text')).error).toMatchObject({ statusCode: '413' })
  })

  test.for([
    [['image/*'], 'image/png', 200],
    [['image/*'], 'text/plain', 400],
    [['text/plain'], 'text/plain;charset=UTF-8', 200],
    [['text/plain;charset=utf-8'], 'Text/Plain', 200],
    [['*/*'], 'a/b', 200],
    [['*'], 'a/b', 200],
    [[], 'any/thing', 200],
    [['image/*'], 'image', 400],
    [['image/*'], 'image/', 400],
  ] as const)('a bucket of %j and a body of %s', async ([allowed, type, status], { app }) => {
    await app.sql('update storage.buckets set allowed_mime_types = $1', allowed)
    const answer = await app.call('/object/b/a', { method: 'POST', body: 'x', headers: { 'content-type': type } })
    expect(answer.status).toBe(status)
    if (status === 400) expect(await answer.json()).toMatchObject({ code: 'InvalidMimeType', statusCode: '415' })
  })
})

test('a bucket may ask that files begin as their declared type does', async ({ db }) => {
  const app = await openStorage(db, { settings: { checkedBuckets: ['checked'] } })
  await db.load(`insert into storage.buckets (id, name) values ('checked', 'checked'), ('b', 'b')`)
  const gif = Buffer.concat([Buffer.from('GIF89a'), randomBytes(200_000)])
  const client = app.client().from('checked')
  expect((await client.upload('a', gif, { contentType: 'image/gif' })).error).toBeNull()
  expect(Buffer.from(await (await app.call('/object/checked/a')).arrayBuffer()).equals(gif)).toBe(true)
  expect((await client.upload('b', '<script>', { contentType: 'image/gif' })).error).toMatchObject({
    statusCode: '415',
  })
  expect((await client.upload('c', gif, { contentType: 'image/jpeg' })).error).toMatchObject({
    message: 'the content is image/gif, not image/jpeg',
  })
  expect((await client.upload('d', 'text', { contentType: 'text/plain' })).error).toBeNull()
  expect((await app.client().from('b').upload('b', '<script>', { contentType: 'image/gif' })).error).toBeNull()
})

test('a client that pauses within the first bytes of a file keeps nobody else waiting', async ({ db }) => {
  const app = await openStorage(db, { settings: { checkedBuckets: ['checked'] } })
  await db.load(`insert into storage.buckets (id, name) values ('checked', 'checked')`)
  const { port } = new URL(app.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST /storage/v1/object/checked/a HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${app.token('service_role')}\r\ncontent-type: image/gif\r\ncontent-length: 26\r\n\r\nGIF89a`,
  )
  for (let asked = 0; asked < 3; asked += 1)
    expect(
      (await app.call('/object/list/checked', { method: 'POST', headers: json, body: '{"prefix":""}' })).status,
    ).toBe(200)
  socket.write('x'.repeat(10))
  expect((await app.call('/object/info/checked/a')).status).toBe(400)
  socket.write('x'.repeat(10))
  await expect.poll(() => app.sql('select name from storage.objects')).toEqual([{ name: 'a' }])
  socket.destroy()
})

describe('bodies', () => {
  const raw = async (app: StorageApp, contentType: string, body: string) => {
    const answer = await app.call('/object/b/a', { method: 'POST', body, headers: { 'content-type': contentType } })
    return { status: answer.status, body: (await answer.json()) as { code?: string; message?: string } }
  }
  const multipart = 'multipart/form-data; boundary=x'
  const part = (head: string, body: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`

  test('the fields of a form', async ({ app }) => {
    const body =
      part('name="cacheControl"', '60') +
      part('name="metadata"', '{"a":1}') +
      part('name="contentType"', 'text/css') +
      `${part('name=""; filename="f"', 'p {}')}--x--\r\n`
    expect(await raw(app, multipart, body)).toMatchObject({ status: 200 })
    expect(await app.sql('select metadata, user_metadata from storage.objects')).toMatchObject([
      { metadata: { mimetype: 'text/css', cacheControl: 'max-age=60', size: 4 }, user_metadata: { a: 1 } },
    ])
  })

  test.for([
    ['no file', `${part('name="a"', 'x')}--x--\r\n`, 'No content provided'],
    ['nothing', '', 'No content provided'],
    ['text', 'hello', 'No content provided'],
    [
      'a bad type',
      `${part('name="contentType"', 'a\u0007b')}${part('name=""; filename="f"', 'x')}--x--\r\n`,
      'header value',
    ],
  ] as const)('a form of %s', async ([, body, message], { app }) => {
    expect(await raw(app, multipart, body)).toMatchObject({
      status: 400,
      body: { code: 'InvalidRequest', message: expect.stringContaining(message) },
    })
    expect(await filesOf(app)).toBe(0)
  })

  test('a form that stops within its file leaves nothing', async ({ app }) => {
    const { status } = await raw(app, multipart, part('name=""; filename="f"', 'half').slice(0, -2))
    expect(status).toBeGreaterThanOrEqual(400)
    expect([await app.sql('select from storage.objects'), await filesOf(app)]).toEqual([[], 0])
  })

  test('JSON, text and odd metadata are bytes', async ({ app }) => {
    const answer = await app.call('/object/b/a', {
      method: 'POST',
      body: '{"a":1}',
      headers: { ...json, 'x-metadata': Buffer.from('{"\\ud800":"\\u0000"}').toString('base64') },
    })
    expect(answer.status).toBe(200)
    expect(await (await app.call('/object/b/a')).json()).toEqual({ a: 1 })
    const other = await app.call('/object/b/b', {
      method: 'POST',
      body: 'x',
      headers: { 'x-metadata': Buffer.from('{"a":"\\ud800"}').toString('base64') },
    })
    expect(other.status).toBe(200)
  })

  test('a form of the caller’s keeps what the official client adds behind the file', async ({ app }) => {
    const upload = async (key: string, type: string, fields: Record<string, string>, as = 'service_role') => {
      const form = new FormData()
      form.append('file', new Blob(['x'.repeat(200_000)], { type }), 'f')
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      return (await app.call(`/object/b/${key}`, { as, method: 'POST', body: form })).json()
    }
    expect(await upload('a', 'text/plain', { cacheControl: '60', metadata: '{"a":1}' })).toMatchObject({ Key: 'b/a' })
    expect(await app.sql(`select metadata->>'cacheControl' as cache, user_metadata from storage.objects`)).toEqual([
      { cache: 'max-age=60', user_metadata: { a: 1 } },
    ])
    // A type behind the file is held to what the bucket allows, and to what policies say.
    await app.sql(`update storage.buckets set allowed_mime_types = '{text/plain}' where id = 'b'`)
    expect(await upload('b', 'text/plain', { contentType: 'text/html' })).toMatchObject({ code: 'InvalidMimeType' })
    await app.sql(`create policy plain on storage.objects for insert to authenticated
      with check (coalesce(user_metadata->>'free', '') = '')`)
    const maria = '11111111-1111-4111-8111-111111111111'
    expect(await upload('c', 'text/plain', { metadata: '{"free":"no"}' }, maria)).toMatchObject({
      code: 'AccessDenied',
    })
    expect(await upload('c', 'text/plain', { metadata: '{"a":"yes"}' }, maria)).toMatchObject({ Key: 'b/c' })
    expect(await filesOf(app)).toBe(2)
  })

  test('x-robots-tag is checked and served', async ({ app }) => {
    const upload = (tag: string) =>
      app.call('/object/open/a', { method: 'PUT', body: 'x', headers: { 'x-robots-tag': tag } })
    expect((await upload('noindex, max-snippet: 5')).status).toBe(200)
    expect((await app.call('/object/public/open/a')).headers.get('x-robots-tag')).toBe('noindex, max-snippet: 5')
    const refused = await upload('everything')
    expect(await refused.json()).toMatchObject({ code: 'InvalidRequest' })
  })
})
