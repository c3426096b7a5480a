import { createClient } from '@supabase/supabase-js'
import { describe, expect } from 'vitest'
import { type Answer, check, refused, answersTest as test } from '../../../test/storage-answers.ts'
import { openStorage } from '../../../test/storage-app.ts'

const maria = '11111111-1111-4111-8111-111111111111'

describe('what the service says of itself (storage §8)', () => {
  const cases: readonly Answer[] = [
    { rule: 'health needs no token', request: 'GET /health', as: null, status: 200, json: { healthy: true } },
    { rule: 'status has no body', request: 'GET /status', as: null, status: 200, text: '' },
    { rule: 'version is a text', request: 'GET /version', as: null, status: 200, text: '0.0.1' },
    ...['', '/open', '/open/a.txt', '/open/absent?transformations=true', '?transformations=true'].map((path) => ({
      rule: `the service role purges ${path || 'all'}`,
      request: `DELETE /cdn${path}`,
      status: 200,
      json: { message: 'success' },
    })),
    ...['anon', maria].map((as) => ({
      rule: 'no other role purges',
      request: 'DELETE /cdn/open/a.txt',
      as,
      status: 403,
      json: refused('403', 'Unauthorized', 'AccessDenied'),
    })),
    {
      rule: 'a purge needs a token',
      request: 'DELETE /cdn/open',
      as: null,
      status: 400,
      json: refused('400', 'InvalidRequest', 'InvalidRequest'),
    },
    {
      rule: 'a purge of an empty key is refused',
      request: 'DELETE /cdn/open/',
      status: 400,
      json: refused('400', 'Error', 'InvalidRequest'),
    },
    {
      rule: 'an unknown address is not found',
      request: 'GET /nothing',
      status: 404,
      json: refused('404', 'Not Found', 'NotFound'),
    },
    {
      rule: 'an unknown address is not found, whatever its body is said to be',
      request: 'OPTIONS /upload/resumable/one/two',
      headers: { 'content-type': 'json' },
      status: 404,
      json: refused('404', 'Not Found', 'NotFound'),
    },
  ]
  test('each', async ({ app }) => {
    for (const one of cases) await check(app, one)
  })

  test('the official client purges an object', async ({ app }) => {
    const from = createClient(app.url, app.token('service_role'), {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: class {} as never },
    }).storage.from('open')
    expect(await from.purgeCache('a.txt')).toEqual({ data: { message: 'success' }, error: null })
  })

  test('a service without its database is not healthy', async ({ app }) => {
    await app.db.admin.query({ text: 'alter table storage.buckets rename to other', values: [] })
    await check(app, { rule: 'health', request: 'GET /health', as: null, status: 503, json: { healthy: false } })
  })
})

