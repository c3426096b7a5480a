import type { Row } from '../../../lib/api/schemas.ts'
import { findStaged, rowIdOf, type Staged, type StagedRow, type StagedValue } from '../staged/staged.ts'

/** A row as the grid draws it: stored, or new and not saved. */
export interface GridRow {
  readonly id: string
  /** Absent for a new one. */
  readonly row: Row | undefined
  readonly change: StagedRow | undefined
}

/** Unchanged rows stay one and the same object, so that what is drawn of them is not drawn again. */
const unchanged = new WeakMap<Row, GridRow>()

/** A stored row with what is staged of it. */
export function gridRowOf(row: Row, staged: Staged): GridRow {
  const known = unchanged.get(row) ?? { id: rowIdOf(row), row, change: undefined }
  unchanged.set(row, known)
  const change = findStaged(staged, known.id)
  return change === undefined ? known : { ...known, change }
}

/** The value of a cell as it will be; undefined where PostgreSQL sets it in a new row. */
export function cellValue({ row, change }: GridRow, column: string): StagedValue | undefined {
  if (change !== undefined && change.kind !== 'delete' && column in change.values) return change.values[column]
  return row?.values[column]
}

/** Whether a cell of a stored row has a new value. */
export const isStaged = ({ change }: GridRow, column: string): boolean =>
  change?.kind === 'update' && column in change.values
