import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { addressOf, type CommandResult, runCommand } from '../../../../test/command-line.ts'
import { test as base } from '../../../../test/harness.ts'

/** A project folder, and commands on it and the test's database. */
const test = base.extend<'project', Project>('project', async ({ db }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-db-'))
  onCleanup(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
  return {
    folder,
    write: (path, text) => writeFile(join(folder, 'supabase', path), text),
    clew: (...args) => runCommand(...args, '--project', folder, '--db-url', addressOf(db, 'supabase_admin')),
    value: async (expression) =>
      (await db.admin.query<{ value: unknown }>({ text: `select ${expression} as value`, values: [] })).rows[0]?.value,
  }
})

interface Project {
  readonly folder: string
  write(path: string, text: string): Promise<void>
  clew(...args: readonly string[]): Promise<CommandResult>
  /** The value of an SQL expression. */
  value(expression: string): Promise<unknown>
}

test('push says what it applies, applies it, and then says that nothing is left', async ({ project }) => {
  await project.write('migrations/1_cups.sql', 'create table cups (id int)')
  await project.write('seed.sql', 'insert into cups values (1)')
  const listing = 'Migrations:\n • supabase/migrations/1_cups.sql\nSeeds:\n • supabase/seed.sql\n'
  expect(await project.clew('db', 'push', '--include-seed', '--dry-run')).toMatchObject({
    code: 0,
    stdout: `DRY RUN: nothing is pushed to the database.\n${listing}`,
  })
  expect(await project.value(`to_regclass('public.cups')`)).toBeNull()
  expect(await project.clew('db', 'push', '--include-seed')).toMatchObject({
    code: 0,
    stdout: `${listing}✓ Remote database is up to date.\n`,
  })
  expect(await project.value('(select count(*)::int from public.cups)')).toBe(1)
  expect(await project.clew('db', 'push', '--include-seed')).toMatchObject({
    stdout: 'Remote database is up to date.\n',
  })
})

test('a seed that changed is noted by push, and run by seed', async ({ project }) => {
  await project.write('migrations/1_cups.sql', 'create table cups (id int)')
  await project.write('seed.sql', 'insert into cups values (1)')
  await project.clew('db', 'push')
  expect(await project.clew('seed')).toMatchObject({ code: 0, stdout: '✓ supabase/seed.sql\n' })
  expect(await project.clew('seed')).toMatchObject({ code: 0, stdout: 'Seed files are up to date.\n' })
  await project.write('seed.sql', 'insert into cups values (2)')
  expect(await project.clew('db', 'push', '--include-seed')).toMatchObject({
    stdout: expect.stringContaining('supabase/seed.sql (hash update)'),
  })
  expect(await project.value('(select array_agg(id) from public.cups)')).toEqual([1])
  await project.write('seed.sql', 'insert into cups values (3)')
  await project.clew('seed')
  expect(await project.value('(select array_agg(id order by id) from public.cups)')).toEqual([1, 3])
})

const made = `
  create type public.size as enum ('small', 'large');
  create domain public.amount as int check (value > 0);
  create table public.cups (id int primary key, size public.size, amount public.amount, owner uuid references auth.users);
  create sequence public.numbers;
  create view public.large as select * from public.cups where size = 'large';
  create materialized view public.counted as select count(*) from public.cups;
  create function public.note() returns trigger language plpgsql as $$ begin return new; end $$;
  create aggregate public.largest (int) (sfunc = int4larger, stype = int);
  create trigger noted after insert on auth.users for each row execute function public.note();
  create policy "all cups" on storage.objects using (true);
  create schema kitchen;
  create table kitchen.plates (id int);
  create extension citext with schema extensions;
  create publication plates for table kitchen.plates;
  create function public.on_ddl() returns event_trigger language plpgsql as $$ begin raise exception 'no'; end $$;
  select vault.create_secret('value', 'name');
`

test('reset leaves nothing of the project, and applies it anew', async ({ db, project }) => {
  await db.load(made)
  await db.load('create event trigger refuse_ddl on sql_drop execute function public.on_ddl()')
  await db.admin.query({
    text: `insert into auth.users (id, email, instance_id) values (gen_random_uuid(), 'a@b.test', gen_random_uuid())`,
    values: [],
  })
  const file = '0190a000-0000-7000-8000-000000000001'
  await db.load(`insert into storage.buckets (id, name) values ('papers', 'papers');
    insert into storage.objects (bucket_id, name, version) values ('papers', 'a', '${file}')`)
  await project.write('migrations/1_cups.sql', 'create table cups (id int)')
  await project.write('migrations/2_plates.sql', 'create table plates (id int)')
  await project.write('seed.sql', 'insert into cups values (1)')
  expect(await project.clew('db', 'reset')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CLEW_NOT_CONFIRMED'),
  })
  expect(await project.value('(select count(*)::int from auth.users)')).toBe(1)
  expect(await project.clew('db', 'reset', '--yes')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('2 migrations and 1 seeds applied'),
  })
  expect(
    await project.value(`array[
      (select count(*)::int from auth.users), (select count(*)::int from public.cups),
      (select count(*)::int from vault.secrets), (select count(*)::int from pg_policy),
      (select count(*)::int from pg_trigger where tgname = 'noted'),
      (select count(*)::int from pg_event_trigger where evtname = 'refuse_ddl'),
      (select count(*)::int from pg_publication where pubname = 'plates'),
      (select count(*)::int from pg_extension where extname = 'citext'),
      (select count(*)::int from pg_namespace where nspname = 'kitchen')]`),
  ).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0])
  expect(await project.value('(select count(*)::int from storage.buckets)')).toBe(0)
  expect(await project.value('(select array_agg(file_id) from clew_storage.removals)')).toEqual([file])
  expect(
    await project.value(
      `(select array_agg(relname::text order by relname) from pg_class where relnamespace = 'public'::regnamespace)`,
    ),
  ).toEqual(['cups', 'plates'])
  expect(await project.value(`has_table_privilege('anon', 'public.cups', 'select')`)).toBe(true)
  expect(await project.value(`(select count(*)::int from pg_proc where pronamespace = 'public'::regnamespace)`)).toBe(0)
  expect(await project.clew('db', 'reset', '--yes', '--last', '1', '--no-seed')).toMatchObject({ code: 0 })
  expect(await project.value(`to_regclass('public.plates')`)).toBeNull()
  expect(await project.value('(select count(*)::int from public.cups)')).toBe(0)
  expect(await project.clew('db', 'reset', '--yes', '--version', '7')).toMatchObject({ code: 2 })
})

