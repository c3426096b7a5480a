import type { ReactNode } from 'react'
import { SkeletonRows } from './skeleton.tsx'
import { Table, type TableProps } from './table.tsx'

interface ListTableProps<Item> extends Omit<TableProps<Item>, 'rows'> {
  /** Absent while they are on their way. */
  readonly rows: readonly Item[] | undefined
  /** How many bars hold the place of rows that are on their way. */
  readonly bars?: number
  /** Stands there where there are no rows. */
  readonly none: ReactNode
}

/** A table of rows that may be on their way, or none. */
export function ListTable<Item>({ rows, bars, none, ...table }: ListTableProps<Item>) {
  if (rows === undefined) return <SkeletonRows {...(bars !== undefined && { rows: bars })} />
  return rows.length === 0 ? none : <Table {...table} rows={rows} />
}
