import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'
import type { Archive } from './index-lines.ts'
import { digestOf } from './pieces.ts'

/** The layout of backups that this version writes; it reads all earlier ones. */
const format = 1

const ArchiveSchema = Type.Object({
  name: Type.String(),
  files: Type.Integer(),
  sizeBytes: Type.Integer(),
  newBytes: Type.Integer(),
  index: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' })),
})

const TableSchema = Type.Object({
  name: Type.String(),
  /** Of the rows and their places in the file; null where the table changed meanwhile or is too large. */
  digest: Type.Union([Type.String(), Type.Null()]),
})

const ManifestSchema = Type.Object({
  format: Type.Integer(),
  id: Type.String(),
  startedAt: Type.String(),
  endedAt: Type.String(),
  /** Rows committed by then are in it. */
  instant: Type.String(),
  clew: Type.String(),
  platform: Type.String(),
  arch: Type.String(),
  postgres: Type.Union([
    Type.Null(),
    Type.Object({
      version: Type.String(),
      systemId: Type.String(),
      timeline: Type.Integer(),
      startLsn: Type.String(),
      stopLsn: Type.String(),
      tables: Type.Array(TableSchema),
    }),
  ]),
  clickhouse: Type.Union([
    Type.Null(),
    Type.Object({
      version: Type.String(),
      /** Rows in the copied parts, by table. */
      rows: Type.Record(Type.String(), Type.Integer()),
    }),
  ]),
  archives: Type.Array(ArchiveSchema),
  /** `keys.json` and other secrets, sealed with the passphrase; null where there was none. */
  secrets: Type.Union([
    Type.Null(),
    Type.Object({
      cost: Type.Integer({ minimum: 1024, maximum: 1_048_576 }),
      blockSize: Type.Integer({ minimum: 1, maximum: 32 }),
      salt: Type.String(),
      sealed: Type.String(),
    }),
  ]),
  /** What the data directory says of the version that wrote it; backups of before have none. */
  versionRecord: Type.Optional(Type.Object({ name: Type.String({ pattern: '^[a-z]+\\.json$' }), text: Type.String() })),
  /** What of the instance is not in it and why, a sentence each. */
  leftOut: Type.Array(Type.String()),
})

/** What a backup holds: the last that is written of it. */
export type Manifest = Readonly<Static<typeof ManifestSchema>>

const folder = 'backups/'
const ending = '.json'
const pieceOf = (id: string): string => `${folder}${id}${ending}`

/** Stores a manifest, by which the backup is there, once its pieces outlive a power cut. */
export async function writeManifest(
  target: BackupTarget,
  manifest: Omit<Manifest, 'format' | 'archives'> & { readonly archives: readonly Archive[] },
): Promise<void> {
  await target.settle()
  const text = JSON.stringify({ format, ...manifest })
  await target.put(
    pieceOf(manifest.id),
    Buffer.from(JSON.stringify({ sha256: digestOf(text), manifest: text }, null, 1)),
  )
  await target.settle()
}

/** @throws CLEW_BACKUP_NOT_FOUND, CLEW_BACKUP_DAMAGED, CLEW_BACKUP_NEWER */
export async function readManifest(target: BackupTarget, id: string): Promise<Manifest> {
  if (!/^[\w-]+$/.test(id) || !(await target.has(pieceOf(id))))
    throw backupsError('CLEW_BACKUP_NOT_FOUND', { message: `There is no backup ${id} in ${target.name}.` })
  return parseManifest(id, (await target.get(pieceOf(id))).toString())
}

/** The ids of the backups, the oldest first: an id begins with its time. */
export async function listIds(target: BackupTarget): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { name } of target.list(folder)) {
    const id = name.slice(folder.length, -ending.length)
    if (name.endsWith(ending) && !id.includes('.')) ids.push(id)
  }
  return ids.sort()
}

/** The manifests of those backups that can be read. */
export async function readManifests(target: BackupTarget, ids: readonly string[]): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = []
  for (const id of ids) {
    const manifest = await readManifest(target, id).catch(() => null)
    if (manifest !== null) manifests.push(manifest)
  }
  return manifests
}

/** Removes a backup; its pieces stay until they are collected. */
export const removeManifest = (target: BackupTarget, id: string): Promise<void> => target.remove(pieceOf(id))

function parseManifest(id: string, text: string): Manifest {
  const damaged = (cause?: unknown) =>
    backupsError('CLEW_BACKUP_DAMAGED', { message: `The manifest of backup ${id} is damaged.`, cause })
  let value: unknown
  try {
    const { sha256, manifest } = JSON.parse(text) as { readonly sha256?: unknown; readonly manifest?: unknown }
    if (typeof manifest !== 'string' || digestOf(manifest) !== sha256) throw damaged()
    value = JSON.parse(manifest)
  } catch (cause) {
    throw damaged(cause)
  }
  const { format: written } = value as { readonly format?: unknown }
  if (typeof written === 'number' && written > format)
    throw backupsError('CLEW_BACKUP_NEWER', {
      message: `Backup ${id} has format ${written}; this version reads ${format}.`,
    })
  if (!Value.Check(ManifestSchema, value)) throw damaged()
  return value
}
