import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as aws from '@aws-sdk/client-s3'
import { describe, expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { openS3, openS3InBucket, type S3App } from '../../../../test/s3-app.ts'
import { removeOrphans } from './orphans.ts'

const maria = '11111111-1111-4111-8111-111111111111'
const later = (hours: number) => () => new Date(Date.now() + hours * 3_600_000)

const admin = async <Row>({ db }: S3App, text: string) => (await db.admin.query<Row>({ text, values: [] })).rows

async function filesOf({ files }: S3App): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id } of files.list()) ids.push(id)
  return ids.sort()
}

const named = async (app: S3App) =>
  (
    await admin<{ id: string }>(
      app,
      `select version as id from storage.objects
       union select id::text from clew_storage.resumable_uploads
       union select version from storage.s3_multipart_uploads_parts order by id`,
    )
  ).map(({ id }) => id)

/** Removes what is queued, as if its time had come. */
async function collect(app: S3App): Promise<void> {
  await admin(app, 'update clew_storage.removals set due_at = now()')
  await app.storage.collector.collect()
}

/** All that is removed by itself. */
async function sweep(app: S3App): Promise<void> {
  await collect(app)
  await removeOrphans({ sql: app.db.admin, files: app.files, now: later(2) })
  await collect(app)
}

const tus = { 'tus-resumable': '1.0.0' }
const encoded = (text: string) => Buffer.from(text).toString('base64')

/** Two objects of Maria's, one that was replaced, an upload of each protocol that goes on. */
async function fill(app: S3App): Promise<void> {
  await app.db.load(`create policy own on storage.objects for all to authenticated using (true) with check (true)`)
  const own = app.client(maria).from('b')
  for (const name of ['one', 'two']) expect((await own.upload(name, name)).error).toBeNull()
  expect((await own.update('two', 'new')).error).toBeNull()
  await app.call('/upload/resumable', {
    as: maria,
    method: 'POST',
    body: 'half',
    headers: {
      ...tus,
      'content-type': 'application/offset+octet-stream',
      'upload-length': '8',
      'upload-metadata': `bucketName ${encoded('b')},objectName ${encoded('resumable')}`,
    },
  })
  const multipart = { Bucket: 'b', Key: 'multipart' }
  const { UploadId } = await app.s3.send(new aws.CreateMultipartUploadCommand(multipart))
  await app.s3.send(new aws.UploadPartCommand({ ...multipart, UploadId, PartNumber: 1, Body: 'part' }))
}

const allowed = `set local storage.allow_delete_query = 'true';`
const clearing = (bucket: string) =>
  `${allowed} delete from storage.s3_multipart_uploads where bucket_id = '${bucket}';
   delete from storage.objects where bucket_id = '${bucket}'; delete from storage.buckets where id = '${bucket}'`

const removals: readonly (readonly [title: string, objects: number, (app: S3App) => Promise<unknown>])[] = [
  [
    'its owner is deleted by SQL',
    2,
    ({ db }) =>
      db.admin.query({
        text: `with made as (insert into auth.users (id) values ('${maria}')) delete from auth.users`,
        values: [],
      }),
  ],
  ['its row’s owner is cleared', 2, (app) => admin(app, `update storage.objects set owner = null, owner_id = null`)],
  ['its row is deleted by SQL', 1, ({ db }) => db.load(`${allowed} delete from storage.objects where name = 'one'`)],
  ['a row’s version is changed by SQL', 2, ({ db }) => db.load(`update storage.objects set version = null`)],
  ['all rows are truncated', 0, ({ db }) => db.load('truncate storage.objects')],
  ['buckets are truncated', 0, (app) => admin(app, `truncate storage.buckets cascade`)],
  ['its bucket is deleted by SQL', 0, (app) => admin(app, clearing('b'))],
  ['its bucket is emptied', 0, (app) => app.client().emptyBucket('b')],
  ['its bucket’s name changes', 2, ({ db }) => db.load(`update storage.buckets set name = 'other' where id = 'b'`)],
]

describe.each([
  ['a folder', (db: TestDatabase) => openS3(db)],
  ['a bucket elsewhere', openS3InBucket],
] as const)('files in %s', (_where, open) => {
  test.for(removals)(
    'nothing is left without a row, nor a row without its file, when %s',
    async ([, objects, remove], { db }) => {
      const app = await open(db)
      await fill(app)
      expect((await filesOf(app)).length).toBeGreaterThan((await named(app)).length)
      await remove(app)
      await sweep(app)
      const rows = await admin<{ version: string | null }>(app, 'select version from storage.objects')
      expect(rows).toHaveLength(objects)
      expect(await filesOf(app)).toEqual((await named(app)).filter((id) => id !== null))
    },
  )

  test('the sweep leaves what goes on, and what is read, and tells what it has removed', async ({ db }) => {
    const app = await open(db)
    await fill(app)
    await collect(app)
    const stranded = [randomUUID(), randomUUID(), randomUUID()]
    for (const id of stranded) await app.files.put(id, Readable.from(['stranded']), { limitBytes: 10 })
    await app.files.partial.create(stranded[0] ?? '')
    const before = await filesOf(app)
    const read = await app.files.get(stranded[1] ?? '')
    expect(await removeOrphans({ sql: app.db.admin, files: app.files, now: () => new Date() })).toMatchObject({
      stranded: 0,
    })
    expect(await filesOf(app)).toEqual(before)
    const report = await removeOrphans({ sql: app.db.admin, files: app.files, now: later(2) })
    expect(report).toMatchObject({ files: before.length, suspicious: 0, missing: 0 })
    expect(report.stranded).toBeGreaterThanOrEqual(3)
    // Its bytes were whole, and old by their date, before its row was written.
    await app.db.load(`insert into storage.objects (bucket_id, name, version) values ('b', 'late', '${stranded[2]}')`)
    await collect(app)
    expect((await buffer(read)).toString()).toBe('stranded')
    expect(await filesOf(app)).toEqual(await named(app))
    expect(await (await app.call('/object/b/two')).text()).toBe('new')
  })
})
