import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { PostgrestClient } from '@supabase/postgrest-js'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { compiled } from '../../test/compiled.ts'
import { freePort } from '../../test/free-port.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness.ts'

const secret = 'a secret of thirty-two characters'
const main = fileURLToPath(compiled('src/cli/main'))

let db: TestDatabase
let folder: string
const running: ChildProcess[] = []

beforeAll(async () => {
  db = await openTestDatabase()
  await db.load('bookshop.sql')
  folder = await mkdtemp(join(tmpdir(), 'clew-rest-'))
})
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

/** The test's database as one that is not our own: a connection string in libpq's own words. */
function address(): string {
  const { host, port, database } = db.login('authenticator')
  return `host=${host} port=${port} dbname=${database} user=authenticator`
}

interface Started {
  readonly child: ChildProcess
  readonly printed: () => string
}

/** Runs the command as PostgREST is run: with a file and the environment. */
function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, [main, 'rest', ...args], {
    cwd: new URL('../..', import.meta.url),
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  return { child, printed: () => printed }
}

async function write(name: string, lines: Readonly<Record<string, string | number | boolean>>): Promise<string> {
  const path = join(folder, name)
  const text = Object.entries(lines).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
  await writeFile(path, text.join(''))
  return path
}

const token = (claims: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))

describe('the service alone on another’s database', () => {
  let started: Started
  let url: string
  let adminUrl: string

  async function start(extra: Readonly<Record<string, string | number | boolean>> = {}): Promise<void> {
    const [port, adminPort] = [await freePort(), await freePort()]
    const path = await write('postgrest.conf', {
      'db-uri': address(),
      'db-anon-role': 'anon',
      'db-schemas': 'public',
      'jwt-secret': secret,
      'server-host': '127.0.0.1',
      'server-port': port,
      'admin-server-port': adminPort,
      'app.settings.shop': 'books',
      'log-level': 'info',
      ...extra,
    })
    started = run(['--config', path])
    url = `http://127.0.0.1:${port}`
    adminUrl = `http://127.0.0.1:${adminPort}`
    await expect.poll(async () => (await fetch(`${adminUrl}/ready`).catch(() => null))?.status).toBe(200)
    await expect.poll(started.printed).toContain('API server listening')
  }

  test('answers the official client, knows its tokens, and makes nothing in the database', async () => {
    const objects = async () =>
      (
        await db.admin.query<{ count: string }>({
          text: 'select count(*) as count from pg_catalog.pg_class',
          values: [],
        })
      ).rows[0]?.count
    const before = await objects()
    await start()
    const anonymous = new PostgrestClient(url)
    const { data, error } = await anonymous.from('books').select('id, authors ( name )').eq('id', 1).single()
    expect({ data, error }).toEqual({ data: { id: 1, authors: { name: 'Ursula' } }, error: null })
    expect((await anonymous.from('notes').select()).data).toEqual([])

    const sub = '00000000-0000-0000-0000-000000000001'
    const user = new PostgrestClient(url, {
      headers: { Authorization: `Bearer ${await token({ role: 'authenticated', sub })}` },
    })
    expect((await user.from('notes').insert({ body: 'new' }).select('body')).data).toEqual([{ body: 'new' }])
    expect((await user.from('notes').select('body').order('body')).data).toEqual([{ body: 'new' }, { body: 'of one' }])
    expect((await user.rpc('add', { a: 1, b: 2 })).data).toBe(3)

    const forged = new PostgrestClient(url, { headers: { Authorization: 'Bearer a.b.c' } })
    expect(await forged.from('books').select()).toMatchObject({ status: 401, error: { code: 'PGRST301' } })
    const stranger = new PostgrestClient(url, {
      headers: { Authorization: `Bearer ${await token({ role: 'supabase_admin' })}` },
    })
    expect(await stranger.from('books').select()).toMatchObject({ status: 403, error: { code: '42501' } })
    expect(await objects()).toBe(before)
    expect(started.printed()).toMatch(/- authenticated \[.*\] "GET \/notes\?select=body&order=body.asc HTTP\/1.1" 200/)
  })

  test('is mounted at the root, and describes itself there', async () => {
    await start()
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toBe('application/openapi+json; charset=utf-8')
    expect(answer.headers.get('server')).toMatch(/^postgrest\//)
    expect(await answer.json()).toMatchObject({ host: new URL(url).host, basePath: '/' })
    expect((await fetch(`${url}/rest/v1/books`)).status).toBe(404)
  })

  test('refuses in its own words what is no path, and answers a request that came through a proxy', async () => {
    await start()
    for (const path of ['/books%ZZ', '/books%FF'])
      expect(await (await fetch(`${url}${path}`)).json()).toMatchObject({ code: 'PGRST205' })
    const { port } = new URL(url)
    const [answer] = (await once(request({ port, path: `${url}/books?select=id&id=eq.1` }).end(), 'response')) as [
      IncomingMessage,
    ]
    expect(await text(answer)).toBe('[{"id":1}]')
  })

  test('has an admin server', async () => {
    await start()
    expect((await fetch(`${adminUrl}/live`)).status).toBe(200)
    expect(await (await fetch(`${adminUrl}/ready`)).text()).toBe('')
    expect((await fetch(`${adminUrl}/else`)).status).toBe(404)
    expect(await (await fetch(`${adminUrl}/metrics`)).text()).toContain(
      'pgrst_schema_cache_loads_total{status="SUCCESS"} 1',
    )
    expect(await (await fetch(`${adminUrl}/schema_cache`)).text()).toContain('"tableName":"books"')
  })

  test('reads its file again when it is told to, and keeps what it had when it cannot', async () => {
    await start()
    const answers = async () => (await fetch(`${url}/books?select=id`, { method: 'HEAD' })).headers.get('content-range')
    expect(await answers()).toBe('0-4/*')
    const lines = {
      'db-uri': address(),
      'db-anon-role': 'anon',
      'server-host': '127.0.0.1',
      'server-port': new URL(url).port,
      'jwt-secret': secret,
    }
    await write('postgrest.conf', { ...lines, 'db-max-rows': 2 })
    started.child.kill('SIGUSR2')
    await expect.poll(answers).toBe('0-1/*')
    await write('postgrest.conf', { ...lines, 'openapi-mode': 'nonsense' })
    started.child.kill('SIGUSR2')
    await expect.poll(started.printed).toContain('Invalid openapi-mode')
    expect(await answers()).toBe('0-1/*')
  })

  test('keeps no statements where a pooler shares the connections', async () => {
    await start({ 'db-prepared-statements': false })
    const client = new PostgrestClient(url)
    for (const id of [1, 2, 1]) expect((await client.from('books').select('id').eq('id', id)).data).toEqual([{ id }])
    expect((await client.rpc('numbers', { upto: 2 })).data).toEqual([1, 2])
  })

  test('ends what is under way when it is told to stop', async () => {
    await db.load(`create or replace function public.slow() returns int language sql volatile
      as 'select 1 from (select pg_sleep(1)) s'`)
    await start()
    const answer = fetch(`${url}/rpc/slow`, { method: 'POST' })
    const sleeping = {
      text: `select from pg_stat_activity where wait_event = 'PgSleep' and datname = $1`,
      values: [db.database],
    }
    await expect.poll(async () => (await db.admin.query(sleeping)).rowCount).toBe(1)
    started.child.kill('SIGTERM')
    expect(await (await answer).json()).toBe(1)
    if (started.child.exitCode === null) await once(started.child, 'exit')
    expect(started.child.exitCode).toBe(0)
  })
})

test('a Unix socket is made with its mode', async () => {
  const socket = join(folder, 'rest.sock')
  run([], {
    PGRST_DB_URI: address(),
    PGRST_DB_ANON_ROLE: 'anon',
    PGRST_SERVER_UNIX_SOCKET: socket,
    PGRST_SERVER_UNIX_SOCKET_MODE: '600',
  })
  const get = () =>
    new Promise<string>((resolve, reject) => {
      const call = request({ socketPath: socket, path: '/books?select=id&id=eq.1' }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += String(chunk)))
        answer.on('end', () => resolve(text))
      })
      call.on('error', reject)
      call.end()
    })
  await expect.poll(() => get().catch(() => null)).toBe('[{"id":1}]')
  expect(((await stat(socket)).mode & 0o777).toString(8)).toBe('600')
})

