import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { test as base, expect } from 'vitest'
import { compiled } from '../../../../test/compiled.ts'
import { freePort } from '../../../../test/free-port.ts'
import type { ChangeTransaction } from '../../../ground/model/change.ts'
import type { Postgres } from '../index.ts'
import { createPostgres } from '../index.ts'
import { checkBinaries, findBinaries } from './binaries.ts'
import { startEmbedded } from './embedded.ts'
import { findProcessUser } from './process-user.ts'
import { waitForStalePostmaster } from './stale-postmaster.ts'

interface Place {
  readonly folder: string
  readonly dataDir: string
  readonly socketDir: string
  start(port?: number): Promise<Postgres>
}

/** A directory of its own, which only its owner can walk into, as below /root. */
const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern
  .extend('place', async ({}, { onCleanup }): Promise<Place> => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-pg-'))
    const socketDir = await mkdtemp(join(tmpdir(), 'clew-s-'))
    const dataDir = join(folder, 'data')
    const open: Postgres[] = []
    onCleanup(async () => {
      for (const db of open) await db.close()
      await rm(folder, { recursive: true })
      await rm(socketDir, { recursive: true })
    })
    return {
      folder,
      dataDir,
      socketDir,
      async start(port) {
        const db = await createPostgres({
          kind: 'embedded',
          dataDir,
          socketDir,
          port: port ?? null,
          password: 'postgres',
          log: () => undefined,
          exposedSchemas: ['public'],
          poolSize: 2,
        })
        open.push(db)
        return db
      },
    }
  })

const read = async (db: Postgres): Promise<readonly unknown[]> =>
  (await db.admin.query({ text: 'select id from public.notes order by id', values: [] })).rows

/** Whether a process runs; one that ended and was not yet asked for by its parent does not. */
async function alive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return status !== null && !/\) Z /.test(status)
}

test('a first start makes a durable cluster, and what was written is there at the next', async ({ place }) => {
  const first = await place.start()
  await first.script('create table notes (id int primary key); insert into notes values (1)')
  expect(first.version).toBeGreaterThanOrEqual(180_000)
  expect(first.url).toBeNull()
  const { rows } = await first.admin.query({
    text: `select name, setting from pg_settings
      where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_level', 'TimeZone') order by name`,
    values: [],
  })
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    TimeZone: 'UTC',
    wal_level: 'logical',
  })
  const { pid, state } = await first.health()
  expect(state).toBe('up')
  await first.close()
  expect(await alive(pid ?? 0)).toBe(false)
  const second = await place.start()
  expect(await read(second)).toEqual([{ id: 1 }])
})

test('what transactions wait for aside does not wait for them', async ({ place }) => {
  const { admin, aside } = await place.start()
  const statement = { text: 'select 1 as one', values: [] }
  const all = Array.from({ length: 20 }, () =>
    admin.transaction(async (sql) => {
      await sql.query(statement)
      return (await aside.query<{ one: number }>(statement)).rows[0]?.one
    }),
  )
  expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, () => 1))
})

test('a table’s changes wait until the transaction that made it is seen, and know its key', async ({ place }) => {
  const db = await place.start()
  const say = (text: string) => db.admin.query({ text, values: [] })
  const seen: ChangeTransaction[] = []
  db.changes.subscribe(async (transaction) => {
    seen.push(transaction)
  })
  await expect.poll(() => db.changes.health().state).toBe('up')
  // A commit that waits for a standby is in the log, and streamed, but not seen yet.
  await say(`alter system set synchronous_standby_names = 'nobody'`)
  await say('select pg_reload_conf()')
  const waiting = `select from pg_stat_activity where wait_event = 'SyncRep'`
  const script = db.script(`
    create type mood as enum ('calm');
    create table notes (id int primary key, mood mood);
    insert into notes values (1, 'calm')`)
  await expect.poll(async () => (await say(waiting)).rows.length).toBe(1)
  const lag = `select pg_current_wal_flush_lsn() <= sent_lsn as sent from pg_stat_replication`
  await expect.poll(async () => (await say(lag)).rows).toEqual([{ sent: true }])
  expect(seen).toEqual([])
  await say('alter system reset synchronous_standby_names')
  await say('select pg_reload_conf()')
  await script
  await expect.poll(() => seen.length).toBe(1)
  expect(seen[0]?.changes).toMatchObject([{ table: 'notes', key: { id: '1' }, types: { id: 'integer', mood: 'mood' } }])
})

test('a first start that was interrupted is begun again', async ({ place }) => {
  await mkdir(join(`${place.dataDir}.new`, 'base'), { recursive: true })
  const db = await place.start()
  expect((await db.health()).state).toBe('up')
})

