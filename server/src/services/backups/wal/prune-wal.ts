import { formatLsn, parseLsn } from '../../../engines/postgres/index.ts'
import type { Manifest } from '../copies/manifest.ts'
import type { BackupTarget } from '../target/target.ts'
import { listParts, removePart } from './parts.ts'
import { copiesIn, type KeptStretch } from './plan-recovery.ts'
import { segmentOf, startOf } from './segments.ts'
import { removeStretch, writeSince } from './stretch.ts'

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

/**
 * Removes the log that no kept backup needs.
 *
 * @param manifests of the backups that stay, the oldest first
 * @returns how many of its parts
 */
export async function pruneWal(
  target: BackupTarget,
  { manifests, stretches }: { readonly manifests: readonly Manifest[]; readonly stretches: readonly KeptStretch[] },
  { walDays, isDryRun }: { readonly walDays: number; readonly isDryRun: boolean },
): Promise<number> {
  const last = stretches.at(-1)
  let removed = 0
  for (const stretch of stretches) {
    const newestAt = new Date(last?.untilAt ?? stretch.untilAt ?? 0)
    const needed = planNeeded(stretch, manifests, { isLast: stretch === last, newestAt, walDays })
    if (needed === null) continue
    const { id, segmentBytes } = stretch
    const first = needed === 'nothing' ? Number.POSITIVE_INFINITY : segmentOf(parseLsn(needed), segmentBytes)
    const unneeded = (await listParts(target, id)).filter(({ segment }) => segment < first)
    removed += unneeded.length
    if (isDryRun) continue
    // What says that it is there goes first.
    if (needed === 'nothing') await removeStretch(target, id)
    else if (unneeded.length > 0) await writeSince(target, id, formatLsn(startOf(first, segmentBytes)))
    await target.settle()
    for (const part of unneeded) await removePart(target, id, part)
  }
  return removed
}
