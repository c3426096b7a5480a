import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Column, Table as DataTable, Row, Values } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { CellValue } from './cell-value.tsx'
import { shortType, widthOf } from './column-types.ts'
import { FilterBar } from './filter-bar.tsx'
import { DataGrid, type GridColumn, type RowProblem } from './grid/data-grid.tsx'
import { cellValue, type GridRow, gridRowOf } from './grid/grid-row.ts'
import { sortAfter, sortOf } from './sort.ts'
import type { Staged, StagedValue } from './staged/staged.ts'

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
  readonly openKey: Values | undefined
  readonly staged: Staged
  readonly problem: RowProblem | undefined
  readonly picked: ReadonlySet<string>
  /** Whether the operator may change rows. */
  readonly canChange: boolean
  /** The buckets of storage, whose objects values may name. */
  readonly buckets: ReadonlySet<string>
  readonly onSort: (sort: readonly string[]) => void
  readonly onFilter: (filter: readonly string[]) => void
  readonly onOpen: (row: GridRow) => void
  readonly onSet: (row: GridRow, column: Column, value: StagedValue) => void
  readonly onPick: (row: GridRow, extend: boolean) => void
  readonly onChoose: (row: GridRow, column: Column) => void
  readonly onCopy: (row: GridRow, column: Column) => void
  readonly onWindow: (first: number, end: number) => void
}

/** A table's rows with its types; sorted, narrowed, edited in place, and each openable with its past. */
export function TableView(props: TableViewProps) {
  const { table, isPending, failure, total, filter, staged, openKey } = props
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
      <FilterBar columns={table.columns} filter={filter} onFilter={props.onFilter} />
      {failure ??
        (isPending ? (
          <SkeletonRows rows={18} />
        ) : count === 0 ? (
          <NoRows {...props} />
        ) : (
          <DataGrid
            key={JSON.stringify([table.schema, table.name, props.sort, filter])}
            label={`Rows of ${table.schema}.${table.name}`}
            columns={table.columns.map((column) => gridColumn(column, props))}
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

function NoRows({ table, filter, onFilter }: Pick<TableViewProps, 'table' | 'filter' | 'onFilter'>) {
  if (filter.length > 0)
    return (
      <Empty title="No rows match these filters.">
        <p>
          <Button onClick={() => onFilter([])}>Show all rows</Button>
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

function gridColumn(column: Column, { sort, onSort }: Pick<TableViewProps, 'sort' | 'onSort'>): GridColumn {
  const direction = sortOf(sort, column.name)
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown
  const place = sort.indexOf(`${column.name}.${direction}`)
  return {
    column,
    width: widthOf(column),
    frozenAt: undefined,
    sorted: direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : undefined,
    head: (
      <button
        type="button"
        title={`${column.name} ${column.type}${column.nullable ? '' : ' not null'}${column.isKey ? ', key' : ''}\nShift adds to the order.`}
        onClick={(event) => onSort(sortAfter(sort, column.name, event.shiftKey))}
        className="mono inline-flex max-w-full items-center gap-1.5 rounded-small align-middle font-normal hover:text-ink"
      >
        <span className={`truncate ${column.isKey ? 'font-medium text-ink' : 'text-ink'}`}>{column.name}</span>
        {direction && <Arrow aria-hidden="true" className="size-3 shrink-0 text-thread" />}
        {direction && sort.length > 1 && <span className="text-ink-2 text-xs">{place + 1}</span>}
        <span className="shrink-0 text-ink-2 text-xs">{shortType(column.type)}</span>
      </button>
    ),
  }
}
