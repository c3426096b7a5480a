import { describe, expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openStorage } from '../../../../test/storage-app.ts'

describe('buckets through the official client (storage §3)', () => {
  test('are created, read, listed, updated and deleted', async ({ db }) => {
    const client = (await openStorage(db)).client()
    expect(
      await client.createBucket('avatars', { public: true, fileSizeLimit: '20MB', allowedMimeTypes: ['image/*'] }),
    ).toEqual({
      data: { name: 'avatars' },
      error: null,
    })
    const bucket = {
      id: 'avatars',
      name: 'avatars',
      owner: '',
      public: true,
      file_size_limit: 20_000_000,
      allowed_mime_types: ['image/*'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
    }
    expect((await client.getBucket('avatars')).data).toEqual(bucket)
    await client.createBucket('zebra', { public: false })
    const listed = { ...bucket, owner_id: null, type: 'STANDARD' }
    expect((await client.listBuckets()).data).toEqual([listed, expect.objectContaining({ id: 'zebra' })])
    const found = await client.listBuckets({ search: 'eb', limit: 1, sortColumn: 'created_at', sortOrder: 'desc' })
    expect(found.data).toMatchObject([{ id: 'zebra', file_size_limit: null, allowed_mime_types: null }])
    expect(
      await client.updateBucket('avatars', { public: false, fileSizeLimit: null, allowedMimeTypes: null }),
    ).toEqual({
      data: { message: 'Successfully updated' },
      error: null,
    })
    expect((await client.getBucket('avatars')).data).toMatchObject({
      public: false,
      file_size_limit: null,
      allowed_mime_types: null,
    })
    expect((await client.deleteBucket('avatars')).data).toEqual({ message: 'Successfully deleted' })
    expect((await client.getBucket('avatars')).error).toMatchObject({
      status: 400,
      statusCode: '404',
      message: 'Bucket not found',
    })
  })

  test('a search finds the text itself, whatever it means to LIKE', async ({ db }) => {
    const { client, call } = await openStorage(db)
    await client().createBucket('a_b')
    await client().createBucket('axb')
    expect(await (await call('/bucket?search=a_b')).json()).toHaveLength(1)
  })

  test('an update leaves what it does not name', async ({ db }) => {
    const { client, call } = await openStorage(db)
    await client().createBucket('b', { public: true, fileSizeLimit: 5 })
    await call('/bucket/b', {
      method: 'PUT',
      body: '{"allowed_mime_types":["text/plain"]}',
      headers: { 'content-type': 'application/json' },
    })
    expect((await client().getBucket('b')).data).toMatchObject({
      public: true,
      file_size_limit: 5,
      allowed_mime_types: ['text/plain'],
    })
  })
})

const json = { 'content-type': 'application/json' }

describe('what is refused', () => {
  test.for([
    ['POST', '/bucket', '{"name":"there"}', '409', 'Duplicate', 'BucketAlreadyExists'],
    ['POST', '/bucket', '{"name":"a/b"}', '400', 'Invalid Input', 'InvalidBucketName'],
    ['POST', '/bucket', '{"name":" a"}', '400', 'Invalid Input', 'InvalidBucketName'],
    ['POST', '/bucket', `{"name":"${'x'.repeat(101)}"}`, '400', 'Invalid Input', 'InvalidBucketName'],
    ['POST', '/bucket', '{"name":"é"}', '400', 'Invalid Input', 'InvalidBucketName'],
    ['POST', '/bucket', '{}', '400', 'Error', 'InvalidRequest'],
    ['POST', '/bucket', '', '400', 'Error', 'InvalidRequest'],
    ['POST', '/bucket', '{', '400', 'Error', 'InvalidRequest'],
    ['POST', '/bucket', '{"name":"big","file_size_limit":"1GB"}', '413', 'Payload too large', 'EntityTooLarge'],
    ['POST', '/bucket', '{"name":"big","file_size_limit":"much"}', '400', 'InvalidRequest', 'InvalidRequest'],
    ['POST', '/bucket', '{"name":"b","allowed_mime_types":["text"]}', '415', 'invalid_mime_type', 'InvalidMimeType'],
    ['POST', '/bucket', '{"name":"b","type":"VECTOR"}', '409', 'FeatureNotEnabled', 'FeatureNotEnabled'],
    ['PUT', '/bucket/there', '{}', '400', 'Error', 'InvalidRequest'],
    ['PUT', '/bucket/absent', '{"public":true}', '404', 'Bucket not found', 'NoSuchBucket'],
    ['GET', '/bucket/absent', null, '404', 'Bucket not found', 'NoSuchBucket'],
    ['DELETE', '/bucket/absent', null, '404', 'Bucket not found', 'NoSuchBucket'],
    ['DELETE', '/bucket/full', '{}', '409', 'ResourceNotEmpty', 'ResourceNotEmpty'],
    ['GET', '/bucket?limit=0', null, '400', 'Error', 'InvalidRequest'],
    ['GET', '/bucket?sortColumn=owner', null, '400', 'Error', 'InvalidRequest'],
  ] as const)('%s %s %s is %s', async ([method, path, body, statusCode, error, code], { db }) => {
    const { call } = await openStorage(db)
    await db.load(`
      insert into storage.buckets (id, name) values ('there', 'there'), ('full', 'full');
      insert into storage.objects (bucket_id, name) values ('full', 'x')`)
    const answer = await call(path, { method, body, headers: json })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { statusCode, error, code, message: expect.stringMatching(/./) },
    ])
  })

  test.for([
    ['no token', undefined, '400', 'InvalidRequest', 'Invalid Compact JWS'],
    ['text', 'Bearer not-a-jwt', '403', 'AccessDenied', 'Invalid Compact JWS'],
    [
      'another signature',
      `Bearer eyJhbGciOiJIUzI1NiJ9.e30.xxxx`,
      '403',
      'AccessDenied',
      'signature verification failed',
    ],
  ] as const)('%s', async ([, authorization, statusCode, code, message], { db }) => {
    const { call } = await openStorage(db)
    const answer = await call('/bucket', { as: null, headers: authorization === undefined ? {} : { authorization } })
    expect([answer.status, await answer.json()]).toMatchObject([400, { statusCode, code, message }])
  })

  test('an expired token', async ({ db }) => {
    const { call, token } = await openStorage(db)
    const answer = await call('/bucket', {
      as: null,
      headers: { authorization: `Bearer ${token('anon', { exp: 1 })}` },
    })
    expect(await answer.json()).toMatchObject({ statusCode: '403', message: '"exp" claim timestamp check failed' })
  })
})

