import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createClickHouse, freezeTables } from '../../engines/clickhouse/index.ts'
import { type CopiedServer, openCopiedServer } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { type Directory, directoryOf } from '../../instance/directory.ts'
import { findHolder } from '../../instance/lock.ts'
import { versionFile } from '../../instance/upgrade/index.ts'
import { planClickHouse } from '../../plan/engines.ts'
import { type BackupSource, backupsError, takeTurn } from '../../services/backups/index.ts'
import type { Settings } from '../../settings/index.ts'

/**
 * Reaches the engines of the running instance, and leaves them after `body`.
 *
 * @throws CLEW_BACKUP_EXTERNAL, CLEW_NOT_RUNNING
 */
export async function withSource<T>(settings: Settings, body: (source: BackupSource) => Promise<T>): Promise<T> {
  const { instance, storage } = settings
  const directory = directoryOf(instance.data)
  const isBucket = storage.backend === 's3'
  const postgres = await openServer(settings)
  const engine =
    instance.clickhouseUrl === null
      ? createClickHouse(planClickHouse(settings, directory, () => undefined, true))
      : null
  try {
    return await body({
      postgres,
      clickhouse:
        engine === null
          ? null
          : { freeze: () => freezeTables(engine, directory.clickhouse), dataDir: directory.clickhouse },
      spool: directory.spool,
      storage: isBucket ? null : (storage.folder ?? directory.storage),
      secrets: await readSecrets(settings, directory),
      versionRecord: await readVersionRecord(directory),
      leftOut: [
        ...(engine === null ? ['ClickHouse, which is a server of its own: its BACKUP DATABASE backs it up.'] : []),
        ...(isBucket
          ? [`The objects’ files, which are in the bucket ${storage.s3Bucket}: its versions are their backup.`]
          : []),
      ],
    })
  } finally {
    await Promise.all([engine?.close(), postgres.close()])
  }
}

/** Reaches PostgreSQL of the running instance, and leaves it after `body`. @throws CLEW_BACKUP_EXTERNAL, CLEW_NOT_RUNNING */
export async function withServer<T>(settings: Settings, body: (server: CopiedServer) => Promise<T>): Promise<T> {
  const server = await openServer(settings)
  try {
    return await body(server)
  } finally {
    await server.close()
  }
}

async function openServer({ instance }: Settings): Promise<CopiedServer> {
  if (instance.databaseUrl !== null) throw backupsError('CLEW_BACKUP_EXTERNAL')
  const directory = directoryOf(instance.data)
  if ((await findHolder(directory.data)) === null) throw instanceError('CLEW_NOT_RUNNING')
  return openCopiedServer(join(directory.sockets, 'postgres'))
}

/** Runs `body` while nothing else works on the backups of the instance. @throws CLEW_BACKUP_BUSY */
export async function inTurn<T>(settings: Settings, body: () => Promise<T>): Promise<T> {
  const { instance } = settings
  if (instance.databaseUrl !== null || (await findHolder(directoryOf(instance.data).data)) === null) return body()
  return withServer(settings, async (server) => {
    await takeTurn(server)
    return body()
  })
}

/** Restored, it tells a start that the data need no upgrade. */
async function readVersionRecord({ data }: Directory): Promise<BackupSource['versionRecord']> {
  const bytes = await readFile(join(data, versionFile)).catch(ignoreMissing)
  return bytes === null ? null : { name: versionFile, text: bytes.toString() }
}

/** What only its owner may read, where it is: keys and certificates of the data directory, and the project’s settings. */
async function readSecrets({ instance, auth }: Settings, { data }: Directory): Promise<BackupSource['secrets']> {
  const { project } = instance
  const settingsFiles = project === null ? [] : [join(project, 'clew.toml'), join(project, 'supabase', 'config.toml')]
  const paths: readonly (readonly [name: string, path: string])[] = [
    ...['keys.json', 'tls.crt', 'tls.key'].map((name) => [name, join(data, name)] as const),
    ...settingsFiles.map((path) => [join('settings', relative(project ?? '', path)), path] as const),
    ...(auth.signingKeysPath === null ? [] : [['settings/signing_keys.json', auth.signingKeysPath] as const]),
  ]
  const read = paths.map(async ([name, path]) => [name, await readFile(path).catch(ignoreMissing)] as const)
  const files = await Promise.all(read)
  return Object.fromEntries(files.flatMap(([name, bytes]) => (bytes === null ? [] : [[name, bytes] as const])))
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
