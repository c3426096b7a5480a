import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type ForeignServer, newest, startForeign, versions } from '../../../../test/foreign-server.ts'
import { freePort } from '../../../../test/free-port.ts'
import { requestContext } from '../../../../test/request-context.ts'
import { isReady } from '../../../ground/model/health.ts'
import { withPassword } from '../connection/connection-string.ts'
import type { Postgres } from '../index.ts'
import { createPostgres } from '../index.ts'
import { derivedPassword, findLoginError } from './login-roles.ts'

const logged: string[] = []
const open = (url: string): Promise<Postgres> =>
  createPostgres({ kind: 'external', url, log: (line) => logged.push(line), exposedSchemas: ['public'], poolSize: 2 })

const who = (db: Postgres, role: string) =>
  db.session.run({
    role,
    settings: [],
    statement: { text: 'select current_user as who, session_user as login', values: [] },
    readOnly: true,
    attribute: false,
    end: 'commit',
    context: null,
  })

describe.for(versions)('a server that is not our own (%s)', (binDir) => {
  let server: ForeignServer
  const url = (role: string, database: string) => `postgresql://${role}:secret@127.0.0.1:${server.port}/${database}`
  const boss = (text: string) => ask(url('boss', 'postgres'), text)

  beforeAll(async () => {
    server = await startForeign(binDir, ['wal_level=logical'])
  })
  afterAll(() => server.stop())

  test('is made what an application expects by its superuser, twice without harm', async () => {
    await boss('create database shop')
    await (await open(url('boss', 'shop'))).close()
    const db = await open(url('boss', 'shop'))
    expect(db.kind).toBe('external')
    expect(db.url).toBe(url('boss', 'shop'))
    expect((await who(db, 'anon')).rows).toEqual([{ who: 'anon', login: 'authenticator' }])
    await db.script('create table notes (id int primary key)')
    const { rows } = await db.owner.query({
      text: `select tableowner as owner, current_user as who, has_table_privilege('anon', 'notes', 'select') as granted
        from pg_tables where tablename = 'notes'`,
      values: [],
    })
    expect(rows).toEqual([{ owner: 'postgres', who: 'postgres', granted: true }])
    await db.close()
  })

  test('whose password is another one goes on without a failed call, its own roles too', async () => {
    await boss('create database rotated')
    const db = await open(url('boss', 'rotated'))
    const before = [...(await loginsOf(db)).values()]
    let isRotating = true
    const calls = (async () => {
      let count = 0
      while (isRotating) {
        await who(db, 'anon')
        await db.auth.query({ text: 'select 1', values: [] })
        count += 1
      }
      return count
    })()
    const next = url('boss', 'rotated').replace('secret', 'another')
    await expect(db.renew?.(next)).rejects.toMatchObject({ code: 'POSTGRES_UNREACHABLE' })
    expect(db.url).toBe(url('boss', 'rotated'))
    await db.admin.query({ text: `alter role boss password 'another'`, values: [] })
    try {
      await db.renew?.(next)
      expect(db.url).toBe(next)
      // Connections that are made from here on.
      await Promise.all(Array.from({ length: 6 }, () => db.admin.query({ text: 'select pg_sleep(0.1)', values: [] })))
      await Promise.all(Array.from({ length: 4 }, () => who(db, 'anon')))
      isRotating = false
      expect(await calls).toBeGreaterThan(0)
      await expect(ask(url('boss', 'rotated'), 'select 1')).rejects.toThrow('password authentication failed')
      // What was derived from the password of before opens nothing.
      for (const login of before) expect(await findLoginError(login)).toContain('password authentication failed')
      expect(await ask(withPassword(next, 'another'), 'select 1 as one')).toEqual([{ one: 1 }])
    } finally {
      await ask(next, `alter role boss password 'secret'`)
      await db.renew?.(url('boss', 'rotated'))
      await db.close()
    }
  })

  /** How requests, and the owner, log in while the administrator's password is `secret`. */
  async function loginsOf(db: Postgres) {
    const { rows } = await db.admin.query<{ role: string }>({
      text: `select rolname as role from pg_catalog.pg_roles r, pg_catalog.pg_database d
        where d.datname = 'rotated' and (rolname = 'authenticator' or rolname like 'clew%' || d.oid)`,
      values: [],
    })
    const place = { host: '127.0.0.1', port: server.port, database: 'rotated' }
    const logins = rows.map(({ role }) => ({ ...place, user: role, password: derivedPassword('secret', role) ?? '' }))
    const good = await Promise.all(logins.map(async (login) => ((await findLoginError(login)) === null ? [login] : [])))
    const found = good.flat()
    expect(found.length).toBeGreaterThan(0)
    return new Map(found.map((login) => [login.user, login]))
  }

  test('yields its changes with their requests', async () => {
    await boss('create database ledger')
    // The first of its hosts is not there.
    const nobody = `127.0.0.1:${await freePort()}`
    const db = await open(url('boss', 'ledger').replace('@', `@${nobody},`))
    await db.script('create table notes (id int primary key)')
    const seen: (string | null)[] = []
    db.changes.subscribe(async ({ cause }) => {
      seen.push(cause?.id ?? null)
    })
    await expect.poll(() => db.changes.health().state).toBe('up')
    const context = requestContext()
    await db.session.run({
      role: 'service_role',
      settings: [],
      statement: { text: 'insert into public.notes values (1)', values: [] },
      readOnly: false,
      attribute: true,
      end: 'commit',
      context,
    })
    await expect.poll(() => seen).toEqual([context.id])
    await db.close()
  })

  test('whose role may not replicate serves all the same; one line says what to give it', async () => {
    await boss(`create role guest login createdb createrole bypassrls password 'secret'`)
    await boss('create database visited owner guest')
    await (await open(url('boss', 'visited'))).close()
    // The role that prepared it owns what is there; the attribute REPLICATION is not inherited.
    await boss('grant boss to guest')
    logged.length = 0
    const db = await open(url('guest', 'visited'))
    db.changes.subscribe(async () => undefined)
    await expect.poll(() => db.changes.health().state).toBe('off')
    expect(isReady(db.changes.health())).toBe(true)
    expect((await who(db, 'anon')).rows).toHaveLength(1)
    await boss('alter role guest replication')
    // Asked again by and by, and not complained about each time.
    await expect.poll(() => db.changes.health().state).toBe('up')
    expect(logged.filter((line) => line.includes('Row changes'))).toEqual([
      'postgres: Row changes are not recorded: the role may not replicate. Give it the attribute REPLICATION.',
    ])
    await db.close()
  })

  test('keeps its own authenticator: requests log in as a role of Clew’s, which is logged', async () => {
    await boss('create database other')
    await boss(`alter role authenticator password 'theirs'`)
    for (const start of ['first', 'second']) {
      logged.length = 0
      const db = await open(url('boss', 'other'))
      const [row] = (await who(db, 'anon')).rows
      expect(row, start).toMatchObject({ who: 'anon', login: expect.stringMatching(/^clew_requests_\d+$/) })
      expect(logged.join()).toContain('authenticator refused')
      await db.close()
    }
  })

  test('never runs the application’s code as its superuser', async () => {
    await boss('create database shop_of_a_superuser')
    const db = await open(url('boss', 'shop_of_a_superuser'))
    await db.script(`
      create function public.rule() returns text language plpgsql as $$
      begin
        execute 'reset role';
        execute 'reset session authorization';
        return (select rolsuper from pg_roles where rolname = current_user)::text || ' ' || session_user;
      end $$;
      create view public.rulers as select public.rule() as rule`)
    const asked = { text: 'select public.rule() as rule', values: [] }
    for (const sql of [db.owner, db.reader, db.auth, db.authenticator]) {
      const { rows } = await sql.query<{ rule: string }>(asked)
      expect(rows[0]?.rule).toMatch(/^false (clew_(owner|auth|requests)_\d+|authenticator)$/)
    }
    const { rows } = await db.auth.query({ text: 'select current_user as who', values: [] })
    expect(rows).toEqual([{ who: 'supabase_auth_admin' }])
    await db.close()
  })

  test('that admits only its superuser is refused rather than used as the superuser', async () => {
    await boss('create database closed')
    await boss('alter role authenticator nologin')
    const [row] = (await boss(`select oid::int from pg_database where datname = 'closed'`)) as { oid: number }[]
    await boss(`create role clew_requests_${row?.oid} nologin`)
    await expect(open(url('boss', 'closed'))).rejects.toMatchObject({ code: 'POSTGRES_LOGIN_REFUSED' })
    await boss('alter role authenticator login')
  })
})