describe('headers of reads (storage §6)', () => {
  const path = '/object/public/open/a.txt'
  const etag = '"5d41402abc4b2a76b9719d911017c592"'
  const cases: readonly Answer[] = [
    {
      rule: 'the stored cache control without a condition',
      request: `GET ${path}`,
      status: 200,
      answer: { 'cache-control': 'max-age=60', etag, 'accept-ranges': 'bytes', 'x-robots-tag': 'none', expires: null },
    },
    {
      rule: 'a cache whose copy is good may keep it',
      request: `GET ${path}`,
      headers: { 'if-none-match': etag },
      status: 304,
      answer: { 'cache-control': 'max-age=60, s-maxage=90' },
    },
    {
      rule: 'a cache with another copy may serve it while it asks',
      request: `GET ${path}`,
      headers: { 'if-none-match': '"other"' },
      status: 200,
      answer: { 'cache-control': 'max-age=60, s-maxage=90, stale-while-revalidate=30' },
    },
    {
      rule: 'a weak tag of a list is a good copy',
      request: `GET ${path}`,
      headers: { 'if-none-match': `"x", W/${etag}` },
      status: 304,
      answer: { 'cache-control': 'max-age=60, s-maxage=90' },
    },
    {
      rule: 'HEAD of another copy asks again',
      request: `HEAD ${path}`,
      headers: { 'if-none-match': '"other"' },
      status: 200,
      answer: { 'cache-control': 'max-age=60, must-revalidate', 'content-length': '5' },
    },
    {
      rule: 'HEAD of a good copy',
      request: `HEAD ${path}`,
      headers: { 'if-none-match': etag },
      status: 304,
      answer: { 'cache-control': 'max-age=60, s-maxage=90' },
    },
    ...(
      [
        ['bytes=0-', 206, 'hello', 'bytes 0-4/5'],
        ['bytes=1-2', 206, 'el', 'bytes 1-2/5'],
        ['bytes=-2', 206, 'lo', 'bytes 3-4/5'],
        ['bytes=-99', 206, 'hello', 'bytes 0-4/5'],
        ['bytes=4-99999999999999999999', 206, 'o', 'bytes 4-4/5'],
        ['chars=0-1', 200, 'hello', null],
      ] as const
    ).map(([range, status, text, contentRange]) => ({
      rule: range,
      request: `GET ${path}`,
      headers: { range },
      status,
      text,
      answer: { 'content-range': contentRange },
    })),
    ...['bytes=5-', 'bytes=3-2', 'bytes=-0', 'bytes=0-1,3-4', 'bytes=a-b', 'bytes='].map((range) => ({
      rule: range,
      request: `GET ${path}`,
      headers: { range },
      status: 416,
      json: refused('416', 'invalid_range', 'InvalidRange', /^invalid range provided$/),
    })),
    {
      rule: 'a range of another copy is the whole',
      request: `GET ${path}`,
      headers: { range: 'bytes=0-1', 'if-range': '"other"' },
      status: 200,
      text: 'hello',
    },
    {
      rule: 'a range of this copy',
      request: `GET ${path}`,
      headers: { range: 'bytes=0-1', 'if-range': etag },
      status: 206,
      text: 'he',
    },
    {
      rule: 'a weak tag names no range',
      request: `GET ${path}`,
      headers: { range: 'bytes=0-1', 'if-range': `W/${etag}` },
      status: 200,
      text: 'hello',
    },
    {
      rule: 'a HEAD of what is absent has no body',
      request: 'HEAD /object/public/open/absent',
      status: 400,
      text: '',
    },
  ]
  test('each', async ({ app }) => {
    for (const one of cases) await check(app, one)
  })

  test('a signed URL says when it ends, and nothing of caches', async ({ app }) => {
    const { data } = await app.client().from('open').createSignedUrl('a.txt', 60, { download: 'a b.txt' })
    const answer = await fetch(data?.signedUrl ?? '')
    const ends = Date.parse(answer.headers.get('expires') ?? '')
    expect(Math.abs(ends - Date.now() - 60_000)).toBeLessThan(20_000)
    expect(answer.headers.get('cache-control')).toBeNull()
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=a%20b.txt; filename*=UTF-8''a%20b.txt`)
  })

  test('a download that is given up is recorded as such', async ({ app }) => {
    await app.db.load(`create function public.slow() returns boolean language sql as $$ select pg_sleep(20) is not null $$;
      create policy slow on storage.objects for select to authenticated using (public.slow())`)
    await app.client().from('b').upload('a', 'x')
    const leaving = new AbortController()
    const asked = app.call('/object/b/a', { as: maria, signal: leaving.signal })
    const sleeping = async () => (await app.sql(`select from pg_stat_activity where wait_event = 'PgSleep'`)).length
    await expect.poll(sleeping, { timeout: 15_000 }).toBe(1)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    const seen = () => app.ended.map(({ status, context }) => [context.method, status, context.errorCode])
    await expect.poll(seen, { timeout: 15_000 }).toContainEqual(['GET', 499, 'Aborted'])
  })
})

describe('limits (storage §13)', () => {
  const json = { 'content-type': 'application/json' }
  const many = (name: string) => JSON.stringify({ [name]: ['a', 'b', 'c'], expiresIn: 60 })
  const cases: readonly Answer[] = [
    {
      rule: 'a plain upload',
      request: 'POST /object/b/large',
      body: 'x'.repeat(11),
      status: 400,
      json: refused('413', 'Payload too large', 'EntityTooLarge', /^The object exceeded the maximum allowed size$/),
    },
    { rule: 'a plain upload within it', request: 'POST /object/b/small', body: 'x'.repeat(10), status: 200 },
    {
      rule: 'removing many',
      request: 'DELETE /object/b',
      headers: json,
      body: many('prefixes'),
      status: 400,
      json: refused('400', 'InvalidRequest', 'InvalidRequest', /limited to 2 objects/),
    },
    {
      rule: 'signing many',
      request: 'POST /object/sign/b',
      headers: json,
      body: many('paths'),
      status: 400,
      json: refused('400', 'InvalidRequest', 'InvalidRequest', /more than 2 items/),
    },
  ]
  test('are settings', async ({ db }) => {
    const app = await openStorage(db, { settings: { standardUploadLimitBytes: 10, objectsPerRequest: 2 } })
    await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
    for (const one of cases) await check({ ...app, db }, one)
    for (const name of ['1', '2', '3']) await app.client().from('b').upload(name, 'x')
    const page = await app.client().from('b').listV2({ limit: 1000 })
    expect(page.data).toMatchObject({ hasNext: true, objects: [{ name: '1' }, { name: '2' }] })
    expect((await app.client().from('b').list('', { limit: 1000 })).data).toHaveLength(2)
    // A resumable upload has the service's own limit.
    const resumable = await app.call('/upload/resumable/', {
      method: 'POST',
      body: 'x'.repeat(11),
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-length': '11',
        'upload-metadata': `bucketName ${btoa('b')},objectName ${btoa('e')}`,
      },
    })
    expect(resumable.status).toBe(201)
  })
})
