import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { schemaCompilers } from '../src/gateway/schema-compilers.ts'
import { applyProject } from '../src/instance/project/project.ts'
import { createSample } from '../src/instance/sample/sample.ts'
import { authTables } from '../src/services/auth/index.ts'
import { restConsole } from '../src/services/rest/console/routes.ts'
import { createRowsAs } from '../src/services/rest/console/rows-as.ts'
import { startAuth } from './auth-service.ts'
import { openOn, type TestDatabase, test } from './harness.ts'
import { recordedActions } from './operator-actions.ts'
import { openRestApp } from './rest-app.ts'

const ann = { email: 'ann@example.com', password: 'a very good password' }

/** Who ran the application's code, by role. */
async function ranBy(db: TestDatabase): Promise<Readonly<Record<string, string[]>>> {
  const { rows } = await db.owner.query<{ who: string; what: string }>({
    text: 'select who, what from public.ran group by who, what order by who, what',
    values: [],
  })
  return Object.fromEntries([...new Set(rows.map(({ who }) => who))].map((who) => [who, whatOf(rows, who)]))
}

const whatOf = (rows: readonly { who: string; what: string }[], who: string): string[] =>
  rows.filter((row) => row.who === who).map(({ what }) => what)

async function expectNoAdministrator(db: TestDatabase): Promise<void> {
  const { rows } = await db.owner.query({ text: 'select is_called from public.administrator_ran', values: [] })
  expect(rows).toEqual([{ is_called: false }])
}

async function openHostile(db: TestDatabase): Promise<void> {
  await db.migrate('auth', authTables.postgres)
  await db.load('hostile.sql')
  await db.load('truncate public.ran')
}

test('signing up, in, and all that auth does runs no code of the application as an administrator', async ({ db }) => {
  await openHostile(db)
  const auth = await startAuth(db)
  const admin = { token: auth.apiKeys.serviceRoleKey }
  const signedUp = await auth.call('POST', '/signup', { body: ann })
  expect(signedUp.status).toBe(200)
  const signedIn = await auth.call('POST', '/token?grant_type=password', { body: ann })
  expect(signedIn.status).toBe(200)
  const { refresh_token, access_token: token } = signedIn.body
  expect((await auth.call('POST', '/token?grant_type=refresh_token', { body: { refresh_token } })).status).toBe(200)
  expect((await auth.call('PUT', '/user', { body: { data: { name: 'Ann' } }, token })).status).toBe(200)
  const made = await auth.call('POST', '/admin/users', { ...admin, body: { email: 'bob@example.com' } })
  expect(made.status).toBe(200)
  expect((await auth.call('GET', '/admin/users?filter=bob', admin)).status).toBe(200)
  expect((await auth.call('GET', '/admin/audit', admin)).status).toBe(200)
  expect((await auth.call('DELETE', `/admin/users/${made.body.id}`, admin)).status).toBe(200)
  expect(await auth.auth.userIdsMatching('ann', 10)).toHaveLength(1)
  await auth.auth.cleanUp()
  await expectNoAdministrator(db)
  const ran = await ranBy(db)
  expect(Object.keys(ran)).toEqual(['supabase_auth_admin'])
  expect(ran.supabase_auth_admin).toEqual([
    'trigger on auth.identities',
    'trigger on auth.refresh_tokens',
    'trigger on auth.sessions',
    'trigger on auth.users',
  ])
})

test('the schema’s reading and the console’s rows run no code of the application as an administrator', async ({
  db,
}) => {
  await openHostile(db)
  const { app, rest, close } = await openRestApp(db, { preConfig: 'public.settings' })
  const pages = Fastify({ schemaController: schemaCompilers }).withTypeProvider<TypeBoxTypeProvider>()
  const { actions } = recordedActions('developer')
  await pages.register(
    restConsole({
      ...{ catalogues: db.authenticator, reader: db.reader, owner: db.owner, ownerRole: 'postgres', actions },
      rowsAs: createRowsAs({ rest, session: db.session, sql: db.admin }),
      ...{ changeTimeoutMs: 5000, importMaxBytes: 1_000_000 },
      exposedSchemas: () => rest.settings.schemas,
    }),
  )
  onTestFinished(async () => {
    await pages.close()
    await close()
  })
  const get = async (url: string) => (await pages.inject({ method: 'GET', url })).json()
  await rest.schema.reload('config')
  expect((await get('/data/tables')).tables.length).toBeGreaterThan(2)
  const cups = await get('/data/public/cups/rows?sort=name.desc&filter=name.eq.blue&filter=mood.eq.glad')
  expect(cups.rows).toHaveLength(1)
  expect((await get('/data/public/seen/rows?sort=who.asc')).rows[0].values).toMatchObject({
    who: 'postgres',
    login: 'postgres',
  })
  expect((await get('/data/public/rulers/rows')).rows[0].values).toEqual({
    id: '1',
    who: 'postgres',
    login: 'postgres',
    read_only: 'on',
  })
  const file = await pages.inject({ method: 'GET', url: '/data/public/rulers/export?format=csv' })
  expect(file.body).toBe('id,who,login,read_only\r\n1,postgres,postgres,on\r\n')
  expect((await get('/data/public/cups/rows?sort=name.desc&as=service_role')).rows.length).toBeGreaterThan(0)
  const headers = { authorization: 'Bearer service_role' }
  // These are asked as the caller, in whose search path the names of the application stand.
  for (const url of ['/rest/v1/', '/rest/v1/cups']) await app.inject({ method: 'GET', url, headers })
  await expectNoAdministrator(db)
  expect((await ranBy(db)).authenticator).toEqual(['pre-config'])
})

