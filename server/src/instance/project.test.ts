import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test as base, type TestDatabase } from '../../test/harness.ts'
import { type AppliedProject, applyProject } from './project.ts'

/** A project folder that a test writes into. */
const test = base.extend<'project', Project>('project', async ({ db }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-project-'))
  onCleanup(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
  const said: string[] = []
  return {
    said,
    write: (path, text) => writeFile(join(folder, 'supabase', path), text),
    apply: () => applyProject({ folder, admin: db.admin, owner: db.owner, log: (line) => said.push(line) }),
  }
})

interface Project {
  readonly said: readonly string[]
  write(path: string, text: string): Promise<void>
  apply(): Promise<AppliedProject>
}

const count = async (db: TestDatabase): Promise<number> =>
  (await db.admin.query<{ n: number }>({ text: 'select count(*)::int as n from public.cups', values: [] })).rows[0]
    ?.n ?? -1

test('a second start applies only what is new, and the seed no second time', async ({ db, project }) => {
  await project.write('migrations/1_cups.sql', 'create table public.cups (id int)')
  await project.write('migrations/notes.txt', 'not a migration')
  await project.write('seed.sql', 'insert into public.cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 1, seeded: true })
  expect(project.said).toEqual(['notes.txt is skipped: a migration is named <digits>_<name>.sql.'])
  await project.write('migrations/2_more.sql', 'insert into public.cups values (2), (3)')
  expect(await project.apply()).toEqual({ migrations: 1, seeded: false })
  expect(await project.apply()).toEqual({ migrations: 0, seeded: false })
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
    message: expect.stringMatching(/2_broken\.sql, statement 2: relation "public.plates" does not exist/),
  })
  expect(await count(db)).toBe(0)
  await project.write('migrations/2_broken.sql', 'insert into public.cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 1, seeded: false })
  expect(await count(db)).toBe(1)
})

test('a seed that failed is tried again', async ({ db, project }) => {
  await project.write('migrations/1_cups.sql', 'create table public.cups (id int)')
  await project.write('seed.sql', 'insert into public.cups values (1); insert into public.plates values (1)')
  await expect(project.apply()).rejects.toMatchObject({ code: 'CLEW_START_PROJECT' })
  expect(await count(db)).toBe(0)
  await project.write('seed.sql', 'insert into public.cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 0, seeded: true })
  expect(await count(db)).toBe(1)
})

test('a seed without migrations runs once, and one that changed is noted', async ({ db, project }) => {
  await project.write('seed.sql', 'create table if not exists public.cups (id int); insert into public.cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 0, seeded: true })
  const hash = async () =>
    (await db.admin.query<{ hash: string }>({ text: 'select hash from supabase_migrations.seed_files', values: [] }))
      .rows
  const [before] = await hash()
  await project.write('seed.sql', 'insert into public.cups values (2)')
  expect(await project.apply()).toEqual({ migrations: 0, seeded: false })
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
  expect(await project.apply()).toEqual({ migrations: 2, seeded: false })
  expect(await count(db)).toBe(2)
  expect(await project.apply()).toEqual({ migrations: 0, seeded: false })
})

test('a migration older than the newest applied one, and a version used twice, are refused', async ({ project }) => {
  await project.write('migrations/0002_cups.sql', 'create table cups (id int)')
  await project.apply()
  await project.write('migrations/0001_late.sql', 'create table late (id int)')
  await expect(project.apply()).rejects.toThrow('older than 0002')
  await project.write('migrations/0001_twin.sql', 'create table twin (id int)')
  await expect(project.apply()).rejects.toThrow('has the version 0001, too')
})

test('a database that has a history already is not seeded', async ({ db, project }) => {
  await db.script('create table public.cups (id int)')
  await db.admin.query({ text: 'create schema supabase_migrations', values: [] })
  await db.admin.query({
    text: 'create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text)',
    values: [],
  })
  await project.write('seed.sql', 'insert into cups values (1)')
  expect(await project.apply()).toEqual({ migrations: 0, seeded: false })
  expect(await count(db)).toBe(0)
})
