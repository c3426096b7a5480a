import sharp from 'sharp'
import { expect } from 'vitest'
import { test as base } from '../../../../test/harness.ts'
import { openStorage, type StorageApp } from '../../../../test/storage-app.ts'

const maria = '11111111-1111-4111-8111-111111111111'
const image = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#f00' } })
  .png()
  .toBuffer()
const png = { contentType: 'image/png' }

const test = base.extend('app', async ({ db }): Promise<StorageApp> => {
  const app = await openStorage(db, { settings: { imageTransformation: true, imageSourceMib: 1 } })
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', false), ('open', 'open', true)`)
  for (const bucket of ['b', 'open']) await app.client().from(bucket).upload('a.png', image, png)
  return app
})

const sizeOf = async (answer: Response) => {
  const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  return `${format} ${width}x${height}`
}

test('an image of a public bucket needs no key, and is of the format that the client accepts (storage §8)', async ({
  app,
}) => {
  const get = (query: string, headers = {}) =>
    app.call(`/render/image/public/open/a.png${query}`, { as: null, headers })
  const answer = await get('?width=100&height=100', { accept: 'image/avif,image/webp,*/*' })
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
    200,
    'image/webp',
    expect.stringMatching(/accept/i),
  ])
  expect(answer.headers.get('x-transformations')).toBe('height:100,width:100,resizing_type:fill')
  expect(await sizeOf(answer)).toBe('webp 100x100')
  expect(await sizeOf(await get('?width=100&format=origin', { accept: 'image/webp' }))).toBe('png 100x50')
  const etag = answer.headers.get('etag') ?? ''
  const again = await get('?width=100&height=100', { accept: 'image/webp', 'if-none-match': etag })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const other = await get('?width=101&height=100', { accept: 'image/webp', 'if-none-match': etag })
  expect(other.status).toBe(200)
  const download = await get('?width=10&download=small.png')
  expect(download.headers.get('content-disposition')).toContain('small.png')
})

test('a signed URL changes an image as it was signed, whatever the address says (storage §7)', async ({ app }) => {
  const transform = { width: 40, height: 40, resize: 'contain' as const }
  const { data } = await app.client().from('b').createSignedUrl('a.png', 60, { transform })
  const url = data?.signedUrl ?? ''
  expect(url).toContain('/render/image/sign/b/a.png?token=')
  const answer = await fetch(`${url}&width=300&height=300`)
  expect(await sizeOf(answer)).toBe('png 40x20')
  expect(answer.headers.get('expires')).toBeTruthy()
  const moved = await fetch(url.replace('a.png', 'b.png'))
  expect([moved.status, await moved.json()]).toMatchObject([400, { code: 'InvalidSignature' }])
  const plain = await app.call('/render/image/sign/b/a.png?token=x', { as: null })
  expect([plain.status, await plain.json()]).toMatchObject([400, { code: 'InvalidJWT' }])
})

test('an image that is cached is shown to those only who may see it (storage §8)', async ({ app }) => {
  const get = (as: string | null) => app.call('/render/image/authenticated/b/a.png?width=50', { as })
  expect(await sizeOf(await get('service_role'))).toBe('png 50x25')
  expect(await (await get(maria)).json()).toMatchObject({ code: 'NoSuchKey' })
  const open = await app.call('/render/image/public/b/a.png?width=50', { as: null })
  expect(await open.json()).toMatchObject({ code: 'NoSuchBucket' })
  await app.sql(`create policy see on storage.objects for select to authenticated using (owner_id is null)`)
  expect(await sizeOf(await get(maria))).toBe('png 50x25')
  const blue = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#00f' } })
    .png()
    .toBuffer()
  await app
    .client()
    .from('b')
    .upload('a.png', blue, { ...png, upsert: true })
  expect(await sizeOf(await get(maria))).toBe('png 50x50')
})

test.for([
  ['what is no image', 'text', '?width=10'],
  ['half an image', image.subarray(0, image.length / 2), '?width=10'],
  ['a file that is too large', Buffer.alloc(1024 * 1024 + 1), '?width=10'],
  ['an option that is none', image, '?resize=crop'],
  ['a quality beyond its bounds', image, '?quality=101'],
  ['a repeated option', image, '?width=10&width=x'],
] as const)('%s is refused with 400 (storage §8)', async ([, body, query], { app }) => {
  await app.client().from('open').upload('b.png', body, png)
  const answer = await app.call(`/render/image/public/open/b.png${query}`, { as: null })
  expect([answer.status, await answer.json()]).toMatchObject([400, { statusCode: '400', code: 'InvalidRequest' }])
})

test('one client asks for one address so often a second, whatever its options (storage §8)', async ({ db }) => {
  const app = await openStorage(db, {
    settings: { imageTransformation: true, imageRequestsPerSecond: 1 },
    now: () => new Date('2026-01-01'),
  })
  const get = (key: string, width: number) => app.call(`/render/image/public/open/${key}?width=${width}`, { as: null })
  for (let width = 1; width <= 4; width += 1) expect((await get('a.png', width)).status).toBe(400)
  const refused = await get('a.png', 5)
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '1',
    { statusCode: '429', error: 'Too Many Requests', code: 'SlowDown', message: expect.stringMatching(/./) },
  ])
  expect((await get('b.png', 1)).status).toBe(400)
})

test('without the setting there is no such address', async ({ db }) => {
  const app = await openStorage(db)
  expect((await app.call('/render/image/public/open/a.png')).status).toBe(404)
})
