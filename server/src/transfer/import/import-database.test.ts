import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { ask, type ForeignServer, startForeign, versions } from '../../../test/foreign-server.ts'
import { openTestDatabase, type TestDatabase, test } from '../../../test/harness.ts'
import { dumpSchema } from '../../engines/postgres/index.ts'
import { type ImportOptions, importDatabase } from './import-database.ts'

const hosted = new URL('../../../test/fixtures/hosted-project.sql', import.meta.url)
const oldest = '/usr/lib/postgresql/15/bin'

const addressOf = (db: TestDatabase, role: string): string => {
  const { host, port, user, database } = db.login(role)
  return `host='${host}' port=${port} user=${user} dbname=${database}`
}

const into = (db: TestDatabase, from: ImportOptions['from'], options: Partial<ImportOptions> = {}) =>
  importDatabase({
    origin: 'supabase',
    from,
    targetAddress: addressOf(db, 'postgres'),
    activatesJobs: false,
    files: null,
    progress: () => undefined,
    ...options,
  })

const select = async (db: TestDatabase, text: string) => (await db.admin.query({ text, values: [] })).rows

/** Every row of the imported schemas and of auth, counted. */
const counts = (db: TestDatabase) =>
  select(
    db,
    `select (select count(*)::int from auth.users) as users, (select count(*)::int from auth.mfa_factors) as factors,
      (select count(*)::int from public.orders) as orders, (select count(*)::int from public.numbered) as numbered,
      (select count(*)::int from shop."My Table") as quoted, (select count(*)::int from public.measures) as measures,
      (select count(*)::int from cron.job) as jobs, (select count(*)::int from vault.secrets) as secrets,
      (select count(*)::int from storage.buckets) as buckets`,
  )

const everything = {
  users: 2,
  factors: 2,
  orders: 1000,
  numbered: 2,
  quoted: 2,
  measures: 2,
  jobs: 2,
  secrets: 1,
  buckets: 2,
}

/** `MAINTAIN`, of PostgreSQL 17, is in the `all` of pg_dump 15, and not in what pg_dump 18 reads of a server 15. */
const definitions = async (db: TestDatabase): Promise<string> =>
  (await dumpSchema(addressOf(db, 'supabase_admin'), { args: ['--schema=public', '--schema=shop'] })).replaceAll(
    'GRANT SELECT,INSERT,REFERENCES,DELETE,TRIGGER,TRUNCATE,UPDATE ON',
    'GRANT ALL ON',
  )

/** A role belongs to the cluster, which other tests have, too. */
async function dropRoles(): Promise<void> {
  const db = await openTestDatabase(1)
  await select(db, 'drop role if exists clerk, "Web Shop"')
  await db.close()
}

