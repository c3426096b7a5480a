import { listIds, type Manifest, readManifest, removeManifest } from './copies/manifest.ts'
import { pieceNameOf, piecesFolder } from './copies/pieces.ts'
import { readIndex } from './copies/read-index.ts'
import { backupsError } from './errors.ts'
import { planKept } from './keep.ts'
import type { BackupSettings } from './settings.ts'
import type { BackupTarget } from './target/target.ts'
import { readVerification, removeVerification } from './verify/record.ts'
import { pruneWal } from './wal/prune-wal.ts'
import { readLog } from './wal/wal-state.ts'

export interface PruneInput {
  /** Backups to be removed; null for those that no rule keeps. */
  readonly ids: readonly string[] | null
  readonly isDryRun: boolean
}

export interface Pruned {
  readonly removed: readonly string[]
  /** Pieces that no other backup has, also those that a killed backup has left. */
  readonly pieces: number
  readonly freedBytes: number
  /** Parts of the log that no kept backup needs. */
  readonly logParts: number
}

/**
 * Removes backups, then the pieces that none of the others has. The caller has the turn (`takeTurn`): pieces of a backup that
 * is being made belong to none yet.
 *
 * @throws CLEW_BACKUP_NOT_FOUND; CLEW_BACKUP_DAMAGED and CLEW_BACKUP_NEWER where a backup stays whose pieces are not known
 */
export async function pruneBackups(
  target: BackupTarget,
  rules: Pick<BackupSettings, 'keepDaily' | 'keepWeekly' | 'keepMonthly' | 'walDays'>,
  { ids, isDryRun }: PruneInput,
): Promise<Pruned> {
  const all = await listIds(target)
  const unknown = ids?.find((id) => !all.includes(id))
  if (unknown !== undefined)
    throw backupsError('CLEW_BACKUP_NOT_FOUND', { message: `There is no backup ${unknown} in ${target.name}.` })
  const kept = new Set([...planKept(all, rules), ...(await findGood(target, all))])
  const removed = ids ?? all.filter((id) => !kept.has(id))
  const manifests = await readAll(
    target,
    all.filter((id) => !removed.includes(id)),
  )
  const used = await findUsedPieces(target, manifests)
  if (!isDryRun) {
    for (const id of removed) {
      await removeManifest(target, id)
      await removeVerification(target, id)
    }
    await target.settle()
  }
  let pieces = 0
  let freedBytes = 0
  for await (const { name, sizeBytes } of target.list(piecesFolder)) {
    if (used.has(name)) continue
    pieces += 1
    freedBytes += sizeBytes
    if (!isDryRun) await target.remove(name)
  }
  const log = { manifests, stretches: await readLog(target) }
  const logParts = await pruneWal(target, log, { walDays: rules.walDays, isDryRun })
  return { removed, pieces, freedBytes, logParts }
}

/** The newest backup that was opened and found whole; nothing where none was. */
async function findGood(target: BackupTarget, ids: readonly string[]): Promise<readonly string[]> {
  for (const id of [...ids].reverse()) if ((await readVerification(target, id))?.isGood === true) return [id]
  return []
}

/** @throws CLEW_BACKUP_DAMAGED, CLEW_BACKUP_NEWER for one that cannot be read */
async function readAll(target: BackupTarget, ids: readonly string[]): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = []
  for (const id of ids) manifests.push(await readManifest(target, id))
  return manifests
}

/** The names of all pieces of some backups: some 100 bytes of memory for each. */
async function findUsedPieces(target: BackupTarget, manifests: readonly Manifest[]): Promise<ReadonlySet<string>> {
  const used = new Set<string>()
  for (const { archives } of manifests)
    for (const archive of archives) {
      for (const sha256 of archive.index) used.add(pieceNameOf(sha256))
      for await (const line of readIndex(target, archive)) if (line.kind === 'piece') used.add(pieceNameOf(line.sha256))
    }
  return used
}
