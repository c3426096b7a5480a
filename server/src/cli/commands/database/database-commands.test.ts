import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compiled } from '../../../../test/compiled.ts'
import { freePort } from '../../../../test/free-port.ts'

const main = fileURLToPath(compiled('src/cli/main'))

let folder: string
let running: ChildProcess
let url: string

/** Runs a command line in the project folder to its end, with a text on its standard input. */
const clew = (args: readonly string[], input = '') =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { cwd: folder }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
    child.stdin?.end(input)
  })

const migrations = () => readdir(join(folder, 'supabase', 'migrations'))

const write = (name: string, text: string) => writeFile(join(folder, 'supabase', name), text)

const buckets = `[storage.buckets.pictures]
public = true
file_size_limit = "1MiB"
allowed_mime_types = ["text/plain"]
objects_path = "./pictures"
[storage.buckets.Plain]
`

/** The rows of a statement in the running instance's database. */
async function rows(text: string): Promise<readonly unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-database-'))
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
  await write('migrations/1_cups.sql', 'create table public.cups (id int primary key)')
  await mkdir(join(folder, 'supabase', 'pictures', 'deep'), { recursive: true })
  await write('pictures/one.txt', 'one')
  await write('pictures/deep/two.txt', 'two')
  await write('config.toml', buckets)
  const port = await freePort()
  url = `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`
  running = spawn(process.execPath, [main, 'start', '--port', '0', '--db-port', String(port)], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    running.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('Ready in')) resolve()
    })
    running.once('exit', () => reject(new Error('The instance did not start.')))
  })
})

afterAll(async () => {
  running.kill('SIGTERM')
  await once(running, 'exit')
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

test('the start made the declared buckets, and uploaded their files', async () => {
  expect(await stored()).toEqual(declared)
})

test('a migration is written, and applied to the running instance', async () => {
  const written = await clew(['migration', 'new', 'add plates'], 'create table public.plates (id int)')
  expect(written).toMatchObject({ code: 0, stdout: expect.stringMatching(/migrations\/\d{14}_add_plates\.sql/) })
  const [, file = ''] = await migrations()
  expect(await readFile(join(folder, 'supabase', 'migrations', file), 'utf8')).toBe(
    'create table public.plates (id int)',
  )
  expect(await clew(['migration', 'up'])).toMatchObject({
    code: 0,
    stdout: `  ✓ supabase/migrations/${file}\nLocal database is up to date.\n`,
  })
  expect(await rows('select * from public.plates')).toEqual([])
})

test('reset empties the running instance and applies the project anew; users are gone, the instance goes on', async () => {
  await rows(`insert into public.cups values (1); create table public.loose (id int)`)
  await rows(`insert into auth.users (id, email) values (gen_random_uuid(), 'ada@cups.test')`)
  expect(await clew(['db', 'reset'])).toMatchObject({ code: 0, stdout: expect.stringContaining('2 migrations') })
  expect(
    await rows(`
      select (select count(*)::int from public.cups) as cups, (select count(*)::int from auth.users) as users,
        to_regclass('public.loose') as loose`),
  ).toEqual([{ cups: 0, users: 0, loose: null }])
  expect(await clew(['status', '--json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"mode": "local"'),
  })
})

const stored = () =>
  rows(`
    select b.id, b.public, b.file_size_limit::int as size_limit, b.allowed_mime_types as types,
      array(select o.name from storage.objects o where o.bucket_id = b.id order by 1) as names
    from storage.buckets b order by 1`)

const declared = [
  { id: 'Plain', public: false, size_limit: null, types: null, names: [] },
  {
    id: 'pictures',
    public: true,
    size_limit: 1024 ** 2,
    types: ['text/plain'],
    names: ['deep/two.txt', 'one.txt'],
  },
]

test('declared buckets and their files are there after the start, after a reset, and when they are seeded', async () => {
  // The reset above has emptied what the start had made.
  expect(await stored()).toEqual(declared)
  expect(await clew(['storage', 'ls', '-r'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('/pictures/deep/two.txt\n'),
  })
  await rows(`update storage.buckets set public = false where id = 'pictures'`)
  await write('pictures/three.txt', 'three')
  expect(await clew(['seed', 'buckets', '--yes'])).toMatchObject({
    code: 0,
    stdout: '✓ Buckets: 0 created, 1 updated, 3 files uploaded\n',
    stderr: expect.stringContaining('Uploading: supabase/pictures/three.txt => pictures/three.txt'),
  })
  const [plain, pictures] = declared
  expect(await stored()).toEqual([plain, { ...pictures, names: ['deep/two.txt', 'one.txt', 'three.txt'] }])
  const backup = join(folder, 'backup')
  expect(await clew(['export', '--to', backup])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/storage\/ +3 files, 11 bytes/),
  })
  expect(await readFile(join(backup, 'storage', 'pictures', 'deep', 'two.txt'), 'utf8')).toBe('two')
  await clew(['storage', 'rm', '--yes', 'ss:///pictures/one.txt'])
  const again = await clew(['import', 'supabase', '--from-file', join(backup, 'dump.sql'), '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ files: { moved: 1, bytes: 3, alreadyThere: 2 } })
  await write('config.toml', buckets.replace('./pictures', './elsewhere'))
  expect(await clew(['seed', 'buckets'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('no file or folder is at supabase/elsewhere'),
  })
  await write('config.toml', buckets.replace('["text/plain"]', '["image/png"]'))
  expect(await clew(['seed', 'buckets'])).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/pictures\/\S+: mime type text\/plain; charset=utf-8 is not supported/),
  })
})