const maria = '11111111-1111-4111-8111-111111111111'

describe('row-level security of buckets', () => {
  test('nothing is allowed without policies', async ({ db }) => {
    const { client, sql } = await openStorage(db)
    await sql(`insert into storage.buckets (id, name) values ('b', 'b')`)
    const own = client(maria)
    expect((await own.listBuckets()).data).toEqual([])
    expect((await own.getBucket('b')).error).toMatchObject({ statusCode: '404' })
    expect((await own.updateBucket('b', { public: true })).error).toMatchObject({ statusCode: '404' })
    expect((await own.deleteBucket('b')).error).toMatchObject({ statusCode: '404' })
    expect((await own.createBucket('c')).error).toMatchObject({
      status: 400,
      statusCode: '403',
      message: 'new row violates row-level security policy',
    })
  })

  test('policies see the claims, the operation and the owner', async ({ db }) => {
    const { client, sql } = await openStorage(db)
    await db.load(`
      create policy "own" on storage.buckets for all to authenticated
        using (owner_id = auth.uid()::text) with check (storage.allow_only_operation('bucket.create') and owner = auth.uid());
      grant select on storage.buckets to authenticated`)
    const own = client(maria)
    expect((await own.createBucket('mine')).error).toBeNull()
    expect(await sql(`select owner::text, owner_id from storage.buckets`)).toEqual([{ owner: maria, owner_id: maria }])
    expect((await own.listBuckets()).data).toMatchObject([{ id: 'mine', owner: maria }])
    expect((await own.updateBucket('mine', { public: true })).error).toMatchObject({ statusCode: '403' })
    expect((await own.deleteBucket('mine')).error).toBeNull()
  })

  test('a policy that fails is told by its SQLSTATE', async ({ db }) => {
    const { client } = await openStorage(db)
    await db.load(`
      create function public.fails() returns boolean language plpgsql as $$ begin return (select x from nowhere); end $$;
      create policy "fails" on storage.buckets for select to authenticated using (public.fails())`)
    await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
    expect((await client(maria).listBuckets()).error).toMatchObject({
      statusCode: '503',
      // With the function in which the name is missing.
      message: expect.stringMatching(/^relation "nowhere" does not exist, in PL.pgSQL function (public.)?fails\(\)/),
    })
  })
})
