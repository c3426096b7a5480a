import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostgres, type Postgres } from '../src/engines/postgres/index.ts'
import { operatorsTables } from '../src/services/operators/index.ts'
import { startAuth } from './auth-service.ts'
import { ask, type ForeignServer, startForeign, versions } from './foreign-server.ts'

const logged: string[] = []
const open = (url: string): Promise<Postgres> =>
  createPostgres({ kind: 'external', url, log: (line) => logged.push(line), exposedSchemas: ['public'], poolSize: 2 })

const run = (db: Postgres, role: string, text: string, readOnly = true) =>
  db.session.run({
    role,
    settings: [],
    statement: { text, values: [] },
    readOnly,
    attribute: false,
    end: 'commit',
    context: null,
  })

const guarded = `
  create table public.notes (id int primary key, owner text);
  alter table public.notes enable row level security;
  create policy own on public.notes for select to anon using (owner = 'anon');
  insert into public.notes values (1, 'anon'), (2, 'ann');`

describe.for(versions)('a hosted server, which gives no superuser (%s)', (binDir) => {
  let server: ForeignServer
  const url = (role: string, database: string) => `postgresql://${role}:secret@127.0.0.1:${server.port}/${database}`
  const boss = (text: string, database = 'postgres') => ask(url('boss', database), text)

  beforeAll(async () => {
    server = await startForeign(binDir, ['wal_level=logical'])
  })
  afterAll(() => server.stop())

  test('a role that may make roles and databases is enough', async () => {
    await boss(`create role tenant login createrole createdb password 'secret'`)
    await boss('create database shop owner tenant')
    for (const start of ['first', 'second']) {
      logged.length = 0
      const db = await open(url('tenant', 'shop'))
      if (start === 'first') await db.script(guarded)
      await db.settle()
      const seen = async (role: string) => (await run(db, role, 'select id from public.notes order by id')).rowCount
      expect([await seen('anon'), await seen('service_role')], start).toEqual([1, 2])
      await run(db, 'service_role', `insert into public.notes values (${start === 'first' ? 3 : 4}, 'bob')`, false)
      await db.owner.query({ text: 'delete from public.notes where id > 2', values: [] })
      expect((await db.reader.query({ text: 'select * from public.notes', values: [] })).rowCount).toBe(2)
      const { rows } = await db.auth.query({ text: 'select current_user as who', values: [] })
      expect(rows).toEqual([{ who: 'supabase_auth_admin' }])
      const auth = await startAuth(db)
      const body = { email: `${start}@example.com`, password: 'a very good password' }
      expect((await auth.call('POST', '/signup', { body })).status).toBe(200)
      expect((await auth.call('POST', '/token?grant_type=password', { body })).status).toBe(200)
      await db.migrate('operators', operatorsTables.postgres)
      expect(logged.join('\n')).toContain('alter role service_role bypassrls;')
      expect(logged.join('\n')).toContain('alter role "tenant" replication;')
      await db.close()
    }
  })

  test('what a superuser is asked to run for more is done with, once it is run', async () => {
    for (const line of logged.join('\n').matchAll(/a superuser runs: (.*;)$/gm)) await boss(line[1] ?? '')
    logged.length = 0
    const db = await open(url('tenant', 'shop'))
    expect(logged.join('\n')).not.toContain('a superuser runs')
    await db.close()
  })

  test('processes that start at once prepare the database one after another', async () => {
    await boss('create database busy')
    for (let round = 0; round < 3; round += 1) {
      const all = await Promise.all(Array.from({ length: 6 }, () => open(url('boss', 'busy'))))
      await Promise.all(all.map((db) => db.migrate('operators', operatorsTables.postgres)))
      for (const db of all) await db.close()
    }
  })

  test('a role that may make none is told which statements a superuser must run, and starts after them', async () => {
    await boss(`create role lodger login password 'secret'`)
    await boss('create database lodging')
    const refusal = await open(url('lodger', 'lodging')).then(
      () => '',
      (error: Error & { code?: string }) => `${error.code} ${error.message}`,
    )
    expect(refusal).toMatch(/^POSTGRES_NOT_PREPARED /)
    const statements = refusal.split('\n').slice(1)
    expect(statements).toContain('  alter role "lodger" createrole;')
    for (const statement of statements) await boss(statement, 'lodging')
    const db = await open(url('lodger', 'lodging'))
    await db.script(guarded)
    await db.settle()
    expect((await run(db, 'anon', 'select id from public.notes')).rowCount).toBe(1)
    expect((await run(db, 'service_role', 'select id from public.notes')).rowCount).toBe(2)
    await db.close()
  })
})
