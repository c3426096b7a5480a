import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createPostgres, type Postgres } from '../src/engines/postgres/index.ts'
import { findProcessUser } from '../src/engines/postgres/server/process-user.ts'
import { realtimeTables } from '../src/services/realtime/index.ts'
import { storageTables } from '../src/services/storage/index.ts'
import { startAuth } from './auth-service.ts'
import { ask, type ForeignServer, newest, startForeign } from './foreign-server.ts'
import { freePort } from './free-port.ts'
import { openRealtime } from './realtime-app.ts'
import { openStorage } from './storage-app.ts'

const pgbouncer = '/usr/sbin/pgbouncer'
const isThere = existsSync(pgbouncer)
if (!isThere) console.warn(`Without Debian's package pgbouncer (${pgbouncer}), nothing is tried behind a pooler.`)

interface Pooler {
  readonly port: number
  stop(): Promise<void>
}

/** One in transaction mode, that knows the server's roles. */
async function startPooler(serverPort: number): Promise<Pooler> {
  const user = await findProcessUser()
  const folder = await mkdtemp(join(tmpdir(), 'clew-pooler-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const configuration = `
    [databases]
    * = host=127.0.0.1 port=${serverPort}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = scram-sha-256
    auth_file = ${join(folder, 'users.txt')}
    auth_user = boss
    auth_query = select usename, passwd from pg_shadow where usename = $1
    pool_mode = transaction
    default_pool_size = 3`
  await writeFile(join(folder, 'users.txt'), '"boss" "secret"\n')
  await writeFile(join(folder, 'pgbouncer.ini'), configuration.replaceAll(/^ +/gm, ''))
  if (user.drops) await chown(folder, user.uid, user.gid)
  const child = spawn(pgbouncer, [join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    cwd: '/',
    ...(user.drops ? { uid: user.uid, gid: user.gid } : {}),
  })
  await vi.waitFor(() => ask(`postgresql://boss:secret@127.0.0.1:${port}/postgres`, 'select'), { timeout: 30_000 })
  return {
    port,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

describe.skipIf(!isThere)('behind a pooler that hands each transaction another connection', () => {
  let server: ForeignServer
  let pooler: Pooler
  const logged: string[] = []
  const at = (role: string, database: string, port: number) =>
    `postgresql://${role}:secret@127.0.0.1:${port}/${database}`
  const boss = (text: string) => ask(at('boss', 'postgres', server.port), text)
  const open = (url: string, directUrl: string | null): Promise<Postgres> => {
    logged.length = 0
    const log = (line: string) => logged.push(line)
    return createPostgres({ kind: 'external', url, directUrl, log, exposedSchemas: ['public'], poolSize: 8 })
  }

  beforeAll(async () => {
    server = await startForeign(newest, ['wal_level=logical'])
    pooler = await startPooler(server.port)
  })
  afterAll(async () => {
    await pooler?.stop()
    await server?.stop()
  })

  const table = `
    create table public.notes (id int generated always as identity primary key, owner text not null default current_user);
    grant all on public.notes to anon, authenticated, service_role`

  /** Callers side by side, each of whom must be answered as itself. */
  async function expectEachAsItself(db: Postgres): Promise<void> {
    const roles = ['anon', 'authenticated', 'service_role']
    const calls = Array.from({ length: 150 }, async (_, index) => {
      const role = roles[index % roles.length] ?? ''
      const isWrite = index % 5 === 0
      const text = isWrite
        ? 'insert into public.notes default values returning owner as who, $1::text as given'
        : `select current_user::text as who, current_setting('request.jwt.claims', true) as given where $1::text <> ''`
      const { rows } = await db.session.run({
        role,
        settings: [['request.jwt.claims', `claims ${index}`]],
        statement: { text, values: [`claims ${index}`] },
        readOnly: !isWrite,
        attribute: false,
        end: 'commit',
        context: null,
      })
      expect(rows).toEqual([{ who: role, given: `claims ${index}` }])
    })
    await Promise.all(calls)
  }

  async function expectAuth(db: Postgres): Promise<void> {
    const auth = await startAuth(db)
    const people = Array.from({ length: 6 }, (_, index) => ({
      email: `person${index}@example.com`,
      password: 'a very good password',
    }))
    const signedUp = await Promise.all(people.map((body) => auth.call('POST', '/signup', { body })))
    expect(signedUp.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(people.map(() => 200))
    const tokens = await Promise.all(people.map((body) => auth.call('POST', '/token?grant_type=password', { body })))
    for (const { status, body } of tokens) {
      expect(status).toBe(200)
      const { refresh_token } = body
      const refreshed = await auth.call('POST', '/token?grant_type=refresh_token', { body: { refresh_token } })
      expect(refreshed.status).toBe(200)
    }
  }

  /** Private channels and row changes of callers side by side, each of whom must be answered as itself. */
  async function expectRealtime(db: Postgres): Promise<void> {
    await db.migrate(realtimeTables.name, realtimeTables.postgres)
    const who = `current_setting('request.jwt.claims', true)::jsonb ->> 'sub'`
    await db.script(`
      create table public.tickets (id int primary key, holder text);
      grant select on public.tickets to authenticated;
      alter table public.tickets enable row level security;
      create policy own on public.tickets for select to authenticated using (holder = ${who});
      alter publication supabase_realtime add table public.tickets;
      create policy hear on realtime.messages for select to authenticated using (realtime.topic() = ${who})`)
    const { socket: open, token } = await openRealtime(db)
    await expect.poll(() => db.changes.health().state).toBe('up')
    const people = Array.from({ length: 6 }, (_, index) => `0000000${index}-0000-4000-8000-000000000000`)
    const sockets = await Promise.all(
      people.map(async (person, index) => {
        const socket = await open()
        const join = (ref: string, topic = '') => {
          const wish = { event: '*', schema: 'public', table: 'tickets' }
          const config = { private: true, postgres_changes: [wish] }
          socket.send([ref, ref, `realtime:${topic}`, 'phx_join', { config, access_token: token(person) }])
          return socket.until((frame: unknown[]) => frame[1] === ref)
        }
        expect(await join('1', person)).toMatchObject({ 4: { status: 'ok' } })
        await socket.until((frame: unknown[]) => frame[3] === 'system')
        expect(await join('2', people[(index + 1) % people.length])).toMatchObject({ 4: { status: 'error' } })
        return socket
      }),
    )
    await db.script(
      `insert into public.tickets select n, (array['${people.join("','")}'])[n % 6 + 1] from generate_series(1, 60) n`,
    )
    for (const [index, socket] of sockets.entries()) {
      const rows: string[] = []
      while (rows.length < 10) {
        const frame = await socket.until((each: unknown[]) => each[3] === 'postgres_changes')
        rows.push((frame as { 4: { data: { record: { holder: string } } } })[4].data.record.holder)
      }
      expect(new Set(rows)).toEqual(new Set([people[index]]))
    }
  }

  /** Files of callers side by side, each under their own policies; and of one name at once, where one is the object. */
  async function expectStorage(db: Postgres): Promise<void> {
    await db.migrate(storageTables.name, storageTables.postgres)
    await db.script(`
      insert into storage.buckets (id, name) values ('own', 'own');
      create policy own on storage.objects to authenticated
        using (bucket_id = 'own' and owner_id = (current_setting('request.jwt.claims', true)::jsonb ->> 'sub'))
        with check (bucket_id = 'own' and owner_id = (current_setting('request.jwt.claims', true)::jsonb ->> 'sub'))`)
    const { client } = await openStorage(db)
    const people = Array.from({ length: 6 }, (_, index) => `0000000${index}-0000-4000-8000-000000000000`)
    await Promise.all(
      people.map(async (person) => {
        const files = client(person).from('own')
        const uploads = Array.from({ length: 5 }, (_, index) =>
          files.upload(`${person}/${index}`, `${person} ${index}`),
        )
        expect((await Promise.all(uploads)).map(({ error }) => error)).toEqual(uploads.map(() => null))
        expect((await files.move(`${person}/0`, `${person}/moved`)).error).toBeNull()
        expect((await files.remove([`${person}/1`])).error).toBeNull()
        expect(await (await files.download(`${person}/moved`)).data?.text()).toBe(`${person} 0`)
        const listed = await files.list(person)
        expect(listed.data?.map(({ name }) => name).sort()).toEqual(['2', '3', '4', 'moved'])
      }),
    )
    const service = client().from('own')
    const sameName = await Promise.all(people.map((person) => service.upload('one', person)))
    expect(sameName.filter(({ error }) => error === null)).toHaveLength(1)
    // A user sees nothing of the others.
    const others = await client(people[0]).from('own').list(people[1])
    expect(others.data).toEqual([])
  }

  test('requests and sign-in work, and the start says what does not', async () => {
    await boss(`create role tenant login createrole createdb password 'secret'`)
    await boss('create database rented owner tenant')
    for (const start of ['first', 'second']) {
      const db = await open(at('tenant', 'rented', pooler.port), null)
      expect(logged.join('\n'), start).toContain('name the server itself as database_direct_url')
      if (start === 'first') await db.script(table)
      await expectEachAsItself(db)
      if (start === 'first') await expectAuth(db)
      const { rows } = await db.owner.query({ text: 'select count(*)::int > 10 as many from notes', values: [] })
      expect(rows).toEqual([{ many: true }])
      expect((await db.reader.query({ text: 'select * from public.notes', values: [] })).rowCount).toBeGreaterThan(10)
      db.changes.subscribe(async () => undefined)
      await expect
        .poll(() => db.changes.health())
        .toMatchObject({ state: 'off', detail: expect.stringContaining('database_direct_url') })
      await (await db.listen('pgrst', () => undefined))()
      await db.close()
    }
    const [left] = await boss('select rolconfig as settings from pg_roles where rolname = current_user')
    expect(left).toEqual({ settings: null })
  })

  test('with the server’s own address, requests, sign-in, files and realtime go by the pooler, and nothing is missing', async () => {
    // The other test's administrator could make no such role; its role is left as it is, as the start says.
    await boss('alter role service_role bypassrls')
    await boss('create database shop')
    const db = await open(at('boss', 'shop', pooler.port), at('boss', 'shop', server.port))
    await db.script(table)
    await expectEachAsItself(db)
    await expectAuth(db)
    const heard: string[] = []
    await db.listen('pgrst', (payload) => heard.push(payload))
    const seen: string[] = []
    db.changes.subscribe(async ({ changes }) => {
      seen.push(...changes.map(({ table: name }) => name))
    })
    await expect.poll(() => db.changes.health().state).toBe('up')
    await db.script('create table public.cups (id int primary key); insert into public.cups values (1)')
    await expect.poll(() => heard).toContain('reload schema')
    await expect.poll(() => seen).toContain('cups')
    const { rows } = await db.auth.query({ text: 'select current_user as who', values: [] })
    expect(rows).toEqual([{ who: 'supabase_auth_admin' }])
    await expectStorage(db)
    await expectRealtime(db)
    await db.close()
  })

  test('a superuser is refused without it', async () => {
    await boss('create database ruled')
    await expect(open(at('boss', 'ruled', pooler.port), null)).rejects.toMatchObject({
      code: 'POSTGRES_DIRECT_URL_NEEDED',
    })
    const twice = open(at('boss', 'ruled', pooler.port), at('boss', 'ruled', pooler.port))
    await expect(twice).rejects.toMatchObject({ code: 'POSTGRES_DIRECT_URL_NEEDED' })
  })
})
