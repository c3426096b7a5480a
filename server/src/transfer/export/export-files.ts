import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BulkConnection } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { inParallel } from '../../ground/limits/in-parallel.ts'
import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'
import { type ListedFile, listingName } from '../files/file-source.ts'
import type { ObjectAddress, StorageApi } from '../files/storage-api.ts'
import { writeDownload } from '../files/write-download.ts'
import { exportPathOf } from './file-names.ts'
import type { MissingFile } from './manifest.ts'

/** The dependencies of `exportFiles`. */
export interface ExportFilesDeps {
  readonly database: BulkConnection
  readonly api: StorageApi
  /** The folder of the export. */
  readonly folder: string
  readonly progress: (line: string) => void
}

/** What became of the files. */
export interface ExportedFiles {
  readonly files: number
  readonly bytes: number
  readonly missing: readonly MissingFile[]
}

/** Files that are read at a time. */
const jobs = 4
const pageRows = 1000

/** Writes the file of each stored object, and the listing that says where each is. One that cannot be had is named. */
export async function exportFiles({ database, api, folder, progress }: ExportFilesDeps): Promise<ExportedFiles> {
  const missing: MissingFile[] = []
  let [files, bytes] = [0, 0]
  const listing = new PassThrough()
  const written = pipeline(listing, createWriteStream(join(folder, listingName), { mode: 0o600, flags: 'wx' }))
  await inParallel(readObjects(database), jobs, async (address) => {
    const place = `${address.bucket}/${address.key}`
    progress(place)
    try {
      const listed = await exportFile(api, folder, address)
      files += 1
      bytes += listed.bytes
      listing.write(`${JSON.stringify(listed)}\n`)
    } catch (error) {
      missing.push({ object: place, reason: messageOf(error) })
    }
  })
  listing.end()
  await written
  return { files, bytes, missing }
}

/** Under a path of its name; under a hash where that path is taken, or none that a disk has. */
async function exportFile(api: StorageApi, folder: string, address: ObjectAddress): Promise<ListedFile> {
  const named = exportPathOf(address)
  if (named !== null)
    try {
      return await writeFile(api, folder, address, named)
    } catch (error) {
      if (!taken.has((error as { readonly code?: unknown }).code)) throw error
    }
  const hash = createHash('sha256').update(`${address.bucket}/${address.key}`).digest('hex')
  return writeFile(api, folder, address, join('storage-other', hash))
}

/** `a` and `a/b` are both keys; `A` and `a` are one file on some disks. */
const taken: ReadonlySet<unknown> = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

async function writeFile(api: StorageApi, folder: string, address: ObjectAddress, path: string): Promise<ListedFile> {
  const hash = createHash('sha256')
  const { body, sizeBytes } = await api.download(address)
  const hashed = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece)
      done(null, piece)
    },
  })
  body.once('error', (error) => hashed.destroy(error))
  const download = { body: body.pipe(hashed), sizeBytes }
  const bytes = await writeDownload(join(folder, path), download, { overwrites: false }).finally(() => body.destroy())
  return { ...address, path, bytes, sha256: hash.digest('hex') }
}

async function* readObjects(database: BulkConnection): AsyncGenerator<ObjectAddress> {
  let after: ObjectAddress = { bucket: '', key: '' }
  for (;;) {
    const { rows } = await database.query<ObjectAddress>(selectObjectsStatement(after))
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageRows) return
    after = last
  }
}

/** The next objects that have a file. */
const selectObjectsStatement = ({ bucket, key }: ObjectAddress): Statement =>
  compile(sql`
    select bucket_id as bucket, name as key
    from storage.objects
    where version is not null and (bucket_id, name) > (${bucket}, ${key})
    order by bucket_id, name
    limit ${typed(pageRows, 'bigint')}`)
