import { join } from 'node:path'
import type { ClickHouseOptions } from '../engines/clickhouse/index.ts'
import type { PostgresOptions } from '../engines/postgres/index.ts'
import { deriveKey } from '../ground/ids/derive-key.ts'
import type { RootKeys } from '../ground/ids/root-keys.ts'
import type { Settings } from '../settings/index.ts'

/** Folders of a data directory that the engines need. */
export interface EngineFolders {
  readonly postgres: string
  readonly clickhouse: string
  readonly sockets: string
}

/** Secrets of the keys' file that the engines need. */
export interface EngineSecrets {
  /** Of the embedded database's role `postgres`. */
  readonly databasePassword: string
  readonly roots: RootKeys
}

/** ClickHouse as the settings say: embedded, which the parent of workers has started, or by its address. */
export function planClickHouse(
  { instance }: Settings,
  folders: EngineFolders,
  log: (line: string) => void,
  isWorker = false,
): ClickHouseOptions {
  const { clickhouseUrl } = instance
  if (clickhouseUrl !== null) return { kind: 'external', url: () => instance.clickhouseUrl ?? clickhouseUrl, log }
  const place = {
    socketPath: join(folders.sockets, 'clickhouse.sock'),
    maxExecutionSeconds: instance.clickhouseQuerySeconds,
  }
  if (isWorker) return { kind: 'attached', ...place }
  const memoryBytes = instance.clickhouseMemoryMib * 1024 ** 2
  return { kind: 'embedded', dataDir: folders.clickhouse, ...place, memoryBytes, log }
}

/** For each root key one key of the vault, of 64 bytes: for encryption and for authentication. */
const vaultKeysOf = (roots: RootKeys): Buffer =>
  Buffer.concat(
    roots().flatMap(({ secret }) => [deriveKey(secret, 'vault encryption'), deriveKey(secret, 'vault authentication')]),
  )

/** PostgreSQL as the settings say: embedded, which the parent of workers has started, or by its address. */
export const planPostgres = (
  { instance, rest, cron, sqlEditor }: Settings,
  folders: EngineFolders,
  { databasePassword: password, roots }: EngineSecrets,
  log: (line: string) => void,
  isWorker = false,
): PostgresOptions => ({
  ...(instance.databaseUrl === null
    ? {
        ...(isWorker ? { kind: 'attached' } : { kind: 'embedded', dataDir: folders.postgres }),
        socketDir: join(folders.sockets, 'postgres'),
        port: instance.dbPort === 0 ? null : instance.dbPort,
        password,
        vaultKeys: () => vaultKeysOf(roots),
        changeBacklogMib: instance.changeBacklogMib,
        commandConnections: cron.maxRunningJobs,
      }
    : { kind: 'external', url: instance.databaseUrl, directUrl: instance.databaseDirectUrl }),
  editorConnections: sqlEditor.maxRuns,
  processes: instance.workers,
  exposedSchemas: rest.schemas,
  poolSize: rest.poolSize ?? instance.poolSize,
  requests: {
    acquireTimeoutMs: rest.poolAcquisitionTimeout * 1000,
    idleTimeoutMs: rest.poolMaxIdletime * 1000,
    maxLifetimeSeconds: rest.poolMaxLifetime,
    preparesStatements: rest.preparedStatements,
    statementsPerConnection: instance.statementsPerConnection,
  },
  internal: {
    adminPoolSize: instance.internalPoolSize,
    authPoolSize: instance.authPoolSize,
    readerPoolSize: instance.consolePoolSize,
    acquireTimeoutMs: instance.internalPoolTimeoutSeconds * 1000,
    readerTimeoutMs: instance.consoleQuerySeconds * 1000,
  },
  log,
})
