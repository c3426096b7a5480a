import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openTestDatabase, type TestDatabase, test } from '../../../test/harness.ts'
import { openStorage, type StorageApp } from '../../../test/storage-app.ts'
import { dumpSchema } from '../../engines/postgres/index.ts'
import { openExportSource } from '../files/file-source.ts'
import { openStorageApi } from '../files/storage-api.ts'
import { importDatabase } from '../import/import-database.ts'
import { exportProject } from './export-project.ts'

const events = new URL('../../services/analytics/migrations/clickhouse/', import.meta.url)

const addressOf = (db: TestDatabase, role = 'postgres'): string => {
  const { host, port, user, database } = db.login(role)
  return `host='${host}' port=${port} user=${user} dbname=${database}`
}

const select = async (db: TestDatabase, text: string) => (await db.admin.query({ text, values: [] })).rows

const application = `
  create extension if not exists supabase_vault with schema vault;
  create extension if not exists pg_cron;
  create extension if not exists pgmq;
  select pgmq.create('reminders');
  select pgmq.create_unlogged('fast');
  select pgmq.send('reminders', jsonb_build_object('n', n)) from generate_series(1, 3) n;
  select pgmq.archive('reminders', 2::bigint);
  create table public.notes (id int primary key generated always as identity, owner uuid references auth.users, body text);
  alter table public.notes enable row level security;
  create policy own on public.notes using (owner = auth.uid());
  revoke all on public.notes from anon;
  insert into auth.users (id, email) values ('11111111-1111-4111-8111-111111111111', 'ann@shop.test');
  insert into public.notes (owner, body)
    select '11111111-1111-4111-8111-111111111111', E'a\\tb\\\\ ' || n from generate_series(1, 500) n;
  create policy readers on storage.objects for select to authenticated using (bucket_id = 'papers');
  create policy writers on storage.objects for insert to authenticated with check (owner_id = auth.uid()::text);
  select vault.create_secret('s3cr''et', 'key');
  select cron.schedule('nightly', '0 3 * * *', 'select ''it''''s''');`

/** Objects with all that a row says; versions name files, and are new. */
const objects = `
  select to_jsonb(o) - 'version' as object from storage.objects o order by bucket_id, name collate "C"`

const ann = '11111111-1111-4111-8111-111111111111'

/** Objects of two owners, whose keys are the paths of a disk, and some that are not. */
async function storeFiles(app: StorageApp): Promise<readonly (readonly [bucket: string, key: string, text: string])[]> {
  const stored = [
    ['papers', 'a b/one.txt', 'one of Ann'],
    ['papers', 'a', 'a key'],
    ['papers', 'a/b', 'a key below'],
    ['papers', 'twice//', 'slashes'],
    ['of others', 'x', 'upwards'],
    ['papers', 'empty', ''],
  ] as const
  for (const name of ['papers', 'of others']) await app.client().createBucket(name)
  for (const [bucket, key, text] of stored)
    await app.call(`/object/${encodeURIComponent(bucket)}/${key}`, {
      method: 'POST',
      body: text,
      as: key === 'a b/one.txt' ? ann : 'service_role',
      headers: {
        'content-type': 'text/plain',
        'cache-control': 'max-age=7',
        'x-metadata': Buffer.from(JSON.stringify({ of: key })).toString('base64'),
      },
    })
  // As a seed makes one, without a file.
  await app.sql(`insert into storage.objects (bucket_id, name) values ('papers', 'seeded')`)
  return stored
}

