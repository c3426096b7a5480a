import { formatLsn, parseLsn } from '../../../engines/postgres/index.ts'
import type { Manifest } from '../copies/manifest.ts'
import type { BackupTarget } from '../target/target.ts'
import { type ListedPart, listParts, removePart } from './parts.ts'
import { copiesIn, type KeptStretch } from './plan-recovery.ts'
import { segmentOf, startOf } from './segments.ts'
import { removeStretch, writeSince } from './stretch.ts'
import { readLog } from './wal-state.ts'

const dayMs = 86_400_000

/**
 * The place from which on a stretch's log is needed: after the last backup that is older than the days of the log, or after
 * its first one.
 *
 * @param newestAt to which the days are counted back
 * @returns null for all of it; `nothing` where no moment of it can be restored, or is to be
 */
export function planNeeded(
  stretch: KeptStretch,
  manifests: readonly Manifest[],
  { isLast, newestAt, walDays }: { readonly isLast: boolean; readonly newestAt: Date; readonly walDays: number },
): string | null | 'nothing' {
  const oldest = new Date(newestAt.getTime() - walDays * dayMs)
  const copies = copiesIn(stretch, manifests)
  if (!isLast && (copies.length === 0 || stretch.untilAt === null || new Date(stretch.untilAt) < oldest))
    return 'nothing'
  const base = copies.findLast(({ manifest }) => new Date(manifest.instant) <= oldest) ?? copies[0]
  // The first backup of a stretch that goes on is still to come.
  return base?.stopLsn ?? null
}

/** The log of a target. */
export interface ListedLog {
  /** The oldest first. */
  readonly stretches: readonly KeptStretch[]
  /** The parts of each stretch by its id, in their order. */
  readonly parts: ReadonlyMap<string, readonly ListedPart[]>
}

/** What of a stretch some backups do not need. */
interface UnneededLog {
  readonly stretch: KeptStretch
  readonly parts: readonly ListedPart[]
  /** The segment that it begins with from then on; null where nothing of it stays. */
  readonly firstSegment: number | null
}

/** What parts take in the target. */
export const sumParts = (lists: readonly (readonly ListedPart[])[]): number =>
  lists.flat().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/** @throws CLEW_BACKUP_DAMAGED */
export async function listLog(target: BackupTarget): Promise<ListedLog> {
  const stretches = await readLog(target)
  const parts = new Map<string, readonly ListedPart[]>()
  for (const { id } of stretches) parts.set(id, await listParts(target, id))
  return { stretches, parts }
}

/** The log that no backup of these needs. @param manifests the oldest first */
export function planUnneeded(
  { stretches, parts }: ListedLog,
  manifests: readonly Manifest[],
  walDays: number,
): readonly UnneededLog[] {
  const last = stretches.at(-1)
  return stretches.flatMap((stretch): readonly UnneededLog[] => {
    const newestAt = new Date(last?.untilAt ?? stretch.untilAt ?? 0)
    const needed = planNeeded(stretch, manifests, { isLast: stretch === last, newestAt, walDays })
    const all = parts.get(stretch.id) ?? []
    if (needed === null) return []
    if (needed === 'nothing') return [{ stretch, parts: all, firstSegment: null }]
    const firstSegment = segmentOf(parseLsn(needed), stretch.segmentBytes)
    return [{ stretch, parts: all.filter(({ segment }) => segment < firstSegment), firstSegment }]
  })
}

/** Removes parts of the log; what says that they are there goes first. */
export async function removeLog(target: BackupTarget, unneeded: readonly UnneededLog[]): Promise<void> {
  for (const { stretch, parts, firstSegment } of unneeded) {
    const { id, segmentBytes } = stretch
    if (firstSegment === null) await removeStretch(target, id)
    else if (parts.length > 0) await writeSince(target, id, formatLsn(startOf(firstSegment, segmentBytes)))
    await target.settle()
    for (const part of parts) await removePart(target, id, part)
  }
}
