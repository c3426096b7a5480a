import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test as base, openTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { readMigrations } from './migrations/apply-migrations.ts'
import type { PlannedMigration } from './migrations/plan-migrations.ts'
import { type AppliedProject, applyProject, type ProjectDeps } from './project.ts'

/** A project folder that a test writes into. */
const test = base.extend<'project', Project>('project', async ({ db }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-project-'))
  onCleanup(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
  const logged: string[] = []
  return {
    folder,
    logged,
    write: (path, text) => writeFile(join(folder, 'supabase', path), text),
    plan: () => readMigrations(folder, db.owner, () => undefined),
    apply: (settings = {}) =>
      applyProject({
        ...depsOf(db, folder, (line) => logged.push(line)),
        settings: { ...plain, ...settings },
      }),
  }
})

const plain: ProjectDeps['settings'] = {
  enabled: true,
  seedEnabled: true,
  seedPaths: ['./seed.sql'],
  missingExtensions: 'refuse',
  vault: {},
  buckets: {},
  autoExposeNewTables: null,
  majorVersion: null,
}

const depsOf = (db: TestDatabase, folder: string, log: (line: string) => void): Omit<ProjectDeps, 'settings'> => ({
  folder,
  admin: db.admin,
  owner: db.owner,
  serverVersion: db.version,
  progress: () => undefined,
  log,
})

interface Project {
  readonly folder: string
  readonly logged: readonly string[]
  write(path: string, text: string): Promise<void>
  plan(): Promise<readonly PlannedMigration[]>
  apply(settings?: Partial<ProjectDeps['settings']>): Promise<AppliedProject>
}

const count = async (db: TestDatabase): Promise<number> =>
  (await db.admin.query<{ n: number }>({ text: 'select count(*)::int as n from public.cups', values: [] })).rows[0]
    ?.n ?? -1

test('a second start applies only what is new, and the seed no second time', async ({ db, project }) => {
  await project.write('migrations/1_cups.sql', 'create table public.cups (id int)')
  await project.write('migrations/notes.txt', 'not a migration')
  await project.write('seed.sql', 'insert into public.cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 1, seeds: 1 })
  expect(project.logged).toEqual(['notes.txt is skipped: a migration is named <digits>_<name>.sql.'])
  await project.write('migrations/2_more.sql', 'insert into public.cups values (2), (3)')
  expect(await project.apply()).toEqual({ migrations: 1, seeds: 0 })
  expect(await project.apply()).toEqual({ migrations: 0, seeds: 0 })
  expect(await count(db)).toBe(3)
})

test('of a migration that fails nothing is kept, and the next start tries it again', async ({ db, project }) => {
  await project.write('migrations/1_cups.sql', 'create table public.cups (id int)')
  await project.write(
    'migrations/2_broken.sql',
    'insert into public.cups values (1); insert into public.plates values (1)',
  )
  await expect(project.apply()).rejects.toMatchObject({
    code: 'CLEW_START_PROJECT',
    message: expect.stringMatching(/2_broken\.sql:1:49: relation "public.plates" does not exist/),
  })
  expect(await count(db)).toBe(0)
  await project.write('migrations/2_broken.sql', 'insert into public.cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 1, seeds: 0 })
  expect(await count(db)).toBe(1)
})

test('why a migration failed is kept until it is applied', async ({ db, project }) => {
  const failures = async () => {
    const plan = await project.plan()
    return plan.map(({ version, state, failure }) => [
      version,
      state,
      failure?.place,
      failure?.statement,
      failure?.reason,
    ])
  }
  await project.write('migrations/1_broken.sql', 'select 1;\n  select x from nowhere;')
  await expect(project.apply()).rejects.toMatchObject({ hint: expect.stringContaining('the start goes on with it') })
  const reason = 'relation "nowhere" does not exist'
  expect(await failures()).toEqual([['1', 'failed', '2:17', 'select x from nowhere', reason]])
  await project.write('migrations/1_broken.sql', 'selec 1')
  await expect(project.apply()).rejects.toThrow('syntax error')
  expect(await failures()).toEqual([['1', 'failed', '1:1', null, 'syntax error at or near "selec"']])
  await project.write('migrations/1_broken.sql', 'select 1')
  await project.apply()
  expect(await failures()).toEqual([['1', 'applied', undefined, undefined, undefined]])
  expect(
    (await db.owner.query({ text: 'select from supabase_migrations.failed_migrations', values: [] })).rowCount,
  ).toBe(0)
})

test('a seed that failed is tried again', async ({ db, project }) => {
  await project.write('migrations/1_cups.sql', 'create table public.cups (id int)')
  await project.write('seed.sql', 'insert into public.cups values (1); insert into public.plates values (1)')
  await expect(project.apply()).rejects.toMatchObject({ code: 'CLEW_START_PROJECT' })
  expect(await count(db)).toBe(0)
  await project.write('seed.sql', 'insert into public.cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 0, seeds: 1 })
  expect(await count(db)).toBe(1)
})

test('a seed without migrations runs once, and one that changed is noted', async ({ db, project }) => {
  await project.write('seed.sql', 'create table if not exists public.cups (id int); insert into public.cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 0, seeds: 1 })
  const hash = async () =>
    (await db.admin.query<{ hash: string }>({ text: 'select hash from supabase_migrations.seed_files', values: [] }))
      .rows
  const [before] = await hash()
  await project.write('seed.sql', 'insert into public.cups values (2)')
  expect(await project.apply()).toEqual({ migrations: 0, seeds: 0 })
  expect(await count(db)).toBe(1)
  const after = await hash()
  expect(after).toHaveLength(1)
  expect(after[0]).not.toEqual(before)
})

test('what a migration sets for its session does not reach the next one', async ({ db, project }) => {
  await project.write('migrations/1_dump.sql', `select pg_catalog.set_config('search_path', '', false)`)
  await project.write('migrations/2_cups.sql', 'create table cups (id int)')
  await project.apply()
  expect(await count(db)).toBe(0)
})

test('a statement that runs in no transaction is run without one', async ({ db, project }) => {
  await project.write('migrations/0001_cups.sql', 'create table cups (id int); insert into cups values (1)')
  await project.write(
    'migrations/0002_index.sql',
    'create index concurrently cups_id on cups (id); insert into cups values (2)',
  )
  expect(await project.apply()).toEqual({ migrations: 2, seeds: 0 })
  expect(await count(db)).toBe(2)
  expect(await project.apply()).toEqual({ migrations: 0, seeds: 0 })
})

test('project-folder §5 a value that a migration adds to an enum may be used in it', async ({ db, project }) => {
  await project.write('migrations/1_sizes.sql', `create type size as enum ('small')`)
  await project.write(
    'migrations/2_large.sql',
    `alter type size add value if not exists 'large'; create table cups (id int, size size default 'large')`,
  )
  expect(await project.apply()).toEqual({ migrations: 2, seeds: 0 })
  expect(await count(db)).toBe(0)
})

test('project-folder §1 a dump of before 2021-12-09 is skipped', async ({ project }) => {
  await project.write('migrations/20211208235959_init.sql', 'create schema auth')
  await project.write('migrations/20211209000000_init.sql', 'select 1')
  expect(await project.apply()).toEqual({ migrations: 1, seeds: 0 })
  expect(project.logged).toEqual([
    "20211208235959_init.sql is skipped: dumps of that age hold the platform's own tables.",
  ])
})

test('a migration older than the newest applied one, and a version used twice, are refused', async ({ project }) => {
  await project.write('migrations/0002_cups.sql', 'create table cups (id int)')
  await project.apply()
  await project.write('migrations/0001_late.sql', 'create table late (id int)')
  await expect(project.apply()).rejects.toThrow('older than 0002')
  await project.write('migrations/0001_twin.sql', 'create table twin (id int)')
  await expect(project.apply()).rejects.toThrow('has the version 0001, too')
})

test('a history that the folder has drifted from is told once a start, and applied no second time', async ({
  db,
  project,
}) => {
  await project.write('migrations/1_cups.sql', 'create table public.cups (id int)')
  await project.write('migrations/2_more.sql', 'insert into public.cups values (1)')
  await project.apply()
  await project.write('migrations/1_cups.sql', '-- The cups.\ncreate table public.cups (\n  id int\n);\n')
  expect(await project.apply()).toEqual({ migrations: 0, seeds: 0 })
  expect(project.logged).toEqual([])
  await project.write('migrations/1_cups.sql', 'create table public.cups (id bigint)')
  await rm(join(project.folder, 'supabase', 'migrations', '2_more.sql'))
  expect(await project.apply()).toEqual({ migrations: 0, seeds: 0 })
  expect(project.logged).toEqual([
    expect.stringContaining('1_cups.sql: changed since it was applied'),
    '2: applied to this database, and not in supabase/migrations.',
  ])
  expect(await count(db)).toBe(1)
})

test('a database that has a history already is not seeded', async ({ db, project }) => {
  await db.script('create table public.cups (id int)')
  await db.admin.query({ text: 'create schema supabase_migrations', values: [] })
  await db.admin.query({
    text: 'create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text)',
    values: [],
  })
  await project.write('seed.sql', 'insert into cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 0, seeds: 0 })
  expect(await count(db)).toBe(0)
})

test('roles.sql runs once, before the migrations, and no history records it', async ({ db, project }) => {
  await project.write('roles.sql', 'create role barista nologin')
  await project.write(
    'migrations/1_cups.sql',
    'create table public.cups (id int); grant select on public.cups to barista',
  )
  expect(await project.apply()).toEqual({ migrations: 1, seeds: 0 })
  expect(await project.apply()).toEqual({ migrations: 0, seeds: 0 })
  for (const text of ['drop owned by barista', 'drop role barista']) await db.admin.query({ text, values: [] })
})

test('seeds run in the order of their globs, each file once', async ({ db, project }) => {
  const seedPaths = ['./seeds/b*.sql', './seeds/*.sql']
  await project.write('migrations/1_cups.sql', 'create table public.cups (id int)')
  await mkdir(join(project.folder, 'supabase', 'seeds'))
  await project.write('seeds/a.sql', 'insert into public.cups select max(id) * 10 from public.cups')
  await project.write('seeds/b1.sql', 'insert into public.cups values (2)')
  await project.write('seeds/b2.sql', 'insert into public.cups select max(id) + 1 from public.cups')
  expect(await project.apply({ seedPaths })).toEqual({ migrations: 1, seeds: 3 })
  const { rows } = await db.owner.query({ text: 'select id from public.cups order by id', values: [] })
  expect(rows).toEqual([{ id: 2 }, { id: 3 }, { id: 30 }])
  expect(await project.apply({ seedPaths })).toEqual({ migrations: 0, seeds: 0 })
})

test('what is turned off is not applied', async ({ project }) => {
  await project.write('migrations/1_cups.sql', 'create table public.cups (id int)')
  await project.write('seed.sql', 'select 1')
  expect(await project.apply({ enabled: false, seedEnabled: false })).toEqual({ migrations: 0, seeds: 0 })
  expect(await project.apply()).toEqual({ migrations: 1, seeds: 1 })
})

test('an error shows its line and column; a start after it goes on with that file', async ({ project }) => {
  await project.write('migrations/1_cups.sql', 'create table public.cups (id int)')
  await project.write('migrations/2_bad.sql', 'select 1;\n\ninsert into public.cups\n  values (1, nope);\n')
  await expect(project.apply()).rejects.toMatchObject({
    code: 'CLEW_START_PROJECT',
    message: [
      'supabase/migrations/2_bad.sql:4:14: column "nope" does not exist',
      '  2 | ',
      '  3 | insert into public.cups',
      '  4 |   values (1, nope);',
      '    |              ^',
    ].join('\n'),
  })
  await project.write('migrations/2_bad.sql', 'create tabel plates (id int)')
  await expect(project.apply()).rejects.toMatchObject({
    message: expect.stringMatching(/^supabase\/migrations\/2_bad\.sql:1:8: syntax error at or near "tabel"/),
  })
  await project.write('migrations/2_bad.sql', 'select 1')
  expect(await project.apply()).toEqual({ migrations: 1, seeds: 0 })
})

test('an error without a position shows where its statement begins, behind the comments', async ({ project }) => {
  await project.write('migrations/1_cups.sql', '-- cups\n/* of\n   glass */\ndrop table public.cups')
  await expect(project.apply()).rejects.toMatchObject({
    message: expect.stringMatching(/^supabase\/migrations\/1_cups\.sql:4:1: table "cups" does not exist/),
  })
})

test('options of an index of neighbours are left out where the extension is of our own', async ({ db, project }) => {
  await project.write(
    'migrations/1_vector.sql',
    `create extension vector with schema extensions;
    create table public.cups (id int, embedding extensions.vector(3));
    create index cups_near on public.cups using ivfflat (embedding extensions.vector_cosine_ops)
    with (lists = 100);`,
  )
  await project.apply()
  const { rows } = await db.admin.query<{ indexdef: string }>({
    text: `select indexdef from pg_indexes where indexname = 'cups_near'`,
    values: [],
  })
  expect(rows[0]?.indexdef).toContain('USING ivfflat (embedding extensions.vector_cosine_ops)')
})

test('an extension that this server lacks is told as such, and the file as right', async ({ project }) => {
  await project.write('migrations/1_maps.sql', 'create extension if not exists postgis')
  await expect(project.apply()).rejects.toMatchObject({
    code: 'CLEW_START_EXTENSION',
    message: expect.stringContaining('1_maps.sql:1:1: extension "postgis" is not available'),
    hint: expect.stringContaining('missing_extensions = "skip"'),
  })
})

test('an extension that this server lacks is left out on request, with a line for all its statements', async ({
  db,
  project,
}) => {
  await project.write(
    'migrations/1_maps.sql',
    `create extension if not exists postgis with schema extensions; comment on extension postgis is 'maps';
     create extension citext with schema extensions version '1.1'; create table cups (name citext)`,
  )
  expect(await project.apply({ missingExtensions: 'skip' })).toEqual({ migrations: 1, seeds: 0 })
  expect(project.logged).toEqual(['The extension "postgis" is left out: this PostgreSQL lacks it.'])
  expect(await count(db)).toBe(0)
})

test('secrets are in the vault before the migrations, and follow the settings at every start', async ({
  db,
  project,
}) => {
  await project.write(
    'migrations/1_cups.sql',
    `create table public.cups as select length(decrypted_secret) as id from vault.decrypted_secrets where name = 'api key'`,
  )
  const secrets = async (): Promise<unknown> =>
    (
      await db.owner.query({
        text: 'select name, decrypted_secret, updated_at from vault.decrypted_secrets order by name',
        values: [],
      })
    ).rows
  await project.apply({ vault: { 'api key': 'green', other: 'o', unset: '' } })
  const before = await secrets()
  expect(before).toMatchObject([
    { name: 'api key', decrypted_secret: 'green' },
    { name: 'other', decrypted_secret: 'o' },
  ])
  expect(await count(db)).toBe(1)
  await project.apply({ vault: { 'api key': 'green', other: 'o' } })
  expect(await secrets()).toEqual(before)
  await project.apply({ vault: { 'api key': 'white' } })
  expect(await secrets()).toMatchObject([{ decrypted_secret: 'white' }, { decrypted_secret: 'o' }])
})

test('secrets that cannot be stored end the start with the reason', async ({ db, project }) => {
  await db.script('drop extension supabase_vault')
  await expect(project.apply({ vault: { key: 'k' } })).rejects.toMatchObject({
    code: 'CLEW_START_PROJECT',
    message: expect.stringMatching(/^\[db\.vault\]: the secrets are not stored: .*vault/),
  })
  expect(await project.apply({ vault: { key: '' } })).toEqual({ migrations: 0, seeds: 0 })
})

test.each([
  [null, true],
  [true, true],
  [false, false],
])('with auto_expose_new_tables %s a new table may be read by the API’s roles: %s', async (setting, granted) => {
  const db = await openTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'clew-project-'))
  try {
    await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
    await writeFile(
      join(folder, 'supabase', 'migrations', '1_cups.sql'),
      'create table public.cups (id int); create sequence public.numbers',
    )
    await applyProject({ ...depsOf(db, folder, () => undefined), settings: { ...plain, autoExposeNewTables: setting } })
    const { rows } = await db.admin.query({
      text: `select role, has_table_privilege(role, 'public.cups', 'select') as reads,
          has_table_privilege(role, 'public.cups', 'insert, update, delete, truncate') as writes,
          has_sequence_privilege(role, 'public.numbers', 'usage') as counts
        from unnest(array['anon', 'authenticated', 'service_role']) role`,
      values: [],
    })
    const all = { reads: granted, writes: granted, counts: granted }
    expect(rows).toEqual([
      { role: 'anon', ...all },
      { role: 'authenticated', ...all },
      { role: 'service_role', ...all },
    ])
  } finally {
    await db.close()
    await rm(folder, { recursive: true })
  }
})

test('default privileges of a migration stay at the next start', async ({ db, project }) => {
  await project.write(
    'migrations/1_grants.sql',
    'alter default privileges in schema public grant select on tables to anon',
  )
  await project.apply({ autoExposeNewTables: false })
  await project.write('migrations/2_cups.sql', 'create table public.cups (id int)')
  await project.apply({ autoExposeNewTables: false })
  const { rows } = await db.admin.query({
    text: `select has_table_privilege('anon', 'public.cups', 'select') as anon,
        has_table_privilege('authenticated', 'public.cups', 'select') as authenticated`,
    values: [],
  })
  expect(rows).toEqual([{ anon: true, authenticated: false }])
})

test('a server of another version than the project names is logged once', async ({ db, project }) => {
  const own = Math.trunc(db.version / 10_000)
  await project.apply({ majorVersion: own - 1 })
  await project.apply({ majorVersion: own - 1 })
  expect(project.logged).toEqual([`The project names PostgreSQL ${own - 1} (db.major_version); this server is ${own}.`])
})
