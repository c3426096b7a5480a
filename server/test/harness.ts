import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { test as base, inject, type ProvidedContext } from 'vitest'
import { type ClickHouse, createClickHouse } from '../src/engines/clickhouse/index.ts'
import type { EngineLog, Postgres } from '../src/engines/postgres/index.ts'
import { openPostgres } from '../src/engines/postgres/open.ts'
import type { Preparation } from '../src/engines/postgres/postgres.ts'
import { type Server, socketLogins } from '../src/engines/postgres/server/server.ts'
import { compileClickHouse } from '../src/ground/sql/clickhouse.ts'
import { identifier, sql } from '../src/ground/sql/sql.ts'
import { withMadeTables } from './made-tables.ts'

/** A test's own database, cloned from the template; gone after the test. */
export interface TestDatabase extends Postgres {
  readonly database: string
  /** Lines that the engine logged. */
  readonly logged: readonly string[]
  /** What `pg` needs to log in as a role (`supabase_admin`, `postgres`, `authenticator`), beside the pools. */
  login(role: string): pg.ClientConfig
  /** Runs a file of `test/fixtures` (`notes.sql`), or SQL text, as the application's owner. */
  load(sqlOrFixture: string): Promise<void>
}

/** Vitest's `test` with real engines; each is started or cloned only for the tests that name it. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern
  .extend('db', async ({}, { onCleanup }) => {
    const db = await openTestDatabase()
    onCleanup(() => db.close())
    return db
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern
  .extend('clickhouseOfProcess', { scope: 'worker' }, async ({}, { onCleanup }) => {
    // Vitest begins a worker's fixture anew for each `extend`: the first one starts the engine, and closes it with the process.
    clickhouseOfProcess ??= startClickHouse(onCleanup)
    return clickhouseOfProcess
  })
  /** ClickHouse with a database that is empty at the file's first test. */
  .extend('clickhouseOfFile', { scope: 'file' }, async ({ clickhouseOfProcess: clickhouse }, { onCleanup }) => {
    onCleanup(() => dropTables(clickhouse))
    return clickhouse
  })
  /** ClickHouse with an empty database. */
  .extend('clickhouse', async ({ clickhouseOfProcess: clickhouse }, { onCleanup }) => {
    onCleanup(() => dropTables(clickhouse))
    return withMadeTables(clickhouse)
  })

let clickhouseOfProcess: Promise<ClickHouse> | undefined

async function startClickHouse(onCleanup: (close: () => Promise<void>) => void): Promise<ClickHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-ch-'))
  const clickhouse = createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketPath: join(folder, 's'),
    memoryBytes: 300 * 1024 * 1024,
    log: (line) => console.warn(line),
  })
  onCleanup(async () => {
    await clickhouse.close()
    await rm(folder, { recursive: true, force: true })
  })
  await clickhouse.ready()
  return clickhouse
}

/** Table by table: with the database gone, no statement would reach the engine to create it again. */
async function dropTables(clickhouse: ClickHouse): Promise<void> {
  const tables = await clickhouse.query<{ name: string }>({
    text: 'select name from system.tables where database = currentDatabase()',
    parameters: {},
  })
  for (const { name } of tables) await clickhouse.command(compileClickHouse(sql`drop table ${identifier(name)} sync`))
}

/** A fresh database on the run's cluster, for tests that need a second one; who opens it closes it. */
export async function openTestDatabase(poolSize = 4): Promise<TestDatabase> {
  const place = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  await maintain(place, async (client) => {
    await client.query(`create database ${database} template postgres owner postgres strategy file_copy`)
  })
  const logged: string[] = []
  const db = await open(place, database, {
    poolSize,
    log: (line) => logged.push(line),
    stop: () => dropDatabase(place, database),
    known: place.preparation,
  })
  return {
    ...db,
    async migrate(room, folder) {
      if (!place.migrated.includes(folder.href)) await db.migrate(room, folder)
    },
    database,
    logged,
    login: (role) => ({ host: place.socketDir, port: place.port, user: role, database, ssl: false }),
    async load(sqlOrFixture) {
      const isFixture = /^[\w-]+\.sql$/.test(sqlOrFixture)
      const text = isFixture
        ? await readFile(new URL(`./fixtures/${sqlOrFixture}`, import.meta.url), 'utf8')
        : sqlOrFixture
      await db.script(text)
    },
  }
}

/** The same database once more, as another process or a later start would open it; who opens it closes it. */
export function openOn(db: TestDatabase, log: EngineLog = () => undefined): Promise<Postgres> {
  return open(inject('postgres'), db.database, { poolSize: 2, log, stop: async () => undefined })
}

interface Opening {
  readonly poolSize: number
  readonly log: EngineLog
  readonly stop: () => Promise<void>
  readonly known?: Preparation
}

function open(place: Place, database: string, { poolSize, log, stop, known }: Opening): Promise<Postgres> {
  const logins = socketLogins(place, database)
  return openPostgres(
    {
      kind: 'embedded',
      ...logins,
      ...(known && asPrepared(logins)),
      url: null,
      pid: () => null,
      down: () => null,
      stop,
    },
    { exposedSchemas: ['public'], poolSize, log },
    known,
  )
}

/** What else a start asks of the database was done with the template, and its owner is named when it is cloned. */
function asPrepared(logins: ReturnType<typeof socketLogins>): Pick<Server, 'owner' | 'auth'> {
  const nothingToDo = { query: async () => undefined } as unknown as pg.Pool
  return { owner: () => logins.owner(nothingToDo), auth: () => logins.auth(nothingToDo) }
}

type Place = ProvidedContext['postgres']

/** `object_in_use`: a reader that was being opened has taken its slot between two statements. */
const objectInUse = '55006'
const mostTries = 20

async function dropDatabase(place: Place, database: string): Promise<void> {
  await maintain(place, async (client) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await dropWithSlots(client, database)
      } catch (error) {
        if (attempt === mostTries || (error as { code?: string }).code !== objectInUse) throw error
      }
    }
  })
}

async function dropWithSlots(client: pg.Client, database: string): Promise<void> {
  // A slot keeps its database; its reader has been closed just now and may take a moment to let it go.
  await client.query(
    `select pg_terminate_backend(active_pid, 1000)
     from pg_replication_slots
     where database = $1 and active_pid is not null`,
    [database],
  )
  await client.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = $1', [
    database,
  ])
  await client.query(`drop database ${database} with (force)`)
}

let maintaining: Promise<pg.Client> | undefined

/** Creates and drops databases from one that no test clones, by one connection of the process. */
async function maintain(place: Place, work: (client: pg.Client) => Promise<void>): Promise<void> {
  maintaining ??= connectTo(place)
  await work(await maintaining)
}

async function connectTo(place: Place): Promise<pg.Client> {
  const client = new pg.Client({
    host: place.socketDir,
    port: place.port,
    user: 'supabase_admin',
    database: 'template1',
    ssl: false,
  })
  // It stays until the process or the server ends.
  client.on('error', () => {
    maintaining = undefined
  })
  await client.connect()
  return client
}
