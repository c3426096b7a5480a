import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { parseLsn } from '../../../engines/postgres/index.ts'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'
import { listParts, readSegment, type WalPart } from './parts.ts'
import type { RecoveryPlan } from './plan-recovery.ts'
import { lastSegmentBefore, segmentOf, startOf, walFileName } from './segments.ts'

type NeededLog = Pick<RecoveryPlan, 'stretch' | 'fromLsn' | 'untilLsn'>

/** The numbers of the segments that a recovery replays, from the first to the last. */
const segmentsOf = ({ stretch, fromLsn, untilLsn }: NeededLog): readonly [first: number, last: number] => [
  segmentOf(parseLsn(fromLsn), stretch.segmentBytes),
  lastSegmentBefore(parseLsn(untilLsn), stretch.segmentBytes),
]

/** Bytes that the log of a recovery takes on the disk. */
export function walBytes(plan: NeededLog): number {
  const [first, last] = segmentsOf(plan)
  return Math.max(0, last - first + 1) * plan.stretch.segmentBytes
}

/**
 * Writes the log that a recovery replays where PostgreSQL looks for it.
 *
 * @param folder   the cluster's `pg_wal`
 * @param progress told of the bytes that were written
 * @throws CLEW_BACKUP_DAMAGED where some of it is missing
 */
export async function restoreWal(
  target: BackupTarget,
  plan: NeededLog,
  folder: string,
  progress: (bytes: number) => void,
): Promise<void> {
  const { id, timeline, segmentBytes } = plan.stretch
  const [first, last] = segmentsOf(plan)
  const parts = new Map<number, WalPart[]>()
  for (const part of await listParts(target, id)) parts.set(part.segment, [...(parts.get(part.segment) ?? []), part])
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let segment = first; segment <= last; segment += 1) {
    const bytes = await readSegment(target, id, parts.get(segment) ?? [])
    const needed = segment < last ? segmentBytes : Number(parseLsn(plan.untilLsn) - startOf(segment, segmentBytes))
    const name = walFileName(timeline, segment, segmentBytes)
    if (bytes.length < needed)
      throw backupsError('CLEW_BACKUP_DAMAGED', {
        message: `Of the log ${name} ${bytes.length} of ${needed} bytes are kept.`,
      })
    const file = await open(join(folder, name), 'w', 0o600)
    try {
      await file.writeFile(bytes)
      // PostgreSQL reads whole segments; zeros are the end of the log.
      await file.truncate(segmentBytes)
      await file.datasync()
    } finally {
      await file.close()
    }
    progress(segmentBytes)
  }
}