test('tools log in over TCP with the owner’s password, and as no other role', async ({ place }) => {
  const port = await freePort()
  const db = await place.start(port)
  expect(db.url).toBe(`postgresql://postgres:postgres@127.0.0.1:${port}/postgres`)
  const logIn = async (url: string) => {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query('select current_user as who')
    await client.end()
    return rows
  }
  expect(await logIn(db.url ?? '')).toEqual([{ who: 'postgres' }])
  for (const user of ['postgres:wrong', 'supabase_admin:postgres', 'authenticator:postgres'])
    await expect(logIn(`postgresql://${user}@127.0.0.1:${port}/postgres`)).rejects.toMatchObject({ code: '28P01' })
  // As all workers of an instance do at once.
  await Promise.all(Array.from({ length: 6 }, () => db.setPassword('another')))
  expect(await logIn(db.url ?? '')).toEqual([{ who: 'postgres' }])
  expect(db.url).toContain('postgres:another@')
})

test('a port in use is named', async ({ place }) => {
  const port = await freePort()
  const holder = createServer().listen(port, '127.0.0.1')
  await once(holder, 'listening')
  await expect(place.start(port)).rejects.toMatchObject({
    code: 'POSTGRES_PORT_IN_USE',
    message: `Port ${port} is in use.`,
  })
  holder.close()
  expect((await (await place.start(port)).health()).state).toBe('up')
})

test('a killed parent leaves no orphan, and what it had committed is there at the next start', async ({ place }) => {
  const door = compiled('src/engines/postgres/index').href
  const program = `
    const { createPostgres } = await import(${JSON.stringify(door)})
    const db = await createPostgres({ kind: 'embedded', dataDir: ${JSON.stringify(place.dataDir)}, password: 'x', port: null,
      socketDir: ${JSON.stringify(place.socketDir)}, log: () => {}, exposedSchemas: ['public'], poolSize: 1 })
    await db.script('create table notes (id int primary key)')
    console.log((await db.health()).pid)
    for (let id = 1; ; id += 1) {
      await db.admin.query({ text: 'insert into public.notes values ($1)', values: [id] })
      console.log(id)
    }`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: number[] = []
  for await (const line of createInterface({ input: parent.stdout })) {
    lines.push(Number(line))
    if (lines.length === 20) parent.kill('SIGKILL')
  }
  const [pid = 0, ...committed] = lines
  // At once: the server may still be writing its last checkpoint, and is waited for.
  const db = await place.start()
  expect(await alive(pid)).toBe(false)
  const rows = (await read(db)) as { id: number }[]
  expect(rows.length).toBeGreaterThanOrEqual(committed.length)
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(committed))
})

test('a pid file whose number belongs to another program does not hold up a start', async ({ place }) => {
  const first = await place.start()
  await first.script('create table notes (id int primary key); insert into notes values (1)')
  const pidFile = join(place.dataDir, 'postmaster.pid')
  const left = await readFile(pidFile, 'utf8')
  await first.close()
  await writeFile(pidFile, left.replace(/^\d+/, String(process.pid)))
  const second = await place.start()
  expect(await read(second)).toEqual([{ id: 1 }])
})

test('a pid file that a killed server left is gone before a process that starts can get its number', async ({
  place,
}) => {
  const first = await place.start()
  const pidFile = join(place.dataDir, 'postmaster.pid')
  const left = await readFile(pidFile, 'utf8')
  await first.close()
  await writeFile(pidFile, left)
  await waitForStalePostmaster(place.dataDir)
  await expect(readFile(pidFile)).rejects.toThrow('ENOENT')
})

test('a socket lock whose number belongs to another process does not hold up a start', async ({ place }) => {
  const port = await freePort()
  const first = await place.start(port)
  await first.close()
  const lock = join(place.socketDir, 'pg', `.s.PGSQL.${port}.lock`)
  await writeFile(lock, `${process.ppid}\n${place.dataDir}\n1\n${port}\n${join(place.socketDir, 'pg')}\n`)
  await writeFile(lock.replace('.lock', ''), '')
  expect((await (await place.start(port)).health()).state).toBe('up')
})

test('a pid file whose number belongs to another PostgreSQL server does not hold up a start', async ({ place }) => {
  const first = await place.start()
  const pidFile = join(place.dataDir, 'postmaster.pid')
  const left = await readFile(pidFile, 'utf8')
  await first.close()
  const other = await mkdtemp(join(tmpdir(), 'clew-pg-other-'))
  const server = await startEmbedded({
    kind: 'embedded',
    dataDir: join(other, 'data'),
    socketDir: other,
    port: null,
    password: 'postgres',
    log: () => undefined,
  })
  try {
    await writeFile(pidFile, left.replace(/^\d+/, String(server.pid)))
    expect((await (await place.start()).health()).state).toBe('up')
  } finally {
    await server.stop()
    await rm(other, { recursive: true })
  }
})

