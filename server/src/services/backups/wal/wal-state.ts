import type { Manifest } from '../copies/manifest.ts'
import type { BackupTarget } from '../target/target.ts'
import { type KeptStretch, type RestorableSpan, restorableSpans } from './plan-recovery.ts'
import { listStretches, readSince } from './stretch.ts'

/** How far PostgreSQL's log is kept. */
export interface WalState {
  /** Moments that can be restored, the oldest first. */
  readonly spans: readonly RestorableSpan[]
  /** The newest stretch; null before the first. */
  readonly stretchId: string | null
  /** Everything that was committed by then is kept, up to `untilLsn`; null where nothing is. */
  readonly untilAt: string | null
  readonly untilLsn: string | null
  /** The newest gap: the log after `after` is not kept, for this reason. */
  readonly gap: { readonly after: string | null; readonly reason: string } | null
}

/** The stretches of the log that are kept, the oldest first. @throws CLEW_BACKUP_DAMAGED */
export async function readLog(target: BackupTarget): Promise<readonly KeptStretch[]> {
  const kept: KeptStretch[] = []
  for (const stretch of await listStretches(target))
    kept.push({ ...stretch, since: await readSince(target, stretch.id) })
  return kept
}

/** @param backups those of the target, the newest first */
export async function readWalState(
  target: BackupTarget,
  backups: readonly { readonly manifest: Manifest | null }[],
): Promise<WalState> {
  const manifests = backups.flatMap(({ manifest }) => (manifest === null ? [] : [manifest])).reverse()
  const stretches = await readLog(target)
  const last = stretches.at(-1)
  const before = stretches.findLast(({ ended }) => ended !== null)
  return {
    spans: restorableSpans(manifests, stretches),
    stretchId: last?.id ?? null,
    untilAt: last?.untilAt ?? null,
    untilLsn: last?.untilAt == null ? null : last.untilLsn,
    gap: before === undefined ? null : { after: before.untilAt, reason: before.ended ?? '' },
  }
}