describe.for(versions)('a hosted project (%s)', (binDir) => {
  const isOldest = binDir === versions.at(-1)
  let server: ForeignServer
  let address: string
  beforeAll(async () => {
    server = await startForeign(binDir)
    address = `postgresql://boss:secret@127.0.0.1:${server.port}/postgres`
    await ask(address, await readFile(hosted, 'utf8'))
  })
  afterAll(async () => {
    await server.stop()
    await dropRoles()
  })

  test('all of it is there, and a second run changes nothing', async ({ db }) => {
    const report = await into(db, { kind: 'database', address })
    expect(report.failed).toEqual([])
    expect(report.tables.filter(({ conflicts }) => conflicts > 0)).toEqual([])
    expect(report.notes).toEqual([
      'What the role "boss" owns belongs to postgres here.',
      'Left out: the column auth.users.nickname_of_the_platform, which Clew does not have.',
      'Left out: rows of auth.things_of_tomorrow, a table that Clew does not have: 1.',
      'Second factors that only the hosted service can decrypt, whose owners enrol again: 1.',
      expect.stringContaining('Scheduled jobs that do not run yet, as the source still runs them: 1.'),
      'Left out: the secret lost, which cannot be decrypted there.',
      'Left out: stored objects, whose files were not to be moved: 1.',
    ])
    expect(await counts(db)).toEqual([everything])
    const again = await into(db, { kind: 'database', address })
    expect(again).toMatchObject({ statements: 0, tables: [], failed: [] })
    expect(await counts(db)).toEqual([everything])

    // Values to the letter.
    expect(
      await select(
        db,
        `select handle, bio, (select encrypted_password from auth.users u where u.id = p.id) as hash,
          (select confirmed_at::text from auth.users u where u.id = p.id) as confirmed,
          (select raw_user_meta_data ->> 'name' from auth.users u where u.id = p.id) as name
        from public.profiles p where bio is not null`,
      ),
    ).toEqual([
      {
        handle: 'Ann',
        bio: 'tab\t newline\n backslash \\ é🙂 \\.',
        hash: '$2a$10$7EqJtq98hPqEX7fNZaFWoO.d8b1kQbUOZ0oF5kVn2n8aP2oQHDE7u',
        confirmed: '2024-02-29 12:00:00.123456+00',
        name: 'Ann "A"\\tTab',
      },
    ])
    expect(await select(db, 'select at::text, raw::text, doubled from public.orders where total = 7')).toEqual([
      { at: '2024-01-01 00:00:00.000001+00', raw: '\\x00ff', doubled: '2' },
    ])
    expect(
      await select(db, 'select name, description, decrypted_secret as secret from vault.decrypted_secrets'),
    ).toEqual([{ name: 'stripe', description: 'of tests', secret: 'sk_test_é' }])
    expect(await select(db, 'select jobname, schedule, active from cron.job order by jobid')).toEqual([
      { jobname: 'five', schedule: '*/5 * * * *', active: false },
      { jobname: 'imported 2', schedule: '0 3 * * *', active: false },
    ])
    expect(await select(db, 'select version, name from supabase_migrations.schema_migrations')).toEqual([
      { version: '20240101000000', name: 'orders' },
    ])
  })

  test.skipIf(!isOldest)('rights are those of the source, not those that a new table has here', async ({ db }) => {
    await into(db, { kind: 'database', address })
    const can = (role: string, object: string, right: string) =>
      `has_${object.startsWith('public.hidden') ? 'function' : 'table'}_privilege('${role}', '${object}', '${right}')`
    const [rights] = await select(
      db,
      `select ${can('anon', 'public.orders', 'select')} as reads, ${can('anon', 'public.orders', 'insert')} as writes,
        ${can('anon', 'public.secret_plans', 'select')} as plans, ${can('service_role', 'public.secret_plans', 'select')} as service,
        ${can('authenticated', 'public.hidden()', 'execute')} as hidden, ${can('Web Shop', 'shop."My Table"', 'select')} as web,
        pg_has_role('authenticator', 'clerk', 'member') as member,
        (select relrowsecurity from pg_class where oid = 'public.orders'::regclass) as secured,
        (select count(*)::int from pg_policies where schemaname in ('public', 'storage')) as policies`,
    )
    expect(rights).toEqual({
      reads: true,
      writes: false,
      plans: false,
      service: false,
      hidden: false,
      web: true,
      member: true,
      secured: true,
      policies: 3,
    })
    // What goes on by itself: the trigger on auth's table, identities, sequences, the view's rows, the role's settings.
    await select(db, `insert into auth.users (id, email) values (gen_random_uuid(), 'new@shop.test')`)
    expect(
      await select(db, `select count(*)::int as n from public.profiles where handle::text = 'new@shop.test'`),
    ).toEqual([{ n: 1 }])
    expect(
      await select(
        db,
        `select nextval('auth.refresh_tokens_id_seq')::int as token, nextval('public.orders_id_seq')::int as "order",
          nextval('public.numbered_n_seq')::int as numbered, (select count(*)::int from public.totals) as totals,
          (select setconfig::text from pg_db_role_setting where setrole = 'authenticator'::regrole
            and setdatabase = (select oid from pg_database where datname = current_database())) as settings,
          (select count(*)::int from pg_publication_tables where pubname = 'supabase_realtime') as published`,
      ),
    ).toEqual([{ token: 42, order: 1001, numbered: 3, totals: 1, settings: '{pgrst.db_max_rows=500}', published: 1 }])
  })

  test.skipIf(!isOldest).for(['auth.users', 'public.orders', 'policy public'])(
    'one that is interrupted at %s goes on, and no row is there twice',
    async (place, { db }) => {
      const interrupt = (line: string) => {
        if (line.startsWith(place)) throw new Error('interrupted')
      }
      await expect(into(db, { kind: 'database', address }, { progress: interrupt })).rejects.toThrow('interrupted')
      const { failed } = await into(db, { kind: 'database', address })
      expect(failed).toEqual([])
      expect(await counts(db)).toEqual([everything])
    },
  )
})

