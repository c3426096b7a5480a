import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { readMigrations } from './apply-migrations.ts'
import { runMigration } from './run-migration.ts'

const limits = { lockMs: 1_000, statementMs: 10_000 }
const now = (): Date => new Date('2026-03-04T05:06:07Z')

async function project(): Promise<{ readonly folder: string; readonly migrations: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-project-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const migrations = join(folder, 'supabase', 'migrations')
  await mkdir(migrations, { recursive: true })
  return { folder, migrations }
}

const states = async (db: TestDatabase, folder: string) =>
  (await readMigrations(folder, db.owner, () => undefined)).map(({ version, state }) => `${version} ${state}`)

test('statements become a migration with a file, which the next start takes for applied', async ({ db }) => {
  const { folder } = await project()
  const deps = { folder, admin: db.admin, owner: db.owner, now }
  const statements = ['create table public.cups (id int)', `comment on table public.cups is 'it''s; here'`]
  const first = await runMigration(deps, { name: 'create table cups', statements, undo: null }, limits)
  const path = 'supabase/migrations/20260304050607_create_table_cups.sql'
  expect(first).toEqual({ kind: 'applied', version: '20260304050607', path })
  expect(await readFile(join(folder, path), 'utf8')).toBe(`${statements.join(';\n\n')};\n`)
  const second = await runMigration(deps, { name: 'drop', statements: ['drop table public.cups'], undo: null }, limits)
  expect(second).toMatchObject({ version: '20260304050608' })
  expect(await states(db, folder)).toEqual(['20260304050607 applied', '20260304050608 applied'])
})

test('a refused statement leaves neither tables nor files nor history', async ({ db }) => {
  const { folder, migrations } = await project()
  const deps = { folder, admin: db.admin, owner: db.owner, now }
  const statements = ['create table public.cups (id int)', 'alter table public.cups add check (nope)']
  await expect(runMigration(deps, { name: 'x', statements, undo: null }, limits)).rejects.toThrow(
    'column "nope" does not exist',
  )
  expect(await readdir(migrations)).toEqual([])
  expect(await states(db, folder)).toEqual([])
})

test('what fails at the commit takes the file with it', async ({ db }) => {
  const { folder, migrations } = await project()
  await db.load(
    'create table public.cups (id int primary key, of int references public.cups deferrable initially deferred)',
  )
  const deps = { folder, admin: db.admin, owner: db.owner, now }
  const statements = ['insert into public.cups values (1, 9)']
  await expect(runMigration(deps, { name: 'x', statements, undo: null }, limits)).rejects.toThrow('foreign key')
  expect(await readdir(migrations)).toEqual([])
})

test('files that are not applied come first', async ({ db }) => {
  const { folder, migrations } = await project()
  await writeFile(join(migrations, '20260101000000_cups.sql'), 'create table public.cups (id int);')
  const deps = { folder, admin: db.admin, owner: db.owner, now }
  expect(await runMigration(deps, { name: 'x', statements: ['select 1'], undo: null }, limits)).toEqual({
    kind: 'pending',
    files: ['supabase/migrations/20260101000000_cups.sql'],
  })
})

test('without a folder the history alone has it', async ({ db }) => {
  const deps = { folder: null, admin: db.admin, owner: db.owner, now }
  const done = await runMigration(
    deps,
    { name: 'cups', statements: ['create table public.cups (id int)'], undo: null },
    limits,
  )
  expect(done).toEqual({ kind: 'applied', version: '20260304050607', path: null })
  const { folder } = await project()
  expect(await states(db, folder)).toEqual(['20260304050607 missing'])
})
