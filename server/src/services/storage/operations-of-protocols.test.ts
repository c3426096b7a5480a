import * as aws from '@aws-sdk/client-s3'
import { describe, expect } from 'vitest'
import { type S3App, s3Test as test } from '../../../test/s3-app.ts'
import { anonKey } from '../../../test/storage-app.ts'

const maria = '11111111-1111-4111-8111-111111111111'
const tus = { 'tus-resumable': '1.0.0' }
const chunk = { ...tus, 'content-type': 'application/offset+octet-stream' }
const tables = ['objects', 'buckets', 's3_multipart_uploads']

/** Policies that allow an operation alone, of every command, to users. */
async function allowOnly({ db }: S3App, operation: string): Promise<void> {
  for (const table of tables)
    await db.load(
      `drop policy if exists seen on storage.${table};
       create policy seen on storage.${table} for all to authenticated
         using (storage.allow_only_operation('${operation}')) with check (storage.allow_only_operation('${operation}'))`,
    )
}

const tusOptions = (key: string) => ({
  ...tus,
  'upload-length': '3',
  'upload-metadata': `bucketName ${Buffer.from('b').toString('base64')},objectName ${Buffer.from(key).toString('base64')}`,
})
const begin = (app: S3App, key: string, as: string) =>
  app.call('/upload/resumable', { as, method: 'POST', headers: tusOptions(key) })
const pathOf = (answer: Response) => (answer.headers.get('location') ?? '').split('/storage/v1')[1] ?? ''

describe('operations of TUS (storage §11)', () => {
  test.for([
    ['tus.upload.create', 201, (app) => begin(app, 'other', maria)],
    [
      'tus.upload.part',
      204,
      (app, path) =>
        app.call(path, { as: maria, method: 'PATCH', body: 'abc', headers: { ...chunk, 'upload-offset': '0' } }),
    ],
    ['tus.upload.delete', 204, (app, path) => app.call(path, { as: maria, method: 'DELETE', headers: tus })],
  ] as const satisfies readonly (readonly [string, number, (app: S3App, path: string) => Promise<Response>])[])(
    'a policy that allows %s alone allows nothing else',
    async ([operation, status, ask], { app }) => {
      const path = pathOf(await begin(app, 'a', 'service_role'))
      await allowOnly(app, 'something.else')
      expect((await ask(app, path)).status).toBe(403)
      await allowOnly(app, operation)
      expect((await ask(app, path)).status).toBe(status)
    },
  )

  test('an upload’s state is told without a policy, and a trigger sees what made the object', async ({ app }) => {
    await app.db.load(`create table public.seen (operation text); grant all on public.seen to public;
      create function public.note() returns trigger language plpgsql as $$
      begin
        insert into public.seen values (storage.operation());
        return null;
      end $$;
      create trigger note after insert on storage.objects for each row execute function public.note()`)
    const path = pathOf(await begin(app, 'a', 'service_role'))
    expect((await app.call(path, { as: maria, method: 'HEAD', headers: tus })).status).toBe(200)
    await app.call(path, { method: 'PATCH', body: 'abc', headers: { ...chunk, 'upload-offset': '0' } })
    await app.call('/upload/resumable', {
      method: 'POST',
      body: 'abc',
      headers: { ...tusOptions('b'), 'content-type': chunk['content-type'] },
    })
    const { data } = await app.client().from('b').createSignedUploadUrl('c')
    await app.call('/upload/resumable/sign', {
      as: null,
      method: 'POST',
      body: 'abc',
      headers: { ...tusOptions('c'), 'content-type': chunk['content-type'], 'x-signature': data?.token ?? '' },
    })
    await app.s3.send(new aws.PutObjectCommand({ Bucket: 'b', Key: 'd', Body: 'x' }))
    await app.s3.send(new aws.CopyObjectCommand({ Bucket: 'b', Key: 'e', CopySource: 'b/d' }))
    const multipart = { Bucket: 'b', Key: 'f' }
    const { UploadId } = await app.s3.send(new aws.CreateMultipartUploadCommand(multipart))
    await app.s3.send(new aws.UploadPartCommand({ ...multipart, UploadId, PartNumber: 1, Body: 'x' }))
    await app.s3.send(new aws.CompleteMultipartUploadCommand({ ...multipart, UploadId }))
    expect((await app.sql<{ operation: string }>('select operation from seen')).map((row) => row.operation)).toEqual([
      'storage.tus.upload.part',
      'storage.tus.upload.create',
      'storage.tus.upload.create_signed',
      'storage.s3.upload',
      'storage.s3.object.copy',
      'storage.s3.upload.complete_multipart',
    ])
  })
})

interface Prepared {
  readonly s3: aws.S3Client
  /** An upload with one part. */
  readonly upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string | undefined }
}

const b = { Bucket: 'b' }
const there = { Bucket: 'b', Key: 'there' }