test('a server that runs on the same data is not joined', async ({ place }) => {
  await place.start()
  await expect(waitForStalePostmaster(place.dataDir, 100)).rejects.toMatchObject({ code: 'POSTGRES_DATA_DIR_IN_USE' })
})

test('data of another major version is left alone', async ({ place }) => {
  await mkdir(place.dataDir)
  await writeFile(join(place.dataDir, 'PG_VERSION'), '14\n')
  await expect(place.start()).rejects.toMatchObject({ code: 'POSTGRES_DATA_DIR_OF_ANOTHER_VERSION' })
  expect(await readFile(join(place.dataDir, 'PG_VERSION'), 'utf8')).toBe('14\n')
})

test('a socket path that is too long is refused before anything is made', async ({ place }) => {
  const starting = createPostgres({
    kind: 'embedded',
    dataDir: place.dataDir,
    socketDir: join(place.folder, 'x'.repeat(100)),
    port: null,
    password: 'postgres',
    log: () => undefined,
    exposedSchemas: ['public'],
    poolSize: 1,
  })
  await expect(starting).rejects.toMatchObject({ code: 'POSTGRES_SOCKET_PATH_TOO_LONG' })
  await expect(stat(place.dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('binaries say their version', async () => {
  expect(await checkBinaries()).toMatch(/^postgres \(PostgreSQL\) 18\./)
})

test('links that the package’s install script should have made are made', async ({ place }) => {
  const user = { ...(await findProcessUser()), drops: false }
  const { postgres } = await findBinaries(user)
  const native = dirname(dirname(postgres))
  const packageDir = join(place.folder, 'package')
  await mkdir(join(packageDir, 'native', 'lib'), { recursive: true })
  for (const part of ['bin', 'share', 'lib/postgresql', 'pg-symlinks.json'])
    await symlink(join(native, part), join(packageDir, 'native', part))
  const found = await findBinaries(user, join(packageDir, 'native'))
  expect(found.libraries.has('pgcrypto')).toBe(true)
  const list = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of list) expect((await lstat(join(packageDir, target))).isSymbolicLink()).toBe(true)
})

test.runIf(process.getuid?.() === 0)(
  'binaries that nobody else can reach are copied to where they can',
  async ({ place }) => {
    const user = await findProcessUser()
    const { postgres } = await findBinaries({ ...user, drops: false })
    const link = join(place.folder, 'native')
    await symlink(dirname(dirname(postgres)), link)
    await symlink(join(dirname(dirname(dirname(postgres))), 'package.json'), join(place.folder, 'package.json'))
    const found = await findBinaries(user, link)
    const copy = dirname(dirname(found.postgres))
    try {
      const version = spawn(found.postgres, ['--version'], {
        uid: user.uid,
        gid: user.gid,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [[text], [code]] = await Promise.all([once(version.stdout, 'data'), once(version, 'exit')])
      expect(String(text)).toContain('PostgreSQL')
      expect(code).toBe(0)
      expect((await findBinaries(user, link)).postgres).toBe(found.postgres)
    } finally {
      await rm(copy, { recursive: true })
      await unlink(link)
    }
  },
)

test('the server allows the connections of the pools, and more where its configuration says so', async ({ place }) => {
  const options = {
    kind: 'embedded',
    dataDir: place.dataDir,
    socketDir: place.socketDir,
    port: null,
    password: 'postgres',
    log: () => undefined,
    exposedSchemas: ['public'],
  } as const
  const allowed = async (poolSize: number): Promise<unknown> => {
    const db = await createPostgres({ ...options, poolSize, commandConnections: 32 })
    const { rows } = await db.admin.query({ text: `select current_setting('max_connections')::int as n`, values: [] })
    await db.close()
    return rows
  }
  expect(await allowed(10)).toEqual([{ n: 100 }])
  expect(await allowed(200)).toEqual([{ n: 200 + 6 + 6 + 2 + 32 + 15 + 25 }])
  const file = join(place.dataDir, 'postgresql.conf')
  await writeFile(file, (await readFile(file, 'utf8')).replace('max_connections = 100', 'max_connections = 400'))
  expect(await allowed(200)).toEqual([{ n: 400 }])
})

test('a server that allows fewer connections than the pools may open is named in the log', async ({ place }) => {
  await place.start().then((db) => db.close())
  const file = join(place.dataDir, 'postgresql.conf')
  await writeFile(file, (await readFile(file, 'utf8')).replace('max_connections = 100', 'max_connections = 30'))
  const logged: string[] = []
  const db = await createPostgres({
    kind: 'embedded',
    dataDir: place.dataDir,
    socketDir: place.socketDir,
    port: null,
    password: 'postgres',
    log: (line) => logged.push(line),
    exposedSchemas: ['public'],
    poolSize: 10,
  })
  await db.close()
  expect(logged).toEqual([
    'postgres: the pools may open 39 connections, and max_connections leaves 27; lower pool_size',
  ])
})
