import { describe, expect } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'

const rows = async <Row>(db: TestDatabase, text: string, ...values: unknown[]) =>
  (await db.owner.query<Row>({ text, values })).rows

const value = async (db: TestDatabase, text: string, ...values: unknown[]) => {
  const [row] = await rows<Record<string, unknown>>(db, text, ...values)
  return Object.values(row ?? {})[0]
}

/** Runs statements as an API role, with its claims. */
const as = <T>(
  db: TestDatabase,
  role: string,
  body: (query: (text: string) => Promise<readonly T[]>) => Promise<void>,
) =>
  db.owner.transaction(async (sql) => {
    await sql.query({ text: `set local role ${role}`, values: [] })
    await body(async (text) => (await sql.query<T>({ text, values: [] })).rows)
  })

const fill = (db: TestDatabase, names: readonly string[]) =>
  db.owner.query({
    text: `with bucket as (insert into storage.buckets (id, name) values ('b', 'b') returning id)
      insert into storage.objects (bucket_id, name)
      select bucket.id, n from bucket, unnest($1::text[]) n`,
    values: [names],
  })

describe('what migrations and seeds of a project do (project-folder §5)', () => {
  test('insert buckets and objects, make policies, triggers and indexes, and drop them again', async ({ db }) => {
    await db.load(`
      insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
      values ('avatars', 'avatars', true, 1000, '{image/*}') on conflict (id) do nothing;
      insert into storage.objects (bucket_id, name, owner, metadata) values ('avatars', 'a/b.png', gen_random_uuid(), '{"size": 3}');
      create policy "own folder" on storage.objects for select to authenticated
        using (bucket_id = 'avatars' and (storage.foldername(name))[1] = 'a');
      create policy "buckets" on storage.buckets for select to anon using (public);
      create function public.touched() returns trigger language plpgsql as 'begin return new; end';
      create trigger touched after insert on storage.objects for each row execute function public.touched();
      create index on storage.objects (owner);
      drop trigger touched on storage.objects;
      alter policy "own folder" on storage.objects to authenticated, anon;
      drop policy "buckets" on storage.buckets;`)
    await as<{ name: string; path_tokens: string[] }>(db, 'anon', async (query) => {
      expect(await query('select name, path_tokens from storage.objects')).toEqual([
        { name: 'a/b.png', path_tokens: ['a', 'b.png'] },
      ])
      expect(await query('select from storage.buckets')).toEqual([])
    })
  })

  test('without policies an API role sees and writes nothing', async ({ db }) => {
    await fill(db, ['a'])
    await as(db, 'authenticated', async (query) => {
      expect(await query('select from storage.objects union all select from storage.buckets')).toEqual([])
    })
    const inserted = as(db, 'authenticated', async (query) => {
      await query(`insert into storage.objects (bucket_id, name) values ('b', 'c')`)
    })
    await expect(inserted).rejects.toThrow('new row violates row-level security policy for table "objects"')
  })

  test.for([`delete from storage.objects`, `delete from storage.buckets`, `delete from storage.objects where false`])(
    '%s is refused',
    async (text, { db }) => {
      await expect(db.load(text)).rejects.toMatchObject({
        message: 'Direct deletion from storage tables is not allowed. Use the Storage API instead.',
        code: '42501',
      })
      await db.load(`set local storage.allow_delete_query = 'true'; ${text}`)
    },
  )

  test.for([
    'alter table storage.objects drop column owner',
    'drop table storage.objects cascade',
    'alter table storage.objects disable row level security',
    'select * from clew_storage.removals',
  ])('%s is denied to the application’s owner', async (text, { db }) => {
    await expect(db.load(text)).rejects.toMatchObject({ code: '42501' })
  })

  test('a bucket’s name has 100 characters at most', async ({ db }) => {
    await expect(db.load(`insert into storage.buckets (id, name) values ('long', repeat('x', 101))`)).rejects.toThrow(
      'bucket name "xxx',
    )
  })

  test('an update refreshes updated_at', async ({ db }) => {
    await fill(db, ['a'])
    await db.load(`update storage.objects set updated_at = 'epoch', metadata = '{}'`)
    expect(await value(db, `select updated_at > now() - interval '1 minute' from storage.objects`)).toBe(true)
  })
})

