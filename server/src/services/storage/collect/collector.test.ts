import { randomUUID } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'
import { openStorage, type StorageApp } from '../../../../test/storage-app.ts'
import { removeOrphans } from './orphans.ts'

const test = base.extend('app', async ({ db }): Promise<StorageApp & { readonly db: TestDatabase }> => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
  return { ...app, db }
})

const admin = async <Row>(db: TestDatabase, text: string) => (await db.admin.query<Row>({ text, values: [] })).rows
const due = (db: TestDatabase) => admin(db, 'update clew_storage.removals set due_at = now()')

/** The ids of all files. */
async function filesOf({ files }: StorageApp): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id } of files.list()) ids.push(id)
  return ids.sort()
}

const used = async ({ sql }: StorageApp) =>
  (await sql<{ version: string }>('select version from storage.objects order by version')).map(({ version }) => version)

/** A file without a row, as old as that. */
async function orphan({ files, folder }: StorageApp, ageMs: number): Promise<string> {
  const id = randomUUID()
  await files.put(id, Readable.from(['x']), { limitBytes: 10 })
  const at = new Date(Date.now() - ageMs)
  await utimes(join(folder, 'objects', id.slice(-2), id), at, at)
  return id
}

test('replaced and deleted files are removed when they are due, and not before', async ({ app }) => {
  const client = app.client().from('b')
  for (const name of ['a', 'b', 'c']) await client.upload(name, name)
  await client.update('a', 'new')
  await client.remove(['b'])
  await app.storage.collector.collect()
  expect(await filesOf(app)).toHaveLength(4)
  expect(app.storage.collector.waiting()).toBe(2)
  await due(app.db)
  await app.storage.collector.collect()
  expect(await filesOf(app)).toEqual(await used(app))
  expect(await admin(app.db, 'select from clew_storage.removals')).toEqual([])
})

test('a file that a row names again stays', async ({ app }) => {
  await app.client().from('b').upload('a', 'x')
  await app.db.load(
    `insert into storage.objects (bucket_id, name, version) select 'b', 'twin', version from storage.objects`,
  )
  await app.client().from('b').remove(['a'])
  await due(app.db)
  await app.storage.collector.collect()
  expect(await (await app.client().from('b').download('twin')).data?.text()).toBe('x')
})

test('what a crash left between a file and its row is removed once it is an hour old', async ({ app }) => {
  await app.client().from('b').upload('a', 'x')
  const young = await orphan(app, 60_000)
  await orphan(app, 2 * 3_600_000)
  expect(await app.storage.collector.removeOrphans()).toEqual({ files: 3, stranded: 1, suspicious: 0, missing: 0 })
  expect(await filesOf(app)).toHaveLength(3)
  await due(app.db)
  await app.storage.collector.collect()
  expect(await filesOf(app)).toEqual([...(await used(app)), young].sort())
})

test('files of another database’s are kept, and told', async ({ app }) => {
  for (let count = 0; count < 101; count += 1) await orphan(app, 2 * 3_600_000)
  expect(await app.storage.collector.removeOrphans()).toEqual({ files: 101, stranded: 0, suspicious: 101, missing: 0 })
  expect(app.storage.collector.health()).toMatchObject({ state: 'degraded' })
})

test('a bucket is emptied of what was in it, beyond what policies show', async ({ app }) => {
  await app.db.load(`insert into storage.objects (bucket_id, name) select 'b', n::text from generate_series(1, 1200) n`)
  await app.client().from('b').upload('file', 'x')
  expect((await app.client().emptyBucket('b')).data).toEqual({
    message: 'Empty bucket has been queued. Completion may take up to an hour.',
  })
  expect(await app.sql('select from storage.objects')).toEqual([])
  expect(await admin(app.db, 'select from clew_storage.emptied_buckets')).toEqual([])
  expect((await app.client().deleteBucket('b')).error).toBeNull()
  expect((await app.client().emptyBucket('b')).error).toMatchObject({ statusCode: '404' })
})

test('a large bucket is emptied later, but for what came after; one that is too large is refused', async ({ db }) => {
  const app = await openStorage(db, { settings: { emptyBucketObjects: 6000 } })
  await db.load(`
    insert into storage.buckets (id, name) values ('b', 'b');
    insert into storage.objects (bucket_id, name) select 'b', n::text from generate_series(1, 5500) n`)
  expect((await app.client().emptyBucket('b')).error).toBeNull()
  expect(await app.sql('select from storage.objects')).toHaveLength(500)
  await app.client().from('b').upload('later', 'x')
  await app.storage.collector.collect()
  expect(await app.sql('select name from storage.objects')).toEqual([{ name: 'later' }])
  await db.load(`insert into storage.objects (bucket_id, name) select 'b', n::text from generate_series(1, 6000) n`)
  expect((await app.client().emptyBucket('b')).error).toMatchObject({
    statusCode: '409',
    message: 'Unable to empty the bucket because it contains too many objects',
  })
})

test('an upload whose connection ends in mid-commit leaves no row without its file, and its file to the sweeper', async ({
  app,
}) => {
  await admin(
    app.db,
    `create function public.end_connection() returns trigger language plpgsql security definer as $$
    begin
      perform pg_terminate_backend(pg_backend_pid());
      return null;
    end $$`,
  )
  await admin(
    app.db,
    `create constraint trigger end_connection after insert on storage.objects deferrable initially deferred
      for each row when (new.name = 'ended' and new.version <> '1') execute function public.end_connection()`,
  )
  const { error } = await app.client().from('b').upload('ended', 'text')
  expect(error).toMatchObject({ statusCode: '500' })
  expect(await app.sql('select from storage.objects')).toEqual([])
  const [file = ''] = await filesOf(app)
  const at = new Date(Date.now() - 2 * 3_600_000)
  await utimes(join(app.folder, 'objects', file.slice(-2), file), at, at)
  expect(await app.storage.collector.removeOrphans()).toMatchObject({ stranded: 1 })
  await due(app.db)
  await app.storage.collector.collect()
  expect(await filesOf(app)).toEqual([])
  await admin(app.db, 'drop trigger end_connection on storage.objects')
  expect((await app.client().from('b').upload('ended', 'text')).error).toBeNull()
})

test('objects whose files are gone are counted, and told', async ({ app }) => {
  for (const name of ['a', 'b', 'c']) await app.client().from('b').upload(name, name)
  await app.db.load(`insert into storage.objects (bucket_id, name) values ('b', 'by SQL')`)
  const [first = '', ...others] = await used(app)
  await app.files.remove([first])
  const later = new Date(Date.now() + 60_000)
  expect(await removeOrphans({ sql: app.db.admin, files: app.files, now: () => later })).toMatchObject({ missing: 1 })
  await app.storage.collector.removeOrphans()
  expect(app.storage.collector.health()).toMatchObject({
    state: 'degraded',
    detail: expect.stringContaining('1 objects'),
  })
  expect(await filesOf(app)).toEqual(others.filter((version) => version !== null))
})