test('what a view leaves in its session is not there for the console’s next look', async ({ db }) => {
  await db.load(`
    create view public.leaving as
    select 1 as id, set_config('clew.left', 'behind', false) as left_behind, pg_try_advisory_lock(7) as locked,
      set_config('statement_timeout', '1', false) as timeout`)
  const left = `select current_setting('clew.left', true) as left_behind, current_setting('statement_timeout') as timeout,
    (select count(*)::int from pg_locks where locktype = 'advisory' and objid = 7) as locks`
  for (let look = 0; look < 3; look += 1) {
    await db.reader.query({ text: 'select * from public.leaving', values: [] })
    const { rows } = await db.reader.query<{ left_behind: string | null }>({ text: left, values: [] })
    expect({ ...rows[0], left_behind: rows[0]?.left_behind || null }).toEqual({
      left_behind: null,
      timeout: '10s',
      locks: 0,
    })
  }
  await expect(db.reader.query({ text: 'create table public.written ()', values: [] })).rejects.toMatchObject({
    code: '25006',
  })
})

test('migrations, the seed and the sample run no code of the application as an administrator', async ({ db }) => {
  await openHostile(db)
  const folder = await mkdtemp(join(tmpdir(), 'clew-hostile-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
  await writeFile(join(folder, 'supabase', 'migrations', '0001_more.sql'), `insert into cups (name) values ('green')`)
  await writeFile(join(folder, 'supabase', 'seed.sql'), `insert into cups (name) values ('white')`)
  const applied = await applyProject({
    folder,
    admin: db.admin,
    owner: db.owner,
    serverVersion: db.version,
    settings: {
      enabled: true,
      seedEnabled: true,
      seedPaths: ['./seed.sql'],
      missingExtensions: 'refuse',
      vault: {},
      buckets: {},
      autoExposeNewTables: null,
      majorVersion: null,
    },
    progress: () => undefined,
    log: () => undefined,
  })
  expect(applied).toEqual({ migrations: 1, seeds: 1 })

  await db.migrate('instance', new URL('../src/instance/migrations/', import.meta.url))
  await db.admin.query({ text: 'insert into clew_instance.samples (one) values (true)', values: [] })
  const at = Date.parse('2026-03-04T10:00:00Z')
  const head = { sample: 1, sessions: 1, until: at + 60_000, scenes: [{ recordedAt: at, timeOfDay: '08:15:00' }] }
  const lines = [
    head,
    { table: 'public.cups', rows: 1 },
    { id: 70, name: 'black', sold: 1 },
    { table: 'auth.users', rows: 1 },
    { id: crypto.randomUUID(), email: 'visitor@example.com', is_sso_user: false, is_anonymous: false },
  ]
  await writeFile(join(folder, 'visits.gz'), gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
  const { admin, auth, owner } = db
  const sample = createSample({
    file: join(folder, 'visits.gz'),
    admin,
    auth,
    owner,
    serviceTables: authTables.people,
    schemas: ['public'],
    now: () => new Date('2027-06-08T09:30:00Z'),
  })
  expect(await sample.restore()).not.toBeNull()
  await expectNoAdministrator(db)
  const ran = await ranBy(db)
  expect(Object.keys(ran)).toEqual(['postgres'])
  expect(ran.postgres).toContain('trigger on supabase_migrations.seed_files')
})

test('names of the application do not stand before the system’s in Clew’s own connections', async ({ db }) => {
  await db.load(`
    create function public.lower(varchar) returns text language sql as $$ select 'theirs' $$;
    create schema supabase_admin;
    create function supabase_admin.lower(varchar) returns text language sql as $$ select 'theirs' $$`)
  await db.admin.query({ text: `alter database ${db.database} set search_path = public, pg_catalog`, values: [] })
  await db.admin.query({ text: `alter database ${db.database} set default_transaction_read_only = on`, values: [] })
  const asked = {
    text: `select lower($1::varchar) as answer, current_setting('search_path') as path`,
    values: ['SYSTEM'],
  }
  const again = await openOn(db)
  onTestFinished(() => again.close())
  for (const sql of [again.admin, again.aside, again.auth]) {
    expect((await sql.query(asked)).rows).toEqual([{ answer: 'system', path: 'pg_catalog,pg_temp' }])
  }
  await again.admin.query({ text: 'create table clew.written ()', values: [] })
})