test('a file is queued for removal in the transaction that replaces or deletes its row', async ({ db }) => {
  await fill(db, ['a', 'b', 'c'])
  const queued = async () =>
    (
      await db.admin.query<{ file_id: string }>({
        text: 'select file_id from clew_storage.removals order by id',
        values: [],
      })
    ).rows
  const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  await db.load(`update storage.objects set version = '${first}' where name = 'a'`)
  await db.load(`update storage.objects set version = '../../etc/passwd' where name = 'b'`)
  expect(await queued()).toEqual([])
  await db.load(`update storage.objects set version = '${second}' where name = 'a'`)
  await db.load(`update storage.objects set metadata = '{}'`)
  expect(await queued()).toEqual([{ file_id: first }])
  await expect(
    db.load(`set local storage.allow_delete_query = 'true'; delete from storage.objects; select 1 / 0`),
  ).rejects.toThrow('division by zero')
  expect(await queued()).toHaveLength(1)
  await db.load(`set local storage.allow_delete_query = 'true'; delete from storage.objects`)
  expect(await queued()).toEqual([{ file_id: first }, { file_id: second }])
})

describe('functions for policies (storage §11)', () => {
  test.for([
    [`storage.foldername('a/b/c.png')`, ['a', 'b']],
    [`storage.foldername('c.png')`, []],
    [`storage.filename('a/b/c.tar.gz')`, 'c.tar.gz'],
    [`storage.filename('c')`, 'c'],
    [`storage.extension('a.b/c.tar.gz')`, 'gz'],
    [`storage.extension('a.b/c')`, 'c'],
    [`storage.operation()`, 'storage.object.upload'],
    [`storage.allow_only_operation('storage.object.upload')`, true],
    [`storage.allow_only_operation('object.upload')`, true],
    [`storage.allow_only_operation('object.list')`, false],
    [`storage.allow_only_operation('')`, false],
    [`storage.allow_only_operation(null)`, false],
    [`storage.allow_any_operation(array['object.list', 'object.upload'])`, true],
    [`storage.allow_any_operation(array[null, '']::text[])`, false],
    [`storage.allow_any_operation('{}')`, false],
  ] as const)('%s is %j', async ([call, expected], { db }) => {
    await db.owner.transaction(async (sql) => {
      await sql.query({ text: `set local storage.operation = 'storage.object.upload'`, values: [] })
      expect((await sql.query({ text: `select ${call} as value`, values: [] })).rows).toEqual([{ value: expected }])
    })
  })

  test('can_insert_object raises PT200 where the row may be inserted, and keeps nothing', async ({ db }) => {
    await fill(db, [])
    const call = `storage.can_insert_object('b', 'x', null, '{}')`
    await expect(db.load(`select ${call}`)).rejects.toMatchObject({ code: 'PT200' })
    await expect(db.load(`set local role anon; select ${call}`)).rejects.toMatchObject({ code: '42501' })
    expect(await value(db, 'select count(*)::int from storage.objects')).toBe(0)
  })

  test('get_size_by_bucket adds the sizes', async ({ db }) => {
    await fill(db, ['a', 'b'])
    await db.load(`update storage.objects set metadata = '{"size": 3000000000}'`)
    expect(await rows(db, 'select * from storage.get_size_by_bucket()')).toEqual([
      { size: '6000000000', bucket_id: 'b' },
    ])
  })
})

const names = [
  'a',
  'A',
  'a-b',
  'a/1',
  'a/2/x',
  'a/2/y',
  'a.txt',
  'B/1',
  'b/2',
  'b/',
  'c/d/e/f',
  'c/d/g',
  'Z',
  'z/1',
  '%',
  '_x/1',
  'é/1',
]

/** The level below a prefix, by the order of bytes: what the database walks by its index. */
function listed(prefix: string, search = (name: string) => name): string[] {
  const below = names.filter((name) => search(name).startsWith(search(prefix)))
  const entries = below.map((name) => {
    const at = name.indexOf('/', prefix.length)
    return at === -1 ? name : name.slice(0, at + 1)
  })
  const keys = new Map(entries.map((entry) => [search(entry), entry] as const).reverse())
  return [...keys.keys()].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
}

