import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import { openBulkConnection } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { listingName } from '../files/file-source.ts'
import type { StorageApi } from '../files/storage-api.ts'
import { readDatabase } from '../import/read-database.ts'
import { countEventsStatement, selectEventsStatement } from './events.ts'
import { exportFiles } from './export-files.ts'
import type { ExportedFile, ExportManifest } from './manifest.ts'
import { type DumpCounts, renderDump } from './render-dump.ts'

/** What is exported, and where to. */
export interface ExportOptions {
  /** The connection string of the database, as its owner `postgres`. */
  readonly address: string
  /** Where the events are; null to leave them out. */
  readonly clickhouse: Pick<ClickHouse, 'query' | 'streamBytes'> | null
  /** The storage service whose files are exported; null to leave them out. */
  readonly storage: StorageApi | null
  /** Made where it is missing; it must be empty. */
  readonly folder: string
  /** Whether the vault's secrets are written, in plain text. */
  readonly withSecrets: boolean
  readonly now: () => Date
  readonly release: string
  /** Called with what is being exported. */
  readonly progress: (line: string) => void
}

/** Events a file: the embedded engine makes one in memory. */
const eventsPerFile = 100_000

/**
 * Writes `dump.sql`, the files of stored objects, the events as Parquet, and `manifest.json` with counts and checksums, each
 * file as it is read.
 *
 * @throws CLEW_EXPORT_FOLDER where the folder holds anything
 */
export async function exportProject(options: ExportOptions): Promise<ExportManifest> {
  const { folder, now, release, withSecrets } = options
  const createdAt = now().toISOString()
  await prepareFolder(folder)
  const counts: DumpCounts = { tables: {}, notes: [] }
  const dump = await writeDump(options, counts)
  const stored = await writeFiles(options)
  const files = [dump, ...(stored === null ? [] : [stored.listing]), ...(await writeEvents(options))]
  if (!withSecrets)
    counts.notes.push('The secrets of the vault are left out; --with-secrets writes them in plain text.')
  const manifest: ExportManifest = {
    createdAt,
    clew: release,
    files,
    ...counts,
    storage: stored === null ? null : { files: stored.files, bytes: stored.bytes },
    missing: stored?.missing ?? [],
  }
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw instanceError('CLEW_EXPORT_FOLDER', { message: `${folder} is not empty.` })
}

async function writeDump(
  { address, folder, withSecrets, progress }: ExportOptions,
  counts: DumpCounts,
): Promise<ExportedFile> {
  progress('dump.sql')
  const source = await openBulkConnection(address, 'clew export')
  try {
    const items = readDatabase({ source, address, origin: 'supabase', activatesJobs: true, readsSecrets: withSecrets })
    const written = await writeChecked(
      folder,
      'dump.sql',
      Readable.from(renderDump(items, counts), { objectMode: false }),
    )
    return { ...written, rows: Object.values(counts.tables).reduce((sum, rows) => sum + rows, 0) }
  } finally {
    await source.close()
  }
}

/** The files below `storage/`, after the dump: what is stored meanwhile is in neither. */
async function writeFiles({ address, folder, storage, progress }: ExportOptions) {
  if (storage === null) return null
  const database = await openBulkConnection(address, 'clew export')
  try {
    const exported = await exportFiles({ database, api: storage, folder, progress })
    const listing = await checked(folder, listingName)
    return { ...exported, listing: { ...listing, rows: exported.files } }
  } finally {
    await database.close()
  }
}

/** A file that is written, with its checksum. */
async function checked(folder: string, path: string): Promise<Omit<ExportedFile, 'rows'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(join(folder, path))) {
    hash.update(piece)
    bytes += piece.length
  }
  return { path, bytes, sha256: hash.digest('hex') }
}

async function writeEvents({ clickhouse, folder, progress }: ExportOptions): Promise<readonly ExportedFile[]> {
  if (clickhouse === null) return []
  const counted = await clickhouse.query<{ count: string }>(countEventsStatement())
  const slices = Math.ceil(Number(counted[0]?.count ?? 0) / eventsPerFile)
  const files: ExportedFile[] = []
  for (let slice = 0; slice < slices; slice += 1) {
    const path = `events-${String(slice + 1).padStart(4, '0')}.parquet`
    progress(path)
    const written = await writeChecked(folder, path, await clickhouse.streamBytes(selectEventsStatement(slice, slices)))
    const rows = await clickhouse.query<{ count: string }>(countEventsStatement(slice, slices))
    files.push({ ...written, rows: Number(rows[0]?.count ?? 0) })
  }
  return files
}

async function writeChecked(folder: string, path: string, bytes: Readable): Promise<Omit<ExportedFile, 'rows'>> {
  const hash = createHash('sha256')
  let size = 0
  const check = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      hash.update(piece)
      size += piece.length
      yield piece
    }
  }
  await pipeline(bytes, check, createWriteStream(join(folder, path), { mode: 0o600, flags: 'wx' }))
  return { path, bytes: size, sha256: hash.digest('hex') }
}
