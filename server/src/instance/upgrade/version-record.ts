import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { instanceError } from '../../errors.ts'

const RecordSchema = Type.Object({
  /** Of the product, as `0.1.0`. */
  version: Type.String(),
  /** Of the package that holds the embedded ClickHouse. */
  clickhouse: Type.String(),
  /** Where the embedded PostgreSQL was run from: the way to a server of its major version, for a version that has another. */
  postgresBinaries: Type.Optional(Type.String()),
  /** The migrations that the version knows, as `postgres/auth/0001_schema`. */
  migrations: Type.Array(Type.String()),
  /** The upgrade that is under way; null where none is. */
  upgrade: Type.Union([
    Type.Null(),
    Type.Object({
      /** The version that wrote the data before; null where it is not known. */
      from: Type.Union([Type.String(), Type.Null()]),
      /** The restore point of the data before; null where none is kept. */
      restorePoint: Type.Union([Type.String(), Type.Null()]),
      /** Where the PostgreSQL of the data before was run from. */
      postgresBinaries: Type.Optional(Type.String()),
    }),
  ]),
})

/** What a data directory says of the version that last wrote it. */
export type VersionRecord = Readonly<Static<typeof RecordSchema>>

/** The name of the record in a data directory. */
export const versionFile = 'version.json'

/**
 * Reads the record of a data directory; null where there is none, as before the first version that writes one.
 *
 * @throws CLEW_START_DIRECTORY where it cannot be understood
 */
export async function findVersionRecord(data: string): Promise<VersionRecord | null> {
  const path = join(data, versionFile)
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === null) return null
  const value = parse(text)
  if (!Value.Check(RecordSchema, value))
    throw instanceError('CLEW_START_DIRECTORY', {
      message: `${path} cannot be read: it says which version wrote the data. Restore it from a backup of the directory.`,
    })
  return value
}

/** Writes the record in place of the one before, so that it outlives a power cut. */
export const writeVersionRecord = (data: string, record: VersionRecord): Promise<void> =>
  replaceFile(join(data, versionFile), `${JSON.stringify(record, null, 1)}\n`)

/** Writes a file whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await flushFolder(dirname(path))
}

/** Makes the names in a folder outlive a power cut. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
