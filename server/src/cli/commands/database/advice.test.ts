import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { addressOf, runCommand } from '../../../../test/command-line.ts'
import { ask, startForeign } from '../../../../test/foreign-server.ts'
import { test as base } from '../../../../test/harness.ts'

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

const debian = '/usr/lib/postgresql/15/bin'
const lacking = ['pgtap', 'plpgsql_check'].filter(
  (name) => !existsSync(`/usr/share/postgresql/15/extension/${name}.control`),
)
if (lacking.length > 0)
  console.warn(`Without Debian's packages of ${lacking.join(' and ')} for PostgreSQL 15, they are not tested.`)

test.skipIf(lacking.length > 0)(
  'a server of its own runs tests by pgTAP and lints by plpgsql_check',
  async ({ folder }) => {
    const server = await startForeign(debian)
    onTestFinished(() => server.stop())
    const address = `postgresql://boss:secret@127.0.0.1:${server.port}/postgres`
    await ask(
      address,
      `create schema extensions;
    create table public.cups (id int primary key, name text not null);
    create function public.names() returns text language plpgsql as $$
      begin return (select c.title from public.cups c); end $$`,
    )
    const place = ['--project', folder, '--db-url', address]
    await writeFile(
      join(folder, 'supabase', 'tests', 'cups_test.sql'),
      `begin;
    select plan(4);
    select has_table('public', 'cups', 'cups are there');
    select col_not_null('public', 'cups', 'name', 'each has a name');
    select throws_ok('insert into public.cups values (1, null)', '23502');
    prepare named as select name from public.cups;
    select results_eq('named', array['blue'], 'a blue one');
    select * from finish();
    rollback;`,
    )
    const { code, stdout } = await runCommand('test', 'db', ...place)
    expect(code).toBe(1)
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        '1..4',
        'ok 1 - cups are there',
        'ok 2 - each has a name',
        'ok 3 - threw 23502',
        'not ok 4 - a blue one',
        '# Looks like you failed 1 test of 4',
        'FAILED  supabase/tests/cups_test.sql  3 of 4 passed',
        'Result: FAIL',
      ]),
    )
    const linted = await runCommand('db', 'lint', ...place, '--fail-on', 'error')
    expect(linted).toMatchObject({ code: 1, stdout: expect.stringContaining('column c.title does not exist') })
    // Neither extension stays.
    expect(await ask(address, `select extname from pg_extension where extname <> 'plpgsql'`)).toEqual([])
  },
)