/** What each comes to; two that differ prove that the policy was asked. */
const calls: readonly (readonly [operation: string, title: string, (prepared: Prepared) => Promise<unknown>])[] = [
  ['s3.bucket.list', 'ListBuckets', async ({ s3 }) => (await s3.send(new aws.ListBucketsCommand({}))).Buckets?.length],
  ['s3.bucket.create', 'CreateBucket', ({ s3 }) => s3.send(new aws.CreateBucketCommand({ Bucket: 'made' }))],
  ['s3.bucket.head', 'HeadBucket', ({ s3 }) => s3.send(new aws.HeadBucketCommand(b))],
  ['s3.bucket.delete', 'DeleteBucket', ({ s3 }) => s3.send(new aws.DeleteBucketCommand({ Bucket: 'open' }))],
  ['s3.bucket.get_location', 'GetBucketLocation', ({ s3 }) => s3.send(new aws.GetBucketLocationCommand(b))],
  ['s3.bucket.get_versioning', 'GetBucketVersioning', ({ s3 }) => s3.send(new aws.GetBucketVersioningCommand(b))],
  ['s3.object.list', 'ListObjects', async ({ s3 }) => (await s3.send(new aws.ListObjectsCommand(b))).Contents?.length],
  [
    's3.object.list',
    'ListObjectsV2',
    async ({ s3 }) => (await s3.send(new aws.ListObjectsV2Command(b))).Contents?.length,
  ],
  [
    's3.object.delete_many',
    'DeleteObjects',
    async ({ s3 }) =>
      (await s3.send(new aws.DeleteObjectsCommand({ ...b, Delete: { Objects: [{ Key: 'there' }] } }))).Deleted?.length,
  ],
  ['s3.object.get', 'GetObject', ({ s3 }) => s3.send(new aws.GetObjectCommand(there))],
  ['s3.object.info', 'HeadObject', ({ s3 }) => s3.send(new aws.HeadObjectCommand(there))],
  ['s3.object.get_tagging', 'GetObjectTagging', ({ s3 }) => s3.send(new aws.GetObjectTaggingCommand(there))],
  ['s3.upload', 'PutObject', ({ s3 }) => s3.send(new aws.PutObjectCommand({ ...b, Key: 'put', Body: 'x' }))],
  [
    's3.object.copy',
    'CopyObject',
    ({ s3 }) => s3.send(new aws.CopyObjectCommand({ ...b, Key: 'copy', CopySource: 'b/there' })),
  ],
  ['s3.object.delete', 'DeleteObject', ({ s3 }) => s3.send(new aws.DeleteObjectCommand(there))],
  [
    's3.upload.create_multipart',
    'CreateMultipartUpload',
    ({ s3 }) => s3.send(new aws.CreateMultipartUploadCommand({ ...b, Key: 'new' })),
  ],
  [
    's3.upload.part',
    'UploadPart',
    ({ s3, upload }) => s3.send(new aws.UploadPartCommand({ ...upload, PartNumber: 2, Body: 'x' })),
  ],
  [
    's3.upload.part_copy',
    'UploadPartCopy',
    ({ s3, upload }) => s3.send(new aws.UploadPartCopyCommand({ ...upload, PartNumber: 3, CopySource: 'b/there' })),
  ],
  ['s3.upload.list_parts', 'ListParts', ({ s3, upload }) => s3.send(new aws.ListPartsCommand(upload))],
  [
    's3.upload.list_multipart',
    'ListMultipartUploads',
    async ({ s3 }) => (await s3.send(new aws.ListMultipartUploadsCommand(b))).Uploads?.length,
  ],
  [
    's3.upload.complete_multipart',
    'CompleteMultipartUpload',
    ({ s3, upload }) => s3.send(new aws.CompleteMultipartUploadCommand(upload)),
  ],
  [
    's3.upload.abort_multipart',
    'AbortMultipartUpload',
    ({ s3, upload }) => s3.send(new aws.AbortMultipartUploadCommand(upload)),
  ],
]

describe('operations of S3 (storage §11)', () => {
  test('a policy that allows one alone allows it, and without it nothing', async ({ app }) => {
    const s3 = app.as({ accessKeyId: 'project', secretAccessKey: anonKey, sessionToken: app.token(maria) })
    for (const [operation, title, call] of calls) {
      await app.s3.send(new aws.PutObjectCommand({ ...there, Body: 'x' }))
      const begun = await app.s3.send(new aws.CreateMultipartUploadCommand({ ...b, Key: 'parts' }))
      const upload = { ...b, Key: 'parts', UploadId: begun.UploadId }
      await app.s3.send(new aws.UploadPartCommand({ ...upload, PartNumber: 1, Body: 'one' }))
      const outcome = () =>
        call({ s3, upload }).then(
          (value) => (typeof value === 'object' ? 'done' : (value ?? 0)),
          (error: Error) => error.name,
        )
      await allowOnly(app, 'something.else')
      const hidden = await outcome()
      await allowOnly(app, operation)
      const visible = await outcome()
      expect.soft([0, 'AccessDenied', 'NoSuchKey', 'NoSuchBucket', 'NotFound'], title).toContain(hidden)
      expect.soft(visible === 'done' || Number(visible) > 0, `${title}: ${visible}`).toBe(true)
    }
  })
})
