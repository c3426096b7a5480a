import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { addressOf, runCommand } from '../../../test/command-line.ts'
import { test as base } from '../../../test/harness.ts'

const test = base.extend<'folder', string>(
  'folder',
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern
  async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-advice-'))
    onCleanup(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'supabase', 'tests'), { recursive: true })
    return folder
  },
)

test('lint and advisors print what they find, and fail where they are asked to', async ({ db, folder }) => {
  const place = ['--project', folder, '--db-url', addressOf(db)]
  expect(await runCommand('db', 'advisors', ...place)).toMatchObject({ code: 0, stdout: 'No issues found\n' })
  await db.load(`create table public.cups (id int primary key); set check_function_bodies = off;
    create function public.broken() returns int language plpgsql as 'begin retrun 1; end'`)
  const { stdout } = await runCommand('db', 'advisors', ...place, '--json')
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ name: 'rls_disabled_in_public', level: 'error', object: 'cups' }),
    expect.objectContaining({ name: 'function_search_path_mutable', level: 'warn', object: 'broken()' }),
  ])
  expect(await runCommand('db', 'advisors', ...place, '--type', 'performance')).toMatchObject({
    stdout: 'No issues found\n',
  })
  expect(await runCommand('db', 'advisors', ...place, '--fail-on', 'error')).toMatchObject({ code: 1 })
  const linted = await runCommand('db', 'lint', ...place, '--fail-on', 'error')
  expect(linted).toMatchObject({ code: 1, stdout: expect.stringContaining('"function": "broken()"') })
  expect(linted.stdout).toContain('rls_disabled_in_public')
  expect(await runCommand('db', 'lint', ...place, '--level', 'much')).toMatchObject({ code: 2 })
})

/** As much of pgTAP as a test needs. */
const tap = `
  create function public.plan(int) returns text language sql as $$ select '1..' || $1 $$;
  create function public.ok(boolean, text) returns text language sql as
    $$ select case when $1 then '' else 'not ' end || 'ok - ' || $2 $$;`

test('test db says which tests fail, keeps nothing of them, and what is missing for them', async ({ db, folder }) => {
  const place = ['--project', folder, '--db-url', addressOf(db)]
  const file = (name: string, text: string) => writeFile(join(folder, 'supabase', 'tests', name), text)
  await file('a_test.sql', `begin; select plan(1); create table kept (); select ok(true, 'good'); rollback;`)
  expect(await runCommand('test', 'db', ...place)).toMatchObject({
    code: 14,
    stderr: expect.stringContaining('The tests need pgTAP.'),
  })
  await db.load(tap)
  expect(await runCommand('test', 'db', ...place)).toMatchObject({
    code: 0,
    stdout: '1..1\nok - good\nok  supabase/tests/a_test.sql  1 of 1 passed\nFiles=1, failed=0\nResult: PASS\n',
  })
  await file('b_test.sql', `begin; select plan(2); select ok(false, 'bad'); select nothing(); rollback;`)
  expect(await runCommand('test', 'db', ...place)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/not ok - bad\nnot ok - function nothing\(\) does not exist[\s\S]*Result: FAIL/),
  })
  const { rows } = await db.admin.query({ text: `select to_regclass('public.kept') as kept`, values: [] })
  expect(rows).toEqual([{ kept: null }])
})