describe('listings agree with a walk over all names', () => {
  const prefixes = ['', 'a', 'a/', 'a/2', 'a/2/', 'b/', 'c/', 'c/d', '%', '_', 'é', 'nothing', 'z/1']

  test('list_objects_with_delimiter, both ways, by pages of any size', async ({ db }) => {
    await fill(db, names)
    for (const prefix of prefixes)
      for (const order of ['asc', 'desc'])
        for (const size of [1, 2, 5, 100]) {
          const found: string[] = []
          let after = ''
          for (;;) {
            const page = await rows<{ name: string; id: string | null }>(
              db,
              `select name, id from storage.list_objects_with_delimiter('b', $1, '/', $2, $3, '', $4)`,
              prefix,
              size,
              after,
              order,
            )
            found.push(...page.map(({ name, id }) => (id === null ? `${name}/` : name)))
            if (page.length < size) break
            after = found.at(-1) ?? ''
          }
          const expected = listed(prefix)
          expect([prefix, size, found]).toEqual([prefix, size, order === 'asc' ? expected : expected.toReversed()])
        }
  })

  test('without a delimiter every key is listed', async ({ db }) => {
    await fill(db, names)
    expect(await rows(db, `select name from storage.list_objects_with_delimiter('b', 'a', '', 100)`)).toHaveLength(6)
  })

  test('search, whatever the case, by offsets', async ({ db }) => {
    await fill(db, names)
    const lower = (name: string) => name.toLowerCase()
    for (const prefix of ['', 'a/', 'A/', 'b/', 'c/'])
      for (const order of ['asc', 'desc']) {
        const found: string[] = []
        for (;;) {
          const page = await rows<{ name: string; id: string | null }>(
            db,
            `select name, id from storage.search($1, 'b', 2, 1, $2, '', 'name', $3)`,
            prefix,
            found.length,
            order,
          )
          found.push(...page.map(({ name, id }) => lower(`${prefix}${name}${id === null ? '/' : ''}`)))
          if (page.length < 2) break
        }
        // `a` and `A` are two files of one lower-case name.
        const all = listed(prefix, lower).flatMap((name) => (name === 'a' ? ['a', 'a'] : [name]))
        expect([prefix, found]).toEqual([prefix, order === 'asc' ? all : all.toReversed()])
      }
  })

  test('search by time lists folders first', async ({ db }) => {
    await fill(db, names)
    await db.load(`update storage.objects set created_at = 'epoch'::timestamptz + length(name) * interval '1 s'`)
    const found = await rows<{ name: string; folder: boolean }>(
      db,
      `select name, id is null as folder from storage.search('a', 'b', 9, 1, 0, '', 'created_at', 'desc')`,
    )
    expect(found.map(({ name, folder }) => (folder ? `${name}/` : name))).toEqual(['/', '.txt', '-b', '', ''])
  })

  test('search_v2 pages by time and name', async ({ db }) => {
    await fill(db, names)
    await db.load(
      `update storage.objects set updated_at = now(), created_at = 'epoch'::timestamptz + length(name) * interval '1 s'`,
    )
    const found: string[] = []
    let after: readonly [string, string] = ['', '']
    for (;;) {
      const page = await rows<{ name: string; created_at: Date }>(
        db,
        `select name, created_at from storage.search_v2('', 'b', 3, 1, $1, 'asc', 'created_at', $2)`,
        ...after,
      )
      found.push(...page.map(({ name }) => name))
      const last = page.at(-1)
      if (last === undefined || page.length < 3) break
      after = [last.name, last.created_at.toISOString()]
    }
    // Folders have the time of their first object.
    const one = ['%', 'A', 'Z', 'a', 'b', 'B', '_x', 'é']
    expect(found.map((name) => name.length)).toHaveLength(13)
    expect(new Set(found)).toEqual(new Set([...one, 'a-b', 'a.txt', 'c', 'z']))
    expect(found.indexOf('a.txt')).toBeGreaterThan(found.indexOf('a-b'))
  })

  test('list_multipart_uploads_with_delimiter', async ({ db }) => {
    await fill(db, [])
    await db.load(`
      insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version)
      values ('1', '', 'b', 'a/1', ''), ('2', '', 'b', 'a/2', ''), ('3', '', 'b', 'c', '')`)
    const list = (after: string) =>
      rows(db, `select key from storage.list_multipart_uploads_with_delimiter('b', '', '/', 10, $1)`, after)
    expect(await list('')).toEqual([{ key: 'a/' }, { key: 'c' }])
    expect(await list('a/')).toEqual([{ key: 'c' }])
  })
})