test('a database that is not there yet is waited for; meanwhile every request answers 503', async () => {
  const [port, adminPort] = [await freePort(), await freePort()]
  run([], {
    PGRST_DB_URI: 'host=127.0.0.1 port=9 dbname=nowhere user=nobody',
    PGRST_DB_ANON_ROLE: 'anon',
    PGRST_SERVER_PORT: String(port),
    PGRST_SERVER_HOST: '127.0.0.1',
    PGRST_ADMIN_SERVER_PORT: String(adminPort),
  })
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/books`).catch(() => null)) ?? null
  await expect.poll(async () => (await ask())?.status).toBe(503)
  const answer = await ask()
  expect(answer?.headers.get('retry-after')).toBe('1')
  expect(await answer?.json()).toMatchObject({ code: 'PGRST002' })
  expect((await fetch(`http://127.0.0.1:${adminPort}/ready`)).status).toBe(503)
})

describe('ends at once, and says why', () => {
  test.each([
    ['a setting that cannot be', { PGRST_OPENAPI_MODE: 'nonsense' }, [], 'Invalid openapi-mode'],
    ['a short secret', { PGRST_JWT_SECRET: 'short' }, [], 'at least 32 characters'],
    ['a file that is not there', {}, ['/nowhere.conf'], '/nowhere.conf cannot be read'],
    [
      'a database that is lost and not waited for',
      { PGRST_DB_URI: 'host=127.0.0.1 port=9', PGRST_DB_POOL_AUTOMATIC_RECOVERY: 'false' },
      [],
      'Database connection error.',
    ],
  ])('%s', async (_title, environment, args, message) => {
    const { child, printed } = run(args, environment)
    const [code] = await once(child, 'exit')
    expect(code).toBe(1)
    expect(printed()).toContain(message)
  })
})

test('what was read is printed, with what the database says', async () => {
  const { child, printed } = run(['--dump-config'], { PGRST_DB_URI: address(), PGRST_DB_MAX_ROWS: '7' })
  expect((await once(child, 'exit'))[0]).toBe(0)
  expect(printed()).toContain('db-max-rows = 7\n')
  expect(printed()).toContain('db-schemas = "public"\n')
})
