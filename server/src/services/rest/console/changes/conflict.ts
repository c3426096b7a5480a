import type { RowChange, RowConflict } from '../schemas.ts'
import type { TextValues } from '../text-values.ts'

/**
 * Whether a row still is as the change expects it.
 *
 * @param current the row's values now; null where it is not there
 * @param key     the columns of the table's key
 * @returns what differs, or null
 */
export function findConflict(
  index: number,
  change: RowChange,
  current: TextValues | null,
  key: readonly string[],
): RowConflict | null {
  if (change.kind === 'insert') return current === null ? null : { index, columns: [...key], current: { ...current } }
  if (current === null) return { index, columns: [], current: null }
  const columns = Object.keys(change.old).filter((name) => name in current && current[name] !== change.old[name])
  return columns.length === 0 ? null : { index, columns, current: { ...current } }
}
