import { describe, expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'
import { openStorage, type StorageApp } from '../../../../test/storage-app.ts'

const maria = '11111111-1111-4111-8111-111111111111'
const json = { 'content-type': 'application/json' }

const test = base.extend('app', async ({ db }): Promise<StorageApp & { readonly db: TestDatabase }> => {
  const app = await openStorage(db)
  await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
  await app.client().from('b').upload('there', 'text')
  return { ...app, db }
})

type Operation = (app: StorageApp) => Promise<Response>
const post =
  (path: string, body: object): Operation =>
  ({ call }) =>
    call(path, { as: maria, method: 'POST', body: JSON.stringify(body), headers: json })

const operations = {
  upload: ({ call }) => call('/object/b/new', { as: maria, method: 'POST', body: 'x' }),
  'upload with upsert': ({ call }) =>
    call('/object/b/there', { as: maria, method: 'POST', body: 'x', headers: { 'x-upsert': 'true' } }),
  'sign an upload': post('/object/upload/sign/b/new', {}),
  download: ({ call }) => call('/object/b/there', { as: maria }),
  'download by its own route': ({ call }) => call('/object/authenticated/b/there', { as: maria }),
  info: ({ call }) => call('/object/info/b/there', { as: maria }),
  sign: post('/object/sign/b/there', { expiresIn: 60 }),
  remove: ({ call }) => call('/object/b/there', { as: maria, method: 'DELETE' }),
  move: post('/object/move', { bucketId: 'b', sourceKey: 'there', destinationKey: 'moved' }),
  copy: post('/object/copy', { bucketId: 'b', sourceKey: 'there', destinationKey: 'copied' }),
} satisfies Record<string, Operation>

const denied = {
  statusCode: '403',
  error: 'Unauthorized',
  message: 'new row violates row-level security policy',
  code: 'AccessDenied',
}
const hidden = { statusCode: '404', error: 'not_found', message: 'Object not found', code: 'NoSuchKey' }
const forbidden = { statusCode: '403', error: 'Unauthorized', message: 'Access denied', code: 'AccessDenied' }

describe('what each operation needs of the policies on storage.objects (storage §5)', () => {
  test.for([
    ['upload', '', denied],
    ['upload', 'insert', null],
    ['upload with upsert', 'insert', denied],
    ['upload with upsert', 'insert update', denied],
    ['upload with upsert', 'insert update select', null],
    ['sign an upload', '', denied],
    ['sign an upload', 'insert', null],
    ['download', 'insert update delete', hidden],
    ['download', 'select', null],
    ['download by its own route', '', hidden],
    ['download by its own route', 'select', null],
    ['info', '', hidden],
    ['info', 'select', null],
    ['sign', '', hidden],
    ['sign', 'select', null],
    ['remove', '', forbidden],
    ['remove', 'delete', forbidden],
    ['remove', 'select', forbidden],
    ['remove', 'select delete', null],
    ['move', 'update', hidden],
    ['move', 'select', denied],
    ['move', 'select update', null],
    ['copy', 'insert', hidden],
    ['copy', 'select', denied],
    ['copy', 'select insert', null],
  ] as const)('%s with policies for: %s', async ([operation, commands, refused], { app }) => {
    for (const command of commands.split(' ').filter((each) => each !== ''))
      await app.db.load(
        `create policy "${command}" on storage.objects for ${command} to authenticated
         ${command === 'insert' ? 'with check' : 'using'} (bucket_id = 'b')`,
      )
    const answer = await operations[operation](app)
    const body: unknown = await answer.text()
    if (refused === null) expect([answer.status, body]).toEqual([200, expect.any(String)])
    else expect([answer.status, JSON.parse(String(body))]).toEqual([400, refused])
  })
})

test('policies see the row, the operation and the headers, and not only the key', async ({ app }) => {
  await app.db.load(`
    create policy "small images of one's own" on storage.objects for insert to authenticated with check (
      owner_id = auth.uid()::text and owner = auth.uid() and (storage.foldername(name))[1] = auth.uid()::text
      and metadata ->> 'mimetype' = 'image/png' and (metadata ->> 'contentLength')::int < 100
      and user_metadata ->> 'kind' = 'photo' and version = '1'
      and storage.allow_only_operation('object.upload')
      and current_setting('request.headers')::json ->> 'x-kind' = 'test'
      and current_setting('request.method') = 'POST' and current_setting('request.path') like '/object/b/%'
    )`)
  const upload = (path: string, headers: Record<string, string> = {}) =>
    app.call(`/object/b/${path}`, {
      as: maria,
      method: 'POST',
      body: 'x',
      headers: {
        'content-type': 'image/png',
        'x-kind': 'test',
        'x-metadata': Buffer.from('{"kind":"photo"}').toString('base64'),
        ...headers,
      },
    })
  expect((await upload(`${maria}/a.png`)).status).toBe(200)
  expect((await upload('other/a.png')).status).toBe(400)
  expect((await upload(`${maria}/b.png`, { 'content-type': 'image/gif' })).status).toBe(400)
  expect((await upload(`${maria}/c.png`, { 'x-kind': 'other' })).status).toBe(400)
  expect(await app.sql(`select name, owner_id, owner::text from storage.objects where owner is not null`)).toEqual([
    { name: `${maria}/a.png`, owner_id: maria, owner: maria },
  ])
})

test('lists and bulk deletions leave out what is hidden', async ({ app }) => {
  await app.client().from('b').upload('mine/1', 'x')
  await app.db.load(`
    create policy "mine" on storage.objects for select to authenticated using (name like 'mine/%');
    create policy "mine too" on storage.objects for delete to authenticated using (true)`)
  const own = app.client(maria).from('b')
  expect((await own.list('')).data?.map(({ name }) => name)).toEqual(['mine'])
  expect((await own.listV2()).data?.objects.map(({ name }) => name)).toEqual(['mine/1'])
  expect((await own.createSignedUrls(['there', 'mine/1'], 60)).data?.map(({ error }) => error === null)).toEqual([
    false,
    true,
  ])
  expect((await own.remove(['there', 'mine/1'])).data?.map(({ name }) => name)).toEqual(['mine/1'])
  expect(await app.sql('select name from storage.objects')).toEqual([{ name: 'there' }])
})

test('a policy on moves sees the new name', async ({ app }) => {
  await app.db.load(`
    create policy "read" on storage.objects for select to authenticated using (true);
    create policy "archive" on storage.objects for update to authenticated using (name = 'there') with check (name like 'archive/%')`)
  const own = app.client(maria).from('b')
  expect((await own.move('there', 'elsewhere')).error).toMatchObject({ statusCode: '403' })
  expect((await own.move('there', 'archive/there')).error).toBeNull()
  expect(await (await app.client().from('b').download('archive/there')).data?.text()).toBe('text')
})

test('a policy that calls functions of the application finds their tables', async ({ app }) => {
  await app.db.load(`
    create table public.members (user_id uuid);
    insert into public.members values ('${maria}');
    create function public.is_member() returns boolean language sql stable security definer
      as 'select exists (select from members where user_id = auth.uid())';
    create policy "members" on storage.objects for select to authenticated using (is_member())`)
  expect((await app.client(maria).from('b').list('')).data).toHaveLength(1)
  expect((await app.client(maria.replace('1', '2')).from('b').list('')).data).toHaveLength(0)
})

test('a short upload of a user is one transaction, and two where triggers must have the rights of the service', async ({
  app,
}) => {
  await app.db.load(
    `create policy "all" on storage.objects to authenticated using (name <> 'no') with check (name <> 'no')`,
  )
  const form = (text: string) => {
    const body = new FormData()
    body.append('', new Blob([text], { type: 'text/plain' }))
    body.append('metadata', '{"late":true}')
    return body
  }
  const upload = async (name: string, body: string | FormData) => {
    const { status } = await app.call(`/object/b/${name}`, { as: maria, method: 'PUT', body })
    const find = () => app.ended.find(({ context }) => context.path.endsWith(`/b/${name}`))
    await expect.poll(find).toBeDefined()
    return { status, statements: find()?.context.statements.length }
  }
  expect(await upload('there', 'new')).toMatchObject({ status: 200, statements: 1 })
  expect(await upload('form', form('text'))).toMatchObject({ status: 200, statements: 1 })
  expect(
    await app.sql("select name, owner_id, user_metadata, metadata ->> 'size' as size from storage.objects order by 1"),
  ).toEqual([
    { name: 'form', owner_id: maria, user_metadata: { late: true }, size: '4' },
    { name: 'there', owner_id: maria, user_metadata: {}, size: '3' },
  ])
  expect(await (await app.call('/object/b/form', { as: maria })).text()).toBe('text')
  expect((await upload('no', 'x')).status).toBe(400)
  const kept: string[] = []
  for await (const { id } of app.files.list()) kept.push(id)
  // Two objects, and the file that was replaced.
  expect(kept).toHaveLength(3)
  const queued = await app.db.admin.query({ text: 'select file_id::text as id from clew_storage.removals', values: [] })
  expect(queued.rows).toEqual([{ id: expect.any(String) }])

  await app.db.load(`create table public.seen (who text);
    create function public.note() returns trigger language plpgsql as $$
    begin insert into public.seen values (current_user); return null; end $$;
    grant insert on public.seen to service_role, authenticated;
    create trigger note after insert on storage.objects for each row execute function public.note()`)
  expect(await upload('seen', 'x')).toMatchObject({ status: 200, statements: 3 })
  expect(await app.sql('select who from seen')).toEqual([{ who: 'service_role' }])
})