test('what was made by hand becomes a migration, and migrations become one', { timeout: 240_000 }, async ({
  db,
  project,
}) => {
  await project.write('migrations/01_cups.sql', 'create table cups (id int primary key)')
  await project.write('migrations/02_names.sql', 'alter table cups add name text')
  await project.clew('db', 'push')
  expect(await project.clew('db', 'diff')).toMatchObject({ code: 0, stdout: '', stderr: 'No schema changes found\n' })
  await db.load(`alter table cups add size int; alter table cups drop name;
    create policy own on storage.objects to authenticated using (true)`)
  expect(await project.clew('db', 'pull', 'by hand', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Repaired migration history: \d{14} => applied\n$/),
    stderr: expect.stringMatching(/drop statements[\s\S]*DROP COLUMN "name"/),
  })
  const folder = join(project.folder, 'supabase', 'migrations')
  const [, , pulled = ''] = await readdir(folder)
  expect(pulled).toMatch(/^\d{14}_by_hand\.sql$/)
  expect(await project.clew('db', 'push')).toMatchObject({ stdout: 'Remote database is up to date.\n' })
  expect(await runCommand('migration', 'squash', '--project', project.folder)).toMatchObject({ code: 0 })
  expect(await readdir(folder)).toEqual([pulled])
  const text = await readFile(join(folder, pulled), 'utf8')
  for (const part of ['CREATE TABLE "public"."cups"', '"size" integer', 'CREATE POLICY "own" ON "storage"."objects"'])
    expect(text).toContain(part)
  expect(text).not.toContain('"name"')
})

test('a dump is of definitions, of rows or of roles', { timeout: 120_000 }, async ({ db, project }) => {
  await db.load(`create table cups (id int primary key, name text); insert into cups values (1, 'it''s'), (2, null);
    create table plates (id int); insert into plates values (3)`)
  const { stdout: definitions } = await project.clew('db', 'dump')
  expect(definitions).toContain('CREATE TABLE IF NOT EXISTS "public"."cups"')
  expect(definitions).not.toMatch(/^--|"auth"\."users" \(|"clew|INSERT INTO/m)
  const { stdout: rows } = await project.clew('db', 'dump', '--data-only', '-x', 'public.plates')
  expect(rows).toMatch(/^SET session_replication_role = replica;/)
  expect(rows).toMatch(/INSERT INTO "public"."cups" \("id", "name"\) VALUES\s+\(1, 'it''s'\),\s+\(2, NULL\);/)
  expect(rows).not.toContain('plates')
  await db.load(`create schema kitchen; create table kitchen.pots (id int primary key generated always as identity,
      note text, doubled int generated always as (id * 2) stored);
    insert into kitchen.pots (note) values (E'tab\\t back\\\\ \\n'), (null)`)
  const copies = join(project.folder, 'copies.sql')
  expect(
    await project.clew('db', 'dump', '--data-only', '--use-copy', '-x', 'public.plates', '-f', copies),
  ).toMatchObject({ code: 0, stdout: '' })
  const copied = await readFile(copies, 'utf8')
  expect(copied).toContain(`COPY "public"."cups" ("id", "name") FROM stdin;\n1\tit's\n2\t\\N\n\\.\n`)
  expect(copied).toContain(`COPY "kitchen"."pots" ("id", "note") FROM stdin;\n1\ttab\\t back\\\\ \\n\n2\t\\N\n\\.\n`)
  expect(copied).toContain(`SELECT pg_catalog.setval('kitchen.pots_id_seq', 2, true);\n`)
  expect(copied).toMatch(/^SET session_replication_role = replica;[\s\S]*COPY "storage"."objects"[\s\S]*RESET ALL;\n$/)
  expect(copied).not.toMatch(/plates|"clew|"vault"|"storage"."migrations"/)
  const some = await project.clew('db', 'dump', '--data-only', '--use-copy', '-s', 'kitchen')
  expect(some.stdout.match(/^COPY .*/gm)).toEqual(['COPY "kitchen"."pots" ("id", "note") FROM stdin;'])
  expect(await project.clew('db', 'dump', '--use-copy')).toMatchObject({ code: 2 })
  expect(await project.clew('db', 'dump', '--dry-run', '-s', 'kitchen')).toMatchObject({
    code: 0,
    stdout: `pg_dump \\\n  --schema-only \\\n  '--quote-all-identifiers' \\\n  '--schema=kitchen'\n`,
  })
  expect(await project.clew('db', 'dump', '--data-only', '--role-only')).toMatchObject({ code: 2 })
  const path = join(project.folder, 'roles.sql')
  expect(await project.clew('db', 'dump', '--role-only', '-f', path)).toMatchObject({ code: 0, stdout: '' })
  expect(await readFile(path, 'utf8')).toMatch(/RESET ALL;\n$/)
})
