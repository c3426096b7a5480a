import { useState } from 'react'
import type { Table } from '../../../lib/api/schemas.ts'
import {
  type ColumnLayout,
  keepLayout,
  moveBy,
  plainLayout,
  putAt,
  readLayout,
  setWidth,
  toggleFrozen,
  toggleHidden,
} from './layout.ts'

/** How columns are shown, and what changes it. */
export interface LayoutState {
  readonly layout: ColumnLayout
  readonly hide: (name: string) => void
  readonly freeze: (name: string) => void
  readonly move: (name: string, by: 1 | -1) => void
  /** Puts a column where another one stands. */
  readonly put: (name: string, target: string) => void
  /** @param width absent for the column's own */
  readonly resize: (name: string, width: number | undefined) => void
  readonly reset: () => void
}

/** The layout of one table, kept in this browser. */
export function useLayout({ schema, name: table, columns }: Table): LayoutState {
  const [layout, setLayout] = useState(() => readLayout(schema, table))
  const change = (next: ColumnLayout) => {
    setLayout(next)
    keepLayout(schema, table, next)
  }
  return {
    layout,
    hide: (name) => change(toggleHidden(layout, name)),
    freeze: (name) => change(toggleFrozen(layout, name)),
    move: (name, by) => change(moveBy(columns, layout, name, by)),
    put: (name, target) => change(putAt(columns, layout, name, target)),
    resize: (name, width) => change(setWidth(layout, name, width)),
    reset: () => change(plainLayout),
  }
}
