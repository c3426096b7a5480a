import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../src/engines/postgres/open.ts'
import type { Preparation } from '../src/engines/postgres/postgres.ts'
import { startEmbedded } from '../src/engines/postgres/server/embedded.ts'
import { socketLogins } from '../src/engines/postgres/server/server.ts'
import { compileServer } from './compiled.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL cluster; its database `postgres` is the template. */
    postgres: {
      readonly socketDir: string
      readonly port: number
      readonly preparation: Preparation
      /** The folders whose migrations the template has. */
      readonly migrated: readonly string[]
    }
  }
}

// Most tests need these tables; a clone has them at once, where applying them takes half a second each time.
const migrations = {
  auth: new URL('../src/services/auth/migrations/', import.meta.url),
  mail: new URL('../src/services/inbox/migrations/', import.meta.url),
  realtime: new URL('../src/services/realtime/migrations/', import.meta.url),
  storage: new URL('../src/services/storage/migrations/', import.meta.url),
}

/** Compiles the server, starts the run's PostgreSQL once and prepares the database that every test's own is cloned from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const compiling = compileServer()
  project.onTestsRerun(compileServer)
  const folder = await mkdtemp(join(tmpdir(), 'clew-test-'))
  const vaultKey = randomBytes(64)
  const server = await startEmbedded({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketDir: folder,
    port: null,
    password: 'postgres',
    vaultKeys: () => vaultKey,
    log: (line) => console.warn(line),
  })
  const logins = socketLogins(server, 'postgres')
  await relax({ ...logins.admin, database: 'template1' })
  const template = await openPostgres(
    { kind: 'embedded', ...logins, url: null, pid: () => server.pid, down: () => null, stop: async () => undefined },
    { exposedSchemas: ['public'], poolSize: 1, log: (line) => console.warn(line) },
  )
  for (const [room, folder] of Object.entries(migrations)) await template.migrate(room, folder)
  await template.close()
  await compiling
  project.provide('postgres', {
    socketDir: server.socketDir,
    port: server.port,
    preparation: template.preparation,
    migrated: Object.values(migrations).map(String),
  })
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A test's rows need not outlive the machine; durability has a test of its own, on a cluster of its own. */
async function relax(login: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(login)
  await client.connect()
  await client.query('alter system set fsync = off')
  await client.query('alter system set autovacuum = off')
  await client.query('select pg_reload_conf()')
  await client.end()
}