test('what was exported is imported again, and nothing of it changed', async ({ db, clickhouse }) => {
  await clickhouse.migrate('analytics', events)
  const count = 2_500
  const rows = Array.from({ length: count }, (_, n) => ({
    uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    event: 'bought',
    distinct_id: `person ${n}`,
    timestamp: '2026-01-01 00:00:00.000',
    client_time: '2026-01-01 00:00:00.000',
    received_at: '2026-01-01 00:00:00.000',
    properties: '{"n":1}',
  }))
  await clickhouse.insert('events', rows)
  await clickhouse.insert('events', rows.slice(0, 10), { token: 'once more' })
  await db.script(application)
  // As it is called while partitions of messages are kept: it leaves a comment.
  await db.admin.query({ text: 'select clew.lock_publication()', values: [] })
  const app = await openStorage(db)
  const stored = await storeFiles(app)
  const folder = await mkdtemp(join(tmpdir(), 'clew-export-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const to = join(folder, 'export')
  const run = () =>
    exportProject({
      address: addressOf(db),
      clickhouse,
      storage: openStorageApi({ url: app.url, key: app.token('service_role') }),
      folder: to,
      withSecrets: true,
      now: () => new Date('2026-11-22T12:00:00Z'),
      release: '1.2.3',
      progress: () => undefined,
    })
  const manifest = await run()
  expect(JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8'))).toEqual(manifest)
  expect(manifest).toMatchObject({ createdAt: '2026-11-22T12:00:00.000Z', clew: '1.2.3', notes: [] })
  expect(manifest.tables).toMatchObject({
    'public.notes': 500,
    'auth.users': 1,
    'storage.buckets': 2,
    'storage.objects': 7,
  })
  expect(manifest).toMatchObject({ storage: { files: 6, bytes: 40 }, missing: [] })
  expect(await readFile(join(to, 'storage', 'papers', 'a b', 'one.txt'), 'utf8')).toBe('one of Ann')
  for (const { path, bytes, sha256 } of manifest.files) {
    const content = await readFile(join(to, path))
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
  }
  await expect(run()).rejects.toMatchObject({ code: 'CLEW_EXPORT_FOLDER' })

  const [parquet] = manifest.files.filter(({ path }) => path.endsWith('.parquet'))
  expect(parquet?.rows).toBe(count)
  const read = `select toString(count()) as n, toString(uniqExact(uuid)) as ids, any(event) as event
    from file('${join(to, parquet?.path ?? '')}', 'Parquet')`
  expect(await clickhouse.query({ text: read, parameters: {} })).toEqual([
    { n: String(count), ids: String(count), event: 'bought' },
  ])

  const other = await openTestDatabase(2)
  try {
    const target = await openStorage(other)
    const report = await importDatabase({
      origin: 'supabase',
      from: { kind: 'file', path: join(to, 'dump.sql') },
      targetAddress: addressOf(other),
      activatesJobs: false,
      files: {
        source: await openExportSource(to),
        target: openStorageApi({ url: target.url, key: target.token('service_role') }),
        jobs: 3,
        retryDelaysMs: [],
      },
      progress: () => undefined,
    })
    expect(report).toMatchObject({ failed: [], files: { moved: 6, bytes: 40, alreadyThere: 0 } })
    const args = ['--schema=public']
    expect(await dumpSchema(addressOf(other, 'supabase_admin'), { args })).toBe(
      await dumpSchema(addressOf(db, 'supabase_admin'), { args }),
    )
    const contents = `
      select (select md5(string_agg(n::text, chr(10) order by id)) from public.notes n) as notes,
        (select md5(string_agg(u::text, chr(10) order by id)) from auth.users u) as users,
        (select string_agg(decrypted_secret, ',') from vault.decrypted_secrets) as secrets,
        (select string_agg(jobname || command || active, ',') from cron.job) as jobs,
        (select string_agg(queue_name || is_unlogged, ',' order by queue_name) from pgmq.meta) as queues,
        (select jsonb_agg(to_jsonb(q) order by msg_id) from pgmq.q_reminders q) as messages,
        (select jsonb_agg(to_jsonb(a) order by msg_id) from pgmq.a_reminders a) as archived,
        (select string_agg(policyname, ',' order by policyname) from pg_policies where schemaname = 'storage') as policies,
        has_table_privilege('anon', 'public.notes', 'select') as anon_reads`
    expect(await select(other, contents)).toEqual(await select(db, contents))
    expect(await select(other, objects)).toEqual(await select(db, objects))
    for (const [bucket, key, text] of stored) {
      const { data } = await target.client().from(bucket).download(key)
      expect(await data?.text()).toBe(text)
    }
  } finally {
    await other.close()
  }
})