test('inserts of a dump are run together; one that is refused is named, and the rest is taken', async ({ db }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-inserts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'dump.sql')
  const rows = Array.from(
    { length: 1200 },
    (_, n) => `INSERT INTO public.cups (id, name) VALUES (${n}, 'a;\nb (${n})');\n`,
  )
  rows.splice(700, 0, `INSERT INTO public.cups (id, name) VALUES (3, 'once more');\n`)
  await writeFile(
    path,
    `CREATE TABLE public.cups (id int PRIMARY KEY, name text, doubled int GENERATED ALWAYS AS (id * 2) STORED);
    ${rows.join('')}
    INSERT INTO public.cups (id, name) VALUES (3, 'kept') ON CONFLICT DO NOTHING;
    INSERT INTO auth.users (id, email) VALUES ('11111111-1111-4111-8111-111111111111', 'ann@shop.test');
    INSERT INTO auth.users (id, email) VALUES ('22222222-2222-4222-8222-222222222222', 'bob@shop.test'),
      ('33333333-3333-4333-8333-333333333333', 'cat@shop.test');`,
  )
  expect(await into(db, { kind: 'file', path })).toMatchObject({
    statements: 1202,
    tables: [{ table: 'auth.users', rows: 3, conflicts: 0 }],
    failed: [
      {
        what: `INSERT INTO public.cups (id, name) VALUES (3, 'once more')`,
        reason: expect.stringContaining('cups_pkey'),
      },
    ],
  })
  expect(
    await select(db, 'select count(*)::int as n, max(name) as name from public.cups where id in (3, 1199)'),
  ).toEqual([{ n: 2, name: 'a;\nb (3)' }])
  expect(await into(db, { kind: 'file', path })).toMatchObject({ statements: 0, tables: [], alreadyThere: 1204 })
  expect(await select(db, 'select count(*)::int as n from public.cups')).toEqual([{ n: 1200 }])
})

describe.skipIf(!versions.some((binDir) => binDir === oldest))('a dump of a hosted project', () => {
  let server: ForeignServer
  let folder: string
  let address: string
  const dump = async (...args: readonly string[]): Promise<string> => {
    const path = join(folder, `${args.length}${args.join('').replaceAll(/\W/g, '')}.dump`)
    await promisify(execFile)(join(oldest, 'pg_dump'), [...args, '-f', path, address])
    return path
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-dump-'))
    server = await startForeign(oldest)
    address = `postgresql://boss:secret@127.0.0.1:${server.port}/postgres`
    await ask(address, await readFile(hosted, 'utf8'))
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
    await dropRoles()
  })

  test('a plain one makes what an import of the database makes', async ({ db }) => {
    await select(db, 'create role clerk; create role "Web Shop"')
    const direct = await openTestDatabase(2)
    try {
      await into(direct, { kind: 'database', address })
      const plain = await into(db, { kind: 'file', path: await dump() })
      expect(plain.failed).toEqual([])
      expect(await definitions(db)).toBe(await definitions(direct))
      const rows = 'select md5(string_agg(o::text, chr(10) order by id)) from public.orders o'
      expect(await select(db, rows)).toEqual(await select(direct, rows))
      const users = 'select md5(string_agg(u::text, chr(10) order by id)) from auth.users u'
      expect(await select(db, users)).toEqual(await select(direct, users))
    } finally {
      await direct.close()
    }
  })

  test('so does one of INSERTs, compressed', async ({ db }) => {
    const path = await dump('--column-inserts')
    await writeFile(`${path}.gz`, gzipSync(await readFile(path)))
    const report = await into(db, { kind: 'file', path: `${path}.gz` })
    expect(report.failed).toEqual([])
    await into(db, { kind: 'file', path: `${path}.gz` })
    expect(await select(db, 'select count(*)::int as n, sum(total)::int as total from public.orders')).toEqual([
      { n: 1000, total: 500_500 },
    ])
    expect(await select(db, 'select count(*)::int as n from public.numbered')).toEqual([{ n: 2 }])
    expect(await select(db, 'select count(*)::int as n from auth.users where email is not null')).toEqual([{ n: 2 }])
  })

  test('what stands already is told as there, what is another is not, and rows come into it', async ({ db }) => {
    await dropRoles()
    // As migrations of the project make them.
    await db.load('create role clerk; create role "Web Shop"')
    expect((await into(db, { kind: 'file', path: await dump('-s') })).failed).toEqual([])
    const before = await definitions(db)
    await db.load(`alter table public.profiles drop constraint profiles_pkey cascade,
      add constraint profiles_pkey primary key (handle)`)
    const report = await into(db, { kind: 'database', address })
    expect(report.failed.map(({ reason }) => reason)).toEqual([
      'multiple primary keys for table "profiles" are not allowed',
      'there is no unique constraint matching given keys for referenced table "profiles"',
    ])
    expect(await counts(db)).toEqual([everything])
    await db.load(`alter table public.profiles drop constraint profiles_pkey, alter column handle drop not null`)
    expect(await into(db, { kind: 'database', address })).toMatchObject({ statements: 2, tables: [], failed: [] })
    expect(await definitions(db)).toBe(before)
  })

  test('an archive is refused, with the command that makes a plain one of it', async ({ db }) => {
    const path = await dump('-Fc')
    await expect(into(db, { kind: 'file', path })).rejects.toMatchObject({
      code: 'CLEW_IMPORT_FILE',
      details: `pg_restore -f dump.sql ${path}`,
    })
  })
})
