import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { addressOf, type CommandResult, runCommand } from '../../../../test/command-line.ts'
import { test as base } from '../../../../test/harness.ts'

/** A project folder, and commands on it and the test's database. */
const test = base.extend<'project', Project>('project', async ({ db }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-migration-'))
  onCleanup(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
  return {
    write: (path, text) => writeFile(join(folder, 'supabase', path), text),
    remove: (path) => rm(join(folder, 'supabase', path)),
    clew: (...args) => runCommand(...args, '--project', folder, '--db-url', addressOf(db)),
  }
})

interface Project {
  write(path: string, text: string): Promise<void>
  remove(path: string): Promise<void>
  clew(...args: readonly string[]): Promise<CommandResult>
}

const states = async ({ clew }: Project): Promise<readonly string[]> =>
  JSON.parse((await clew('migration', 'list', '--json')).stdout).map(
    (each: { version: string; state: string }) => `${each.version} ${each.state}`,
  )

test('migrations are listed, applied and repaired', async ({ db, project }) => {
  await project.write('migrations/1_cups.sql', 'create table cups (id int)')
  await project.write('migrations/20240131120000_plates.sql', 'create table plates (id int)')
  expect(await states(project)).toEqual(['1 pending', '20240131120000 pending'])
  expect(await project.clew('migration', 'up')).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      '  ✓ supabase/migrations/1_cups.sql',
      '  ✓ supabase/migrations/20240131120000_plates.sql',
      'Remote database is up to date.',
      '',
    ].join('\n'),
  })
  expect(await project.clew('migration', 'list')).toMatchObject({
    stdout: [
      '  Local            Remote           Time (UTC)',
      '  1                1                1',
      '  20240131120000   20240131120000   2024-01-31 12:00:00',
      '',
    ].join('\n'),
  })
  expect(await project.clew('migration', 'repair', '--status', 'reverted', '1')).toMatchObject({
    code: 0,
    stdout: 'Repaired migration history: 1 => reverted\n',
  })
  expect(await states(project)).toEqual(['1 late', '20240131120000 applied'])
  expect(await project.clew('migration', 'up', '--include-all')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('relation "cups" already exists'),
  })
  expect((await project.clew('migration', 'list')).stdout).toContain(
    '\n  supabase/migrations/1_cups.sql:1:1: relation "cups" already exists (',
  )
  expect(await project.clew('migration', 'repair', '--status', 'applied', '1')).toMatchObject({ code: 0 })
  expect(await states(project)).toEqual(['1 applied', '20240131120000 applied'])
  const { rows } = await db.owner.query({
    text: `select statements from supabase_migrations.schema_migrations where version = '1'`,
    values: [],
  })
  expect(rows).toEqual([{ statements: ['create table cups (id int)'] }])
})

test('what only a person can decide is refused, with what to do', async ({ project }) => {
  await project.write('migrations/1_cups.sql', 'create table cups (id int)')
  await project.clew('migration', 'up')
  await project.write('migrations/0_late.sql', 'create table late (id int)')
  expect(await project.clew('migration', 'up')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('--include-all'),
  })
  expect(await project.clew('migration', 'up', '--include-all')).toMatchObject({ code: 0 })
  await project.remove('migrations/0_late.sql')
  expect(await project.clew('migration', 'up')).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/CLEW_MIGRATIONS_MISSING[\s\S]*\n {2}0\n[\s\S]*--status reverted/),
  })
  expect(await project.clew('migration', 'repair', '--status', 'applied', '7')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No file of supabase/migrations has the version 7.'),
  })
  expect(await project.clew('migration', 'repair', '--status', 'gone', '1')).toMatchObject({ code: 2 })
  expect(await project.clew('migration', 'repair', '--status', 'applied')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CLEW_NOT_CONFIRMED'),
  })
  expect(await states(project)).toEqual(['0 missing', '1 applied'])
  expect(await project.clew('migration', 'repair', '--status', 'applied', '--yes')).toMatchObject({ code: 0 })
  expect(await states(project)).toEqual(['1 applied'])
})

test('a database that cannot be reached, and a folder that is no project, are said', async ({ db }) => {
  const missing = 'postgresql://postgres@127.0.0.1:1/postgres'
  expect(await runCommand('migration', 'list', '--project', tmpdir(), '--db-url', missing)).toMatchObject({
    code: 9,
    stderr: expect.stringContaining('POSTGRES_UNREACHABLE'),
  })
  expect(await runCommand('migration', 'list', '--db-url', addressOf(db))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CLEW_PROJECT_MISSING'),
  })
})
