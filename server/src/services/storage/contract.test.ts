import { createClient } from '@supabase/supabase-js'
import { describe, expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../test/harness.ts'
import { openStorage, type StorageApp } from '../../../test/storage-app.ts'

const maria = '11111111-1111-4111-8111-111111111111'

interface App extends StorageApp {
  readonly db: TestDatabase
}

const test = base.extend('app', async ({ db }): Promise<App> => {
  const app = await openStorage(db, { settings: { sharedCacheSeconds: 90, imageTransformation: true } })
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', false), ('open', 'open', true)`)
  await app.client().from('open').upload('a.txt', 'hello', { cacheControl: '60', contentType: 'text/plain' })
  return { ...app, db }
})

/** One answer: a sentence, the request, who sends it, and what must come back. */
interface Answer {
  readonly rule: string
  readonly request: string
  /** A role or a user; the service role by default. */
  readonly as?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
  readonly json?: unknown
  readonly text?: string
  /** By name; null for one that must not be there. */
  readonly answer?: Readonly<Record<string, string | null>>
}

async function check(app: App, { rule, request, as, headers, body, ...expected }: Answer): Promise<void> {
  const [method = '', path = ''] = request.split(' ')
  const options = { method, ...(as === undefined ? {} : { as }), ...(body === undefined ? {} : { body }) }
  const answer = await app.call(path, { ...options, headers: headers ?? {} })
  const text = await answer.text()
  expect.soft(answer.status, `${rule}: ${text}`).toBe(expected.status)
  if (expected.json !== undefined) expect.soft(JSON.parse(text || 'null'), rule).toEqual(expected.json)
  if (expected.text !== undefined) expect.soft(text, rule).toBe(expected.text)
  for (const [name, value] of Object.entries(expected.answer ?? {}))
    expect.soft(answer.headers.get(name), `${rule}: ${name}`).toBe(value)
}

const refused = (statusCode: string, error: string, code: string, message: string | RegExp = /./) => ({
  statusCode,
  error,
  code,
  message: expect.stringMatching(message),
})

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

describe('errors (storage §1)', () => {
  const key = (code: string) => `err/${code}`
  const states: readonly (readonly [state: string, httpStatus: number, ReturnType<typeof refused>])[] = [
    ['25006', 400, refused('503', 'DatabaseReadOnly', 'DatabaseReadOnly', /read-only mode/)],
    ['25P02', 500, refused('500', 'DatabaseTransactionAborted', 'DatabaseTransactionAborted')],
    ['42P17', 400, refused('503', 'DatabaseInvalidObjectDefinition', 'DatabaseInvalidObjectDefinition')],
    ['42703', 400, refused('503', 'DatabaseSchemaMismatch', 'DatabaseSchemaMismatch', /function fails\(\)/)],
    ['42P01', 400, refused('503', 'DatabaseSchemaMismatch', 'DatabaseSchemaMismatch')],
    [
      '23505',
      400,
      // Of the name itself before the bytes are stored; of whatever a trigger means, afterwards.
      { ...refused('409', 'Duplicate', ''), code: expect.stringMatching(/^(?:Key|Resource)AlreadyExists$/) },
    ],
    ['23503', 400, refused('404', 'InvalidRequest', 'InvalidRequest', /^The related resource does not exist$/)],
    ['55P03', 400, refused('423', 'ResourceLocked', 'ResourceLocked', /^The resource is locked$/)],
    ['57014', 544, refused('544', 'DatabaseTimeout', 'DatabaseTimeout', /timed out$/)],
    ['53300', 429, refused('429', 'too_many_connections', 'SlowDown', /^Too many connections/)],
    ['42501', 400, refused('403', 'Unauthorized', 'AccessDenied')],
    ['P0001', 500, refused('500', 'DatabaseError', 'DatabaseError', /^database error, code: P0001$/)],
  ]
  test('of policies and triggers are what their SQLSTATE means', async ({ app }) => {
    await app.db.load(`create function public.fails() returns trigger language plpgsql as $$
      begin
        raise exception 'raised' using errcode = split_part(new.name, '/', 2);
      end $$;
      create trigger fails before insert on storage.objects for each row when (new.name like 'err/%')
        execute function public.fails();
      create policy all_of_them on storage.objects for all to authenticated using (true) with check (true)`)
    for (const [state, status, json] of states)
      for (const as of [maria, 'service_role'])
        await check(app, {
          rule: `${state} ${as}`,
          request: `POST /object/b/${key(state)}`,
          as,
          body: 'x',
          status,
          json,
        })
    const left: string[] = []
    for await (const { id } of app.files.list()) left.push(id)
    expect(left).toHaveLength(1)
  })

  test('a bucket with an upload that is not complete is referenced', async ({ app }) => {
    await app.db.admin.query({
      text: `insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version) values ('x', '', 'b', 'a', 'v')`,
      values: [],
    })
    const json = refused('409', 'ResourceReferenced', 'ResourceReferenced', /pending multipart upload/)
    await check(app, { rule: 'referenced', request: 'DELETE /bucket/b', status: 400, json })
  })

  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const cases: readonly Answer[] = [
    {
      rule: 'a header value that is none',
      request: 'POST /object/b/a',
      headers: form,
      body: '--x\r\ncontent-disposition: form-data; name="contentType"\r\n\r\na\u0007\r\n--x\r\ncontent-disposition: form-data; name=""; filename="f"\r\n\r\nx\r\n--x--\r\n',
      status: 400,
      json: refused('400', 'invalid_header_char', 'InvalidRequest'),
    },
    {
      rule: 'robots that are none',
      request: 'POST /object/b/a',
      headers: { 'x-robots-tag': 'everything' },
      body: 'x',
      status: 400,
      json: refused('400', 'invalid_x_robots_tag', 'InvalidRequest', /^Invalid X-Robots-Tag header/),
    },
    {
      rule: 'a cursor that is none',
      request: 'POST /object/list-v2/b',
      headers: { 'content-type': 'application/json' },
      body: '{"cursor":"%%%"}',
      status: 400,
      json: refused('400', 'InvalidParameter', 'InvalidParameter'),
    },
    {
      rule: 'a body of another type counts as none',
      request: 'POST /bucket',
      headers: { 'content-type': 'text/plain' },
      body: '{"name":"x"}',
      status: 400,
      json: refused('400', 'Error', 'InvalidRequest'),
    },
    {
      rule: 'a body of JSON that is too large',
      request: 'POST /object/list/b',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prefix: 'x'.repeat(2_200_000) }),
      status: 413,
      json: refused('413', 'Payload too large', 'EntityTooLarge'),
    },
    {
      rule: 'metadata over a mebibyte',
      request: 'POST /object/b/a',
      headers: form,
      body: `--x\r\ncontent-disposition: form-data; name="metadata"\r\n\r\n{"a":"${'x'.repeat(1024 * 1024)}"}\r\n--x\r\ncontent-disposition: form-data; name=""; filename="f"\r\n\r\nx\r\n--x--\r\n`,
      status: 400,
      json: refused('413', 'Payload too large', 'EntityTooLarge', /^The user_metadata exceeded/),
    },
    ...(
      [
        ['x', 'InvalidJWT', /./],
        ['', 'InvalidJWT', /./],
      ] as const
    ).map(([token, code, message]) => ({
      rule: `a signed URL with the token ${token}`,
      request: `GET /object/sign/open/a.txt?token=${token}`,
      as: null,
      status: 400,
      json: refused('400', code, code, message),
    })),
    {
      rule: 'a signed URL without a token',
      request: 'GET /object/sign/open/a.txt',
      as: null,
      status: 400,
      json: refused('400', 'Error', 'InvalidRequest', /token/),
    },
  ]
  test('of requests', async ({ app }) => {
    for (const one of cases) await check(app, one)
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

describe('operations (storage §11)', () => {
  const json = { 'content-type': 'application/json' }
  const reads: readonly (readonly [operation: string, request: string, body?: string])[] = [
    ['storage.object.get_authenticated', 'GET /object/authenticated/b/f/a.png'],
    ['storage.object.get_authenticated', 'GET /object/b/f/a.png'],
    ['object.head_authenticated_info', 'HEAD /object/b/f/a.png'],
    ['object.get_authenticated_info', 'GET /object/info/authenticated/b/f/a.png'],
    ['storage.object.sign', 'POST /object/sign/b/f/a.png', '{"expiresIn":60}'],
    ['storage.object.move', 'POST /object/move', '{"bucketId":"b","sourceKey":"f/a.png","destinationKey":"f/a.png"}'],
    ['storage.object.copy', 'POST /object/copy', '{"bucketId":"b","sourceKey":"f/a.png","destinationKey":"f/b"}'],
    ['storage.object.delete', 'DELETE /object/b/f/a.png'],
  ]
  const lists: readonly (readonly [operation: string, request: string, body: string])[] = [
    ['storage.object.list', 'POST /object/list/b', '{"prefix":"f"}'],
    ['storage.object.list_v2', 'POST /object/list-v2/b', '{"prefix":"f"}'],
    ['storage.object.sign_many', 'POST /object/sign/b', '{"expiresIn":60,"paths":["f/a.png"]}'],
    ['storage.object.delete_many', 'DELETE /object/b', '{"prefixes":["f/a.png"]}'],
  ]
  test('policies see each by its name', async ({ app }) => {
    await app.client().from('b').upload('f/a.png', 'x')
    await app.db.load(`create policy seen on storage.objects for all to authenticated using (false) with check (true)`)
    const during = (operation: string) =>
      app.sql(`alter policy seen on storage.objects using (storage.allow_only_operation('${operation}')
        and current_setting('request.method') <> '' and current_setting('request.path') like '/object/%'
        and current_setting('request.jwt.claim.sub') = auth.uid()::text and current_setting('request.jwt') <> ''
        and current_setting('request.jwt.claim.role') = 'authenticated'
        and current_setting('request.headers')::json->>'authorization' like 'Bearer %')`)
    for (const [operation, request, body] of [...reads, ...lists]) {
      const ask = async () => {
        const [method = '', path = ''] = request.split(' ')
        const answer = await app.call(path, {
          method,
          as: maria,
          headers: body === undefined ? {} : json,
          ...(body === undefined ? {} : { body }),
        })
        const text = await answer.text()
        return [answer.status, (text.includes('a.png') && !text.includes('"signedURL":null')) || method === 'HEAD']
      }
      await during('storage.something.else')
      const hidden = await ask()
      await during(operation.replace('storage.', ''))
      const visible = await ask()
      if (operation.startsWith('storage.object.delete')) await app.client().from('b').upload('f/a.png', 'x')
      expect.soft(visible, operation).not.toEqual(hidden)
      expect.soft(visible[0], operation).toBe(200)
    }
  })

  test('triggers see which one writes', async ({ app }) => {
    await app.db.load(`create table public.seen (operation text);
      grant insert on public.seen to service_role, authenticated;
      create function public.note() returns trigger language plpgsql as $$
      begin
        insert into public.seen values (storage.operation());
        return null;
      end $$;
      create trigger note after insert or update or delete on storage.objects for each row execute function public.note()`)
    const from = app.client().from('b')
    const calls: readonly (readonly [operation: string, () => Promise<unknown>])[] = [
      ['storage.object.upload', () => from.upload('a', 'x')],
      ['storage.object.upload_update', () => from.update('a', 'y')],
      [
        'storage.object.upload_signed',
        async () => from.uploadToSignedUrl('s', (await from.createSignedUploadUrl('s')).data?.token ?? '', 'z'),
      ],
      ['storage.object.copy', () => from.copy('a', 'c')],
      ['storage.object.move', () => from.move('c', 'd')],
      ['storage.object.delete_many', () => from.remove(['d'])],
      ['storage.object.delete', () => app.call('/object/b/s', { method: 'DELETE' })],
    ]
    for (const [, call] of calls) await call()
    expect(await app.sql('select operation from seen')).toEqual(calls.map(([operation]) => ({ operation })))
  })
})
