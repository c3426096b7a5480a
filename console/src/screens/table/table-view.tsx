import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Column, Table as DataTable, Row, Values } from '../../lib/api/schemas.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { CellValue } from './cell-value.tsx'
import { HeadCell } from './columns/head-cell.tsx'
import { type PlacedColumn, shownColumns } from './columns/layout.ts'
import type { LayoutState } from './columns/use-layout.ts'
import { FilterBar } from './filters/filter-bar.tsx'
import { DataGrid } from './grid/data-grid.tsx'
import type { GridColumn, RowProblem } from './grid/grid-props.ts'
import { cellValue, type GridRow, gridRowOf } from './grid/grid-row.ts'
import { sortAfter, sortOf } from './sort.ts'
import type { Staged, StagedValue } from './staged/staged.ts'
import { callerName, type TableCaller, whySearch } from './view-as/caller.ts'

interface TableViewProps {
  readonly table: DataTable
  /** Nothing is known of the rows yet. */
  readonly isPending: boolean
  /** What stands in the place of rows that could not be read. */
  readonly failure: ReactNode
  readonly total: number
  readonly rowAt: (index: number) => Row | undefined
  readonly sort: readonly string[]
  readonly filter: readonly string[]
  /** A text that any column holds; empty for none. */
  readonly q: string
  /** In whose place rows are read; absent for the operator's own. */
  readonly caller: TableCaller | undefined
  readonly layout: LayoutState
  readonly openKey: Values | undefined
  readonly staged: Staged
  readonly problem: RowProblem | undefined
  readonly picked: ReadonlySet<string>
  /** Whether the operator may change rows. */
  readonly canChange: boolean
  /** The buckets of storage, whose objects values may name. */
  readonly buckets: ReadonlySet<string>
  readonly onSort: (sort: readonly string[]) => void
  readonly onFilter: (filter: readonly string[], q: string) => void
  /** Opens the list of all columns. */
  readonly onColumns: () => void
  /** What the bar of filters offers besides. */
  readonly bar: ReactNode
  readonly onOpen: (row: GridRow) => void
  readonly onSet: (row: GridRow, column: Column, value: StagedValue) => void
  readonly onPick: (row: GridRow, extend: boolean) => void
  readonly onChoose: (row: GridRow, column: Column) => void
  readonly onCopy: (row: GridRow, column: Column) => void
  readonly onWindow: (first: number, end: number) => void
}

/** A table's rows with its types; sorted, narrowed, edited in place, and each openable with its past. */
export function TableView(props: TableViewProps) {
  const { table, isPending, failure, total, filter, q, sort, staged, openKey, layout, onSort, onColumns } = props
  const added = staged.filter((one) => one.kind === 'insert')
  // A new row stands above the others until it is saved.
  const rowAt = (index: number): GridRow | undefined => {
    const fresh = added[index]
    if (fresh) return { id: fresh.id, row: undefined, change: fresh }
    const row = props.rowAt(index - added.length)
    return row && gridRowOf(row, staged)
  }
  const count = total + added.length
  return (
    <>
      <FilterBar columns={table.columns} filter={filter} q={q} onFilter={props.onFilter}>
        {props.bar}
      </FilterBar>
      {failure ??
        (isPending ? (
          <SkeletonRows rows={18} />
        ) : count === 0 ? (
          <NoRows {...props} />
        ) : (
          <DataGrid
            key={JSON.stringify([table.schema, table.name, sort, filter, q, props.caller])}
            label={`Rows of ${table.schema}.${table.name}`}
            columns={gridColumns(shownColumns(table.columns, layout.layout), { sort, onSort, layout, onColumns })}
            count={count}
            rowAt={rowAt}
            openId={openKey && JSON.stringify(openKey)}
            problem={props.problem}
            picked={props.picked}
            canEdit={(row, column) => props.canChange && mayEdit(table, row, column)}
            renderValue={(row, column) => (
              <CellValue column={column} buckets={props.buckets} value={cellValue(row, column.name)} />
            )}
            onSet={props.onSet}
            onOpen={props.onOpen}
            onPick={props.onPick}
            onChoose={props.onChoose}
            onCopy={props.onCopy}
            onWindow={(first, end) =>
              props.onWindow(Math.max(0, first - added.length), Math.max(0, end - added.length))
            }
          />
        ))}
    </>
  )
}

function mayEdit(table: DataTable, { row, change }: GridRow, { generated, secret }: Column): boolean {
  if (generated || secret || change?.kind === 'delete') return false
  return row === undefined ? table.insertable : table.updatable && table.rowId.length > 0
}

function NoRows({
  table,
  filter,
  q,
  caller,
  onFilter,
}: Pick<TableViewProps, 'table' | 'filter' | 'q' | 'caller' | 'onFilter'>) {
  if (caller)
    return (
      <Empty title={`${callerName(caller)} is shown no rows${filter.length > 0 || q !== '' ? ' that match' : ''}.`}>
        <p>
          <Link to="/requests/why" search={whySearch(table, filter, caller)} className={buttonClasses()}>
            Why?
          </Link>
        </p>
      </Empty>
    )
  if (filter.length > 0 || q !== '')
    return (
      <Empty title="No rows match these filters.">
        <p>
          <Button onClick={() => onFilter([], '')}>Show all rows</Button>
        </p>
      </Empty>
    )
  return (
    <Empty title={`${table.name} has no rows yet.`}>
      <p>A row appears here as soon as it is inserted, and remembers the click that made it.</p>
      <Code
        text={`await supabase.from('${table.name}').insert({ ${insertable(table).join(', ')} })`}
        copyLabel="Copy the insert"
      />
    </Empty>
  )
}

function insertable({ columns }: DataTable): readonly string[] {
  return columns
    .filter((column) => !column.nullable && column.default === null && !column.isKey)
    .map(({ name }) => name)
}

type HeadProps = Pick<TableViewProps, 'sort' | 'onSort' | 'layout' | 'onColumns'>

function gridColumns(placed: readonly PlacedColumn[], props: HeadProps): readonly GridColumn[] {
  let left = 0
  return placed.map((one) => {
    const frozenAt = one.isFrozen ? left : undefined
    if (one.isFrozen) left += one.width
    return gridColumn(one, frozenAt, props)
  })
}

function gridColumn(placed: PlacedColumn, frozenAt: number | undefined, props: HeadProps): GridColumn {
  const { sort, onSort, layout, onColumns } = props
  const { name } = placed.column
  const direction = sortOf(sort, name)
  const place = sort.length > 1 ? sort.indexOf(`${name}.${direction}`) + 1 : undefined
  return {
    column: placed.column,
    width: placed.width,
    frozenAt,
    sorted: direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : undefined,
    head: (
      <HeadCell
        placed={placed}
        sort={direction && { direction, place }}
        state={layout}
        onSort={(extend) => onSort(sortAfter(sort, name, extend))}
        onColumns={onColumns}
      />
    ),
  }
}
