import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, onTestFinished } from 'vitest'
import { compiled } from '../../../../test/compiled.ts'
import { ask, newest, startForeign } from '../../../../test/foreign-server.ts'
import { openTestDatabase, test } from '../../../../test/harness.ts'

const main = fileURLToPath(compiled('src/cli/main'))

const clew = (...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [main, ...args], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

afterAll(async () => {
  // Roles belong to the cluster, which other tests have, too; the database that they owned objects of is gone.
  const db = await openTestDatabase(1)
  await db.admin.query({ text: 'drop role if exists web_anon, todo_user, web_owner', values: [] })
  await db.close()
})

test('a database of PostgREST comes in with its roles, owners and settings', async ({ db }) => {
  const server = await startForeign(newest)
  const folder = await mkdtemp(join(tmpdir(), 'clew-import-'))
  onTestFinished(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })
  const select = async (text: string) => (await db.admin.query({ text, values: [] })).rows
  const address = `postgresql://boss:secret@127.0.0.1:${server.port}/postgres`
  await ask(
    address,
    await readFile(new URL('../../../../test/fixtures/postgrest-database.sql', import.meta.url), 'utf8'),
  )
  const config = join(folder, 'postgrest.conf')
  await writeFile(config, 'db-uri = "postgresql://"\ndb-schemas = "api"\ndb-anon-role = "web_anon"\n')
  const { host, port, user, database } = db.login('postgres')
  const to = `host='${host}' port=${port} user=${user} dbname=${database}`

  const done = await clew('import', 'postgrest', '--db-url', address, '--to', to, '--config', config)
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(done.stdout).toMatch(/^\d+ statements, 3 rows of 2 tables\.$/m)
  expect(done.stdout).toContain('[rest]\ndb_schemas = ["api"]\ndb_anon_role = "web_anon"\n')
  expect(done.stdout).toContain('Set elsewhere, see the guide: db-uri')
  expect(
    await select(`
      select pg_get_userbyid(p.proowner) as owner, has_function_privilege('todo_user', p.oid, 'execute') as runs,
        has_function_privilege('web_anon', p.oid, 'execute') as runs_unasked,
        has_table_privilege('web_anon', 'api.todos', 'select') as reads,
        has_table_privilege('web_anon', 'api.todos', 'insert') as writes,
        pg_has_role('authenticator', 'web_anon', 'member') as member,
        (select tableowner from pg_tables where schemaname = 'api') as table_owner,
        (select pass from basic_auth.users) as pass
      from pg_proc p where p.proname = 'whoami'`),
  ).toEqual([
    {
      owner: 'web_owner',
      runs: true,
      runs_unasked: false,
      reads: true,
      writes: false,
      member: true,
      table_owner: 'web_owner',
      pass: 'hash',
    },
  ])
  expect(
    await select(`
      select r.rolname as role, s.setconfig::text as settings
      from pg_db_role_setting s join pg_roles r on r.oid = s.setrole join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database() and r.rolname in ('authenticator', 'todo_user', 'web_owner')
      order by 1`),
  ).toEqual([
    { role: 'authenticator', settings: '{"pgrst.db_schemas=api, private"}' },
    { role: 'todo_user', settings: '{statement_timeout=2s}' },
    { role: 'web_owner', settings: '{"search_path=api, public"}' },
  ])

  expect(await clew('import', 'supabase', '--to', to)).toMatchObject({ code: 2 })
  for (const [args, words] of [
    [['--storage-url', 'http://127.0.0.1:1'], '--service-key is missing'],
    [['--storage-url', 'http://127.0.0.1:1', '--files', folder], 'Give one of'],
    [['--s3-endpoint', 'http://127.0.0.1:1'], '--s3-access-key-id'],
    [['--files', folder], '--to-url and --to-key are missing'],
    [['--jobs', '0'], '--jobs'],
  ] as const)
    expect(await clew('import', 'supabase', '--to', to, '--db-url', address, ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    })
  const unreachable = ['--storage-url', 'http://127.0.0.1:1', '--service-key', 'x']
  expect(await clew('import', 'supabase', '--to', to, '--db-url', address, ...unreachable)).toMatchObject({
    code: 15,
    stderr: expect.stringContaining('The files cannot be read'),
  })
  expect(await clew('import', 'supabase', '--to', to, '--from-file', join(folder, 'none'))).toMatchObject({
    code: 13,
    stderr: expect.stringContaining('CLEW_IMPORT_FILE'),
  })
  expect(await clew('import', 'supabase', '--to', to, '--db-url', 'postgresql://127.0.0.1:1/x')).toMatchObject({
    code: 9,
  })
})
