import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectOwner, createPostgres, type OwnerDatabase } from '../../engines/postgres/index.ts'
import { applyProject } from '../../instance/project/project.ts'
import { serviceTables } from '../../plan/tables/service-tables.ts'
import type { Settings } from '../../settings/index.ts'
import { printTransient, warn } from '../print.ts'

/** An empty database of the same making as an instance's, for as long as a command runs. */
export interface ShadowDatabase {
  readonly database: OwnerDatabase
  /** Applies a folder's roles and migrations, up to a version where one is given. */
  apply(folder: string, until?: string): Promise<void>
}

/**
 * Runs `body` with a database in which nothing but the services' tables is: an embedded PostgreSQL in a temporary folder,
 * so that no other database is touched.
 */
export async function withShadow<T>(settings: Settings, body: (shadow: ShadowDatabase) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-shadow-'))
  const vaultKey = randomBytes(64)
  printTransient('Creating the shadow database …')
  try {
    const postgres = await createPostgres({
      kind: 'embedded',
      dataDir: join(folder, 'data'),
      socketDir: folder,
      port: null,
      password: 'postgres',
      vaultKeys: () => vaultKey,
      exposedSchemas: settings.rest.schemas,
      poolSize: 1,
      log: () => undefined,
    })
    try {
      for (const { name, postgres: tables } of serviceTables)
        if (tables !== undefined) await postgres.migrate(name, tables)
      const database = await connectOwner(postgres.socketUrl ?? '', 'clew shadow')
      try {
        return await body({
          database,
          async apply(project, until) {
            await applyProject({
              folder: project,
              admin: postgres.admin,
              owner: postgres.owner,
              serverVersion: postgres.version,
              settings: { ...settings.migrations, enabled: true, seedEnabled: false, vault: {}, majorVersion: null },
              progress: (file) => printTransient(`Applying ${file} to the shadow database …`),
              log: warn,
              ...(until === undefined ? {} : { until }),
            })
          },
        })
      } finally {
        await database.close()
      }
    } finally {
      await postgres.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
