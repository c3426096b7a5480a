import type { KeyboardEvent } from 'react'

/** A cell by the numbers of its row and column. */
export interface Place {
  readonly row: number
  readonly column: number
}

interface Extent {
  readonly rows: number
  readonly columns: number
  /** Rows that a page has. */
  readonly page: number
}

/** Where a key leads from a cell; null for a key that moves nothing. */
export function moveFrom(
  { row, column }: Place,
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  { rows, columns, page }: Extent,
): Place | null {
  if (rows === 0 || altKey) return null
  const far = ctrlKey || metaKey
  const to = (nextRow: number, nextColumn: number): Place => ({
    row: Math.min(rows - 1, Math.max(0, nextRow)),
    column: Math.min(columns - 1, Math.max(0, nextColumn)),
  })
  switch (key) {
    case 'ArrowDown':
      return to(far ? rows - 1 : row + 1, column)
    case 'ArrowUp':
      return to(far ? 0 : row - 1, column)
    case 'ArrowRight':
      return to(row, far ? columns - 1 : column + 1)
    case 'ArrowLeft':
      return to(row, far ? 0 : column - 1)
    case 'PageDown':
      return to(row + page, column)
    case 'PageUp':
      return to(row - page, column)
    case 'Home':
      return to(far ? 0 : row, 0)
    case 'End':
      return to(far ? rows - 1 : row, columns - 1)
    default:
      return null
  }
}
