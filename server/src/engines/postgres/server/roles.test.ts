import pg from 'pg'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'

async function rows(db: TestDatabase, role: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(db.login(role))
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const extensions = [
  'pgcrypto',
  'uuid-ossp',
  'citext',
  'pg_trgm',
  'pg_stat_statements',
  'moddatetime',
  'unaccent',
  'hstore',
]

test.for(extensions)('the owner may create the extension %s', async (name, { db }) => {
  await db.load(`drop extension if exists "${name}"`).catch(() => undefined)
  await db.load(`create extension if not exists "${name}" with schema extensions`)
  const found = await rows(db, 'postgres', `select extname as name from pg_extension where extname = '${name}'`)
  expect(found).toEqual([{ name }])
})

test('the owner is no superuser, and what a project expects is found without its schema', async ({ db }) => {
  expect(
    await rows(
      db,
      'postgres',
      `select rolsuper, rolcreatedb, rolcreaterole, rolbypassrls, length(crypt('x', gen_salt('bf'))) as crypted,
         length(uuid_generate_v4()::text) as uuid, current_setting('search_path') as path
       from pg_roles where rolname = current_user`,
    ),
  ).toEqual([
    {
      rolsuper: false,
      rolcreatedb: true,
      rolcreaterole: true,
      rolbypassrls: true,
      crypted: 60,
      uuid: 36,
      path: '"$user", public, extensions',
    },
  ])
})

test('what the owner makes in public is granted to the API’s roles', async ({ db }) => {
  await db.load(`create table notes (id serial primary key);
    create function hello() returns text language sql as $$ select 'hello' $$`)
  for (const role of ['anon', 'authenticated', 'service_role']) {
    const [found] = await rows(
      db,
      'postgres',
      `select has_table_privilege('${role}', 'notes', 'select, insert, update, delete') as tables,
         has_sequence_privilege('${role}', 'notes_id_seq', 'usage') as sequences,
         has_function_privilege('${role}', 'hello()', 'execute') as functions`,
    )
    expect(found).toEqual({ tables: true, sequences: true, functions: true })
  }
})

test('row-level security holds for anon and not for service_role', async ({ db }) => {
  await db.load(
    'create table notes (id int); insert into notes values (1); alter table notes enable row level security',
  )
  const read = (role: string) =>
    db.session.run({
      role,
      settings: [],
      statement: { text: 'select id from notes', values: [] },
      readOnly: true,
      attribute: false,
      end: 'commit',
      context: null,
    })
  expect((await read('anon')).rows).toEqual([])
  expect((await read('service_role')).rows).toEqual([{ id: '1' }])
})

test('the owner’s migrations may do what those of existing projects do', async ({ db }) => {
  await db.load(`
    create policy "anyone reads" on storage.objects for select to anon using (true);
    create table public.rooms (id int primary key);
    alter publication supabase_realtime add table public.rooms;
    alter role authenticator set pgrst.db_aggregates_enabled = 'true';
    -- Roles belong to the cluster, which other tests share.
    alter role authenticator reset pgrst.db_aggregates_enabled;
    create role editor nologin;
    grant editor to authenticator;
    grant anon to editor;
    create schema private;
    alter default privileges in schema private grant select on tables to service_role;
    create type mood as enum ('glad', 'sad');
    create view glad as select * from rooms;
    grant select on glad to anon`)
  const { rows: found } = await db.session.run({
    role: 'editor',
    settings: [],
    statement: { text: 'select current_user as who', values: [] },
    readOnly: true,
    attribute: false,
    end: 'commit',
    context: null,
  })
  expect(found).toEqual([{ who: 'editor' }])
})

test('tables of Clew are closed to the API’s roles', async ({ db }) => {
  for (const role of ['anon', 'authenticated', 'service_role'])
    await expect(
      db.session.run({
        role,
        settings: [],
        statement: { text: 'select * from clew.migrations', values: [] },
        readOnly: true,
        attribute: false,
        end: 'commit',
        context: null,
      }),
    ).rejects.toMatchObject({ code: '42501' })
})
