import * as aws from '@aws-sdk/client-s3'
import { expect } from 'vitest'
import { type S3App, s3Test as test } from '../../../../test/s3-app.ts'

const maria = '11111111-1111-4111-8111-111111111111'
const chunk = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }
const encoded = (text: string) => Buffer.from(text).toString('base64')
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

const begin = (app: S3App, key: string, as: string) =>
  app.call('/upload/resumable', {
    as,
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '6',
      'upload-metadata': `bucketName ${encoded('b')},objectName ${encoded(key)}`,
    },
  })
const pathOf = (answer: Response) => (answer.headers.get('location') ?? '').split('/storage/v1')[1] ?? ''

test('a token that ends between two parts ends the upload’s right, and a new one goes on from there', async ({
  app,
}) => {
  await app.db.load(`create policy own on storage.objects for insert to authenticated with check (true)`)
  const path = pathOf(await begin(app, 'a', maria))
  const part = (at: number, body: string, claims: object) =>
    app.call(path, {
      as: null,
      method: 'PATCH',
      body,
      headers: { ...chunk, 'upload-offset': String(at), authorization: `Bearer ${app.token(maria, claims)}` },
    })
  expect((await part(0, 'abc', { exp: inSeconds(60) })).status).toBe(204)
  expect((await part(3, 'def', { exp: inSeconds(-60) })).status).toBe(403)
  expect(await app.sql('select from storage.objects')).toEqual([])
  expect((await part(3, 'def', { exp: inSeconds(60) })).status).toBe(204)
  expect(await (await app.call('/object/b/a')).text()).toBe('abcdef')
})

test('a user who is deleted between two parts is held to policies that look for them', async ({ app }) => {
  await app.db.admin.query({ text: `insert into auth.users (id) values ('${maria}')`, values: [] })
  await app.db.load(`create function public.is_there() returns boolean language sql security definer
      set search_path = pg_catalog, pg_temp as $$ select exists (select from auth.users where id = auth.uid()) $$;
    create policy own on storage.objects for insert to authenticated with check (public.is_there())`)
  const path = pathOf(await begin(app, 'a', maria))
  const part = (at: number, body: string) =>
    app.call(path, { as: maria, method: 'PATCH', body, headers: { ...chunk, 'upload-offset': String(at) } })
  expect((await part(0, 'abc')).status).toBe(204)
  await app.db.admin.query({ text: 'delete from auth.users', values: [] })
  expect((await part(3, 'def')).status).toBe(403)
  expect(await app.sql('select from storage.objects')).toEqual([])
})

test.for([
  ['of 1,024 bytes', 'x'.repeat(1024), 200],
  ['of 1,025 bytes', 'x'.repeat(1025), 400],
  ['composed', 'é', 400],
  ['decomposed', 'e\u0301', 400],
  ['an emoji', '😀', 400],
  ['written from right to left', 'a\u202eb', 400],
  ['a control character', 'a\u0007b', 400],
] as const)('a name %s is the same to each protocol', async ([, key, status], { app }) => {
  const plain = await app.call(`/object/b/${encodeURIComponent(key)}`, { method: 'POST', body: 'x' })
  const s3 = await app.s3.send(new aws.PutObjectCommand({ Bucket: 'b', Key: key, Body: 'x' })).then(
    () => 200,
    (error: { $metadata: { httpStatusCode: number } }) => error.$metadata.httpStatusCode,
  )
  await app.client().from('b').remove([key])
  const resumable = await begin(app, key, 'service_role')
  expect([plain.status, s3, resumable.status]).toEqual([status, status, status === 200 ? 201 : status])
})
