import type { ChangeGap } from '../../../../ground/model/change.ts'
import { lsnNumber } from '../../record/change-lines.ts'
import { instantOf } from '../../record/request-lines.ts'
import type { HistoryGap } from '../../schemas/history.ts'
import type { ChangeRow } from '../queries/changes.ts'
import type { ThreadStore } from '../store.ts'

export interface HistoryGapsDeps {
  readonly store: Pick<ThreadStore, 'lastCommitUntil'>
  /** What was never read, oldest first. */
  readonly gaps: () => Promise<readonly ChangeGap[]>
  readonly now: () => Date
  /** How long changes are kept: what was missed longer ago is not missing any more. */
  readonly retentionMs: number
}

/** Finds out where changes of a row may be missing from its history. */
export function createHistoryGaps({ store, gaps, now, retentionMs }: HistoryGapsDeps) {
  /**
   * @param changes newest first
   * @param isWhole whether there are no older ones that were left out
   */
  return async (changes: readonly ChangeRow[], isWhole: boolean): Promise<HistoryGap[]> => {
    const retainedFromMs = now().getTime() - retentionMs
    const found: HistoryGap[] = []
    for (const gap of await gaps()) {
      if (gap.endedAt !== null && gap.endedAt.getTime() < retainedFromMs) continue
      const newer = newerThan(changes, gap)
      if (!touches(changes, newer, isWhole)) continue
      const last = gap.fromLsn === null ? null : await store.lastCommitUntil(String(lsnNumber(gap.fromLsn)))
      found.push({
        newerEntries: newer,
        from: last === null ? null : instantOf(last).toISOString(),
        until: gap.endedAt === null ? null : gap.endedAt.toISOString(),
        reason: gap.reason,
      })
    }
    return found.reverse()
  }
}

/** How many of the changes were committed after the gap. */
function newerThan(changes: readonly ChangeRow[], { toLsn }: ChangeGap): number {
  if (toLsn === null) return 0
  const end = lsnNumber(toLsn)
  const first = changes.findIndex(({ lsn }) => BigInt(lsn) < end)
  return first === -1 ? changes.length : first
}

/** A row that was made after a gap, and was not there before it, misses nothing of it. */
function touches(changes: readonly ChangeRow[], newer: number, isWhole: boolean): boolean {
  const after = changes[newer - 1]
  const before = changes[newer]
  if (before === undefined && !isWhole) return false
  const wasThere = before !== undefined && before.operation !== 'delete' && before.operation !== 'truncate'
  return wasThere || after?.operation !== 'insert'
}
