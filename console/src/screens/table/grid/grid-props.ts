import type { ReactNode } from 'react'
import type { Column } from '../../../lib/api/schemas.ts'
import type { StagedValue } from '../staged/staged.ts'
import type { GridRow } from './grid-row.ts'

/** A column as it is drawn. */
export interface GridColumn {
  readonly column: Column
  readonly width: number
  /** Pixels from the gutter where it stays while others scroll. */
  readonly frozenAt: number | undefined
  readonly sorted: 'ascending' | 'descending' | undefined
  readonly head: ReactNode
}

/** What PostgreSQL did not accept of a row, under its cells. */
export interface RowProblem {
  readonly id: string
  readonly columns: readonly string[]
  readonly message: string
}

/** What a grid shows, and what it calls. */
export interface DataGridProps {
  readonly label: string
  readonly columns: readonly GridColumn[]
  readonly count: number
  /** Absent while it is on its way. */
  readonly rowAt: (index: number) => GridRow | undefined
  readonly openId: string | undefined
  readonly problem: RowProblem | undefined
  readonly picked: ReadonlySet<string>
  /** Whether a cell's value may be changed. */
  readonly canEdit: (row: GridRow, column: Column) => boolean
  readonly renderValue: (row: GridRow, column: Column) => ReactNode
  readonly onSet: (row: GridRow, column: Column, value: StagedValue) => void
  readonly onOpen: (row: GridRow) => void
  readonly onPick: (row: GridRow, extend: boolean) => void
  readonly onChoose: (row: GridRow, column: Column) => void
  readonly onCopy: (row: GridRow, column: Column) => void
  /** Called with the rows that are drawn, whenever these are others. */
  readonly onWindow: (first: number, end: number) => void
}

/** The gutter at the left, in pixels: row number, box to pick the row, button to open it. */
export const gutterPx = 76

/** Where a column stays while others scroll, in pixels from the left. */
export const leftOf = (frozenAt: number | undefined): number | undefined =>
  frozenAt === undefined ? undefined : gutterPx + frozenAt
