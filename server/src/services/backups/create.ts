import type { CopiedServer } from '../../engines/postgres/index.ts'
import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import { type ArchiveDeps, type ArchiveWriter, createArchiveWriter } from './copies/archive-writer.ts'
import type { Archive } from './copies/index-lines.ts'
import { noPieces, readKnownPieces } from './copies/known-pieces.ts'
import { listIds, type Manifest, readManifest, writeManifest } from './copies/manifest.ts'
import { createPace } from './copies/pace.ts'
import { type SecretFiles, sealFiles } from './copies/seal.ts'
import { backupsError } from './errors.ts'
import { idOf } from './keep.ts'
import type { BackupSettings } from './settings.ts'
import { type ClickHouseSource, copyClickHouse } from './sources/copy-clickhouse.ts'
import { copyFolder } from './sources/copy-folder.ts'
import { copyPostgres } from './sources/copy-postgres.ts'
import { copySpool } from './sources/copy-spool.ts'
import { digestQuietTables, unchangedTables } from './sources/table-digests.ts'
import type { BackupTarget } from './target/target.ts'

/** A running instance, to be copied. */
export interface BackupSource {
  readonly postgres: CopiedServer
  /** Null where ClickHouse is a server of its own. */
  readonly clickhouse: ClickHouseSource | null
  readonly spool: string
  /** The folder of the objects' files; null where they are in a bucket elsewhere. */
  readonly storage: string | null
  readonly secrets: SecretFiles
  /** The file of the data directory that says which version wrote it; null where it has none. */
  readonly versionRecord: Manifest['versionRecord'] | null
  /** What of the instance is not copied and why, a sentence each. */
  readonly leftOut: readonly string[]
}

export interface CreateDeps {
  readonly target: BackupTarget
  readonly settings: Pick<BackupSettings, 'passphrase' | 'mibPerSecond' | 'compareMib'>
  /** Of this program. */
  readonly version: string
  readonly now: () => Date
  readonly nowMs: () => number
  /** Told what is being copied, and how many bytes of it there are by now. */
  readonly progress: (what: string, bytes: number) => void
}

const mib = 1024 ** 2

/**
 * Copies a running instance. The rows are those of one instant; what was answered until then of events and recordings is in
 * ClickHouse or in the spool. A backup is there once its manifest is, which is written last.
 *
 * @throws CLEW_BACKUP_BUSY, CLEW_BACKUP_TARGET, POSTGRES_COPY_FAILED
 */
export async function createBackup(source: BackupSource, deps: CreateDeps): Promise<Manifest> {
  const { target, settings, now } = deps
  await takeTurn(source.postgres)
  const startedAt = now()
  const id = idOf(startedAt)
  const archive = await createArchives(deps)
  const digest = () => digestQuietTables(source.postgres, settings.compareMib * mib)

  const before = await digest()
  // What is stored here is not read again below.
  if (source.storage !== null) await archive('storage', (writer) => copyStorage(writer, source.storage))
  const [postgresArchive, server] = await archive('postgres', (writer) => copyPostgres(writer, source.postgres))
  const instant = now()
  const [spoolArchive] = await archive('spool', (writer) => copySpool(writer, source.spool))
  const { clickhouse } = source
  const [clickhouseArchive, engine] = await archive('clickhouse', async (writer) =>
    clickhouse === null ? null : copyClickHouse(writer, clickhouse),
  )
  const [storageArchive] = await archive('storage', (writer) => copyStorage(writer, source.storage))
  const tables = unchangedTables(before, await digest())

  const { passphrase } = settings
  const secrets = passphrase === null ? null : await sealFiles(source.secrets, passphrase)
  const manifest = {
    id,
    startedAt: startedAt.toISOString(),
    instant: instant.toISOString(),
    endedAt: now().toISOString(),
    clew: deps.version,
    platform: process.platform,
    arch: process.arch,
    postgres: { ...server, tables },
    clickhouse: engine,
    archives: [postgresArchive, spoolArchive, clickhouseArchive, storageArchive],
    secrets,
    ...(source.versionRecord == null ? {} : { versionRecord: source.versionRecord }),
    leftOut: [...source.leftOut, ...(secrets === null ? [withoutKeys] : [])],
  }
  await writeManifest(target, manifest)
  return readManifest(target, id)
}

const withoutKeys =
  'Keys and settings, as there is no passphrase: without keys.json no password is valid and no secret of the vault can be read.'

const copyStorage = async (writer: ArchiveWriter, folder: string | null): Promise<void> => {
  if (folder !== null) await copyFolder(writer, folder, { isImmutable: true, mayGo: true })
}

/** One process at a time, until its connection ends. @throws CLEW_BACKUP_BUSY */
export async function takeTurn(server: Pick<CopiedServer, 'query'>): Promise<void> {
  const [row] = await server.query<{ taken: boolean }>(takeTurnStatement())
  if (row?.taken !== true) throw backupsError('CLEW_BACKUP_BUSY')
}

const takeTurnStatement = (): Statement =>
  compile(sql`select pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended('clew backups', 0)) as taken`)

type Fill<T> = (writer: ArchiveWriter) => Promise<T>

/** Makes archives one after another, each with what the newest backup has of it. */
async function createArchives({ target, settings, nowMs, progress }: CreateDeps) {
  const newest = (await listIds(target)).at(-1)
  // One that cannot be read, damaged or of a newer version, only costs what is copied once more.
  const earlier = newest === undefined ? null : await readManifest(target, newest).catch(() => null)
  const latest = new Map<string, Pick<Archive, 'index'>>((earlier?.archives ?? []).map((each) => [each.name, each]))
  const pace = createPace(settings.mibPerSecond, nowMs)
  return async <T>(name: string, fill: Fill<T>): Promise<readonly [Archive, T]> => {
    const last = latest.get(name)
    let bytes = 0
    const deps: ArchiveDeps = {
      target,
      known: last === undefined ? noPieces : await readKnownPieces(target, last).catch(() => noPieces),
      pace,
      progress(more) {
        bytes += more
        progress(name, bytes)
      },
    }
    const writer = createArchiveWriter(name, deps)
    const result = await fill(writer)
    const archive = await writer.end()
    latest.set(name, archive)
    return [archive, result]
  }
}