describe('a server without logical decoding', () => {
  let server: ForeignServer
  beforeAll(async () => {
    server = await startForeign(newest, ['wal_level=replica'])
  })
  afterAll(() => server.stop())

  test('without a superuser, does what the administrator may, and says the rest', async () => {
    const boss = (text: string) => ask(`postgresql://boss:secret@127.0.0.1:${server.port}/postgres`, text)
    await boss(`create role tenant login createdb createrole replication bypassrls password 'secret'`)
    await boss('create database rented owner tenant')
    logged.length = 0
    const db = await open(`postgresql://tenant:secret@127.0.0.1:${server.port}/rented`)
    expect((await who(db, 'anon')).rows).toEqual([{ who: 'anon', login: 'authenticator' }])
    const refused = logged.map((line) => /may not apply (postgres\/\d{4}_\w+)/.exec(line)?.[1])
    expect(refused).toEqual([
      'postgres/0005_event_triggers',
      'postgres/0006_parameters',
      'postgres/0007_more_parameters',
      'postgres/0012_guard',
      'postgres/0013_owners_statements',
      'postgres/0014_reassign_owned',
      'postgres/0017_live_tables',
    ])
    await db.script('create table notes (id int primary key); create extension if not exists citext schema extensions')
    await db.close()
  })

  test('serves requests, and says why row changes are not recorded', async () => {
    const db = await open(`postgresql://boss:secret@127.0.0.1:${server.port}/postgres`)
    db.changes.subscribe(async () => undefined)
    const missing = 'wal_level=replica. Set wal_level=logical'
    await expect
      .poll(() => db.changes.health())
      .toMatchObject({ state: 'off', detail: expect.stringContaining(missing) })
    expect(isReady(db.changes.health())).toBe(true)
    expect((await who(db, 'anon')).rows).toEqual([{ who: 'anon', login: 'authenticator' }])
    expect((await db.health()).state).toBe('up')
    await db.close()
  })

  test('whose roles cannot be made is refused', async () => {
    const boss = (text: string) => ask(`postgresql://boss:secret@127.0.0.1:${server.port}/postgres`, text)
    await boss(`create role lodger login password 'secret'`)
    await boss('create database lodging owner lodger')
    const roles = ['anon', 'authenticated', 'service_role']
    for (const role of roles) await boss(`alter role ${role} rename to ${role}_away`).catch(() => undefined)
    await expect(open(`postgresql://lodger:secret@127.0.0.1:${server.port}/lodging`)).rejects.toMatchObject({
      code: 'POSTGRES_NOT_PREPARED',
      message: expect.stringContaining('alter role "lodger" createrole;'),
    })
    for (const role of roles) await boss(`alter role ${role}_away rename to ${role}`).catch(() => undefined)
  })

  test('that does not answer is named', async () => {
    await expect(open(`postgresql://boss:secret@127.0.0.1:${await freePort()}/postgres`)).rejects.toMatchObject({
      code: 'POSTGRES_UNREACHABLE',
    })
    await expect(open(`postgresql://boss:wrong@127.0.0.1:${server.port}/postgres`)).rejects.toMatchObject({
      code: 'POSTGRES_UNREACHABLE',
      details: expect.stringContaining('password authentication failed'),
    })
  })
})
