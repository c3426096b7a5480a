import { createHash } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openTestDatabase, type TestDatabase, test } from '../../../test/harness.ts'
import { openStorage, type StorageApp } from '../../../test/storage-app.ts'
import { importDatabase } from '../import/import-database.ts'
import { type FileSource, openS3Source } from './file-source.ts'
import { openStorageApi } from './storage-api.ts'

const addressOf = (db: TestDatabase): string => {
  const { host, port, user, database } = db.login('postgres')
  return `host='${host}' port=${port} user=${user} dbname=${database}`
}

const ann = '11111111-1111-4111-8111-111111111111'
const objects = `select to_jsonb(o) - 'version' as object from storage.objects o order by bucket_id, name collate "C"`

/** A project with objects of several owners, the largest of several pieces. */
async function fill(app: StorageApp): Promise<void> {
  await app.client().createBucket('papers')
  await app.sql(`create table public.covers (object uuid references storage.objects)`)
  await app.sql(`create policy own on storage.objects for insert to authenticated with check (true)`)
  const upload = async (key: string, body: string | Buffer, who: string | null) => {
    const options = { contentType: 'text/plain', cacheControl: '60', metadata: { of: key } }
    expect((await app.client(who).from('papers').upload(key, body, options)).error).toBeNull()
  }
  await upload('ann/one.txt', 'one', ann)
  await upload('two.txt', 'two', null)
  await upload('large.bin', Buffer.alloc(3 * 1024 ** 2, 7), null)
  await app.sql(`
    update storage.objects
    set metadata = metadata || '{"eTag": "\\"of-parts-2\\""}', created_at = '2020-01-01T00:00:00.123456Z'
    where name = 'two.txt'`)
  await app.sql(`insert into public.covers select id from storage.objects where name = 'ann/one.txt'`)
}

describe('files of another project', () => {
  let other: TestDatabase
  beforeAll(async () => {
    other = await openTestDatabase(2)
  })
  afterAll(() => other.close())

  const run = async (db: TestDatabase, target: StorageApp, source: FileSource) => {
    const api = openStorageApi({ url: target.url, key: target.token('service_role') })
    const report = await importDatabase({
      origin: 'supabase',
      from: { kind: 'database', address: addressOf(other) },
      targetAddress: addressOf(db),
      activatesJobs: false,
      files: { source, target: api, jobs: 2, retryDelaysMs: [] },
      progress: () => undefined,
    })
    return { failed: report.failed, files: report.files }
  }

  test('come with all that their rows say; what is there is not fetched again, and what failed is', async ({ db }) => {
    const app = await openStorage(other)
    await fill(app)
    const target = await openStorage(db)
    const api = openStorageApi({ url: app.url, key: app.token('service_role') })
    const source: FileSource = { download: api.download, check: api.buckets, close: api.close }
    const fetched = () => app.ended.filter(({ context }) => context.method === 'GET').length

    // A file that the other project has lost.
    const { rows } = await other.admin.query<{ version: string }>({
      text: `select version from storage.objects where name = 'two.txt'`,
      values: [],
    })
    const lost = (await readdir(app.folder, { recursive: true })).find((path) => path.includes(rows[0]?.version ?? ''))
    await rename(join(app.folder, lost ?? ''), join(app.folder, 'away'))
    expect(await run(db, target, source)).toEqual({
      failed: [{ what: 'the file papers/two.txt', reason: 'The resource was not found' }],
      files: { moved: 2, bytes: 3 * 1024 ** 2 + 3, alreadyThere: 0 },
    })
    await rename(join(app.folder, 'away'), join(app.folder, lost ?? ''))
    const before = fetched()
    expect(await run(db, target, source)).toEqual({ failed: [], files: { moved: 1, bytes: 3, alreadyThere: 2 } })
    expect(fetched() - before).toBe(1)
    expect((await db.admin.query({ text: objects, values: [] })).rows).toEqual(
      (await other.admin.query({ text: objects, values: [] })).rows,
    )
    expect(await target.sql('select count(*)::int as covers from public.covers')).toEqual([{ covers: 1 }])
    const large = (await target.client().from('papers').download('large.bin')).data
    expect(
      createHash('md5')
        .update(Buffer.from((await large?.arrayBuffer()) ?? new ArrayBuffer(0)))
        .digest('hex'),
    ).toBe(
      createHash('md5')
        .update(Buffer.alloc(3 * 1024 ** 2, 7))
        .digest('hex'),
    )

    // What changed since is replaced, and what is new comes in.
    await app.client().from('papers').update('ann/one.txt', 'one more', { contentType: 'text/plain' })
    expect(await run(db, target, source)).toEqual({ failed: [], files: { moved: 1, bytes: 8, alreadyThere: 2 } })
    expect(await (await target.client().from('papers').download('ann/one.txt')).data?.text()).toBe('one more')

    // The S3 protocol reads them as well.
    await app.client().from('papers').upload('three.txt', 'three')
    const s3 = await openS3Source({
      // The public access key of local mode.
      endpoint: `${app.url}/storage/v1/s3`,
      region: 'local',
      accessKeyId: '625729a08b95bf1b7ff351a663f3a23c',
      secretAccessKey: '850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907',
    })
    await s3.check()
    expect(await run(db, target, s3)).toEqual({ failed: [], files: { moved: 1, bytes: 5, alreadyThere: 3 } })
    s3.close()
  })

  test('without a source of them objects are left out, and counted', async ({ db }) => {
    const report = await importDatabase({
      origin: 'supabase',
      from: { kind: 'database', address: addressOf(other) },
      targetAddress: addressOf(db),
      activatesJobs: false,
      files: null,
      progress: () => undefined,
    })
    expect(report.notes).toContain('Left out: stored objects, whose files were not to be moved: 4.')
    expect((await db.admin.query({ text: objects, values: [] })).rows).toEqual([])
  })
})
