import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'
import { openFiles, sealFiles } from './seal.ts'

/**
 * Keys that were made after a backup. The log from it to the next backup holds data under them, and its own keys.json lacks
 * them. Each key is one piece, sealed like the keys in a backup.
 */
const folder = 'keys/'

const PieceSchema = Type.Object({
  keptAt: Type.String(),
  secrets: Type.Object({
    cost: Type.Integer(),
    blockSize: Type.Integer(),
    salt: Type.String(),
    sealed: Type.String(),
  }),
})

/** A key beside the backups. */
export interface KeptKey {
  readonly keptAt: Date
  readonly key: Buffer
}

/** Keys of a backup are read shortly before its time. */
const readBeforeMs = 3_600_000
const fileName = 'key'

/** @param id names the key, and gives nothing of it away */
export async function keepKey(
  target: BackupTarget,
  { keptAt, key }: KeptKey,
  id: string,
  passphrase: string,
): Promise<void> {
  const secrets = await sealFiles({ [fileName]: key }, passphrase)
  const piece = { keptAt: keptAt.toISOString(), secrets }
  await target.put(`${folder}${id}.json`, Buffer.from(JSON.stringify(piece)))
  await target.settle()
}

/** What was found of the keys since a backup. */
export interface KeysSince {
  /** The oldest first. */
  readonly keys: readonly KeptKey[]
  /** Times of those that are sealed with another passphrase. */
  readonly sealedOtherwise: readonly Date[]
}

/** The keys that a backup may not have. @throws CLEW_BACKUP_DAMAGED */
export async function readKeysSince(
  target: BackupTarget,
  { startedAt }: { readonly startedAt: string },
  passphrase: string,
): Promise<KeysSince> {
  const keys: KeptKey[] = []
  const sealedOtherwise: Date[] = []
  for await (const { name } of target.list(folder)) {
    const { keptAt, secrets } = await readPiece(target, name)
    if (!isNeededBy(keptAt, startedAt)) continue
    try {
      const { [fileName]: key } = await openFiles(secrets, passphrase)
      if (key !== undefined) keys.push({ keptAt: new Date(keptAt), key })
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'CLEW_BACKUP_PASSPHRASE')) throw error
      sealedOtherwise.push(new Date(keptAt))
    }
  }
  return { keys: keys.toSorted((one, other) => one.keptAt.getTime() - other.keptAt.getTime()), sealedOtherwise }
}

/** Removes the keys that every backup which stays has itself. @param oldest of them; null where none stays */
export async function pruneKeys(target: BackupTarget, oldest: { readonly startedAt: string } | null): Promise<void> {
  for await (const { name } of target.list(folder)) {
    if (oldest === null || isNeededBy((await readPiece(target, name)).keptAt, oldest.startedAt)) continue
    await target.remove(name)
  }
}

const isNeededBy = (keptAt: string, startedAt: string): boolean =>
  Date.parse(keptAt) >= Date.parse(startedAt) - readBeforeMs

async function readPiece(target: BackupTarget, name: string) {
  const damaged = (cause?: unknown) =>
    backupsError('CLEW_BACKUP_DAMAGED', { message: `${name} in ${target.name} is no key.`, cause })
  let value: unknown
  try {
    value = JSON.parse((await target.get(name)).toString())
  } catch (cause) {
    throw damaged(cause)
  }
  if (!Value.Check(PieceSchema, value)) throw damaged()
  return value
}
