import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ArrowUpRight, File } from 'lucide-react'
import type { Column, Table as DataTable, Row, Values } from '../../lib/api/schemas.ts'
import { findObjectPlace } from '../../lib/object-place.ts'
import { Value } from '../../thread/change-lines.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { isNumeric, readableValue, shortType, widthOf } from './column-types.ts'
import { FilterBar } from './filter-bar.tsx'
import { ObjectLink } from './object-link.tsx'

interface TableViewProps {
  readonly table: DataTable
  /** Absent while the first page is on its way. */
  readonly rows: readonly Row[] | undefined
  readonly sort: string | undefined
  readonly filter: readonly string[]
  readonly openKey: Values | undefined
  /** The buckets of storage, whose objects values may name. */
  readonly buckets: ReadonlySet<string>
  readonly onSort: (sort: string | undefined) => void
  readonly onFilter: (filter: readonly string[]) => void
  readonly onOpen: (row: Row) => void
  readonly onEnd: () => void
}

const keyOf = ({ key, values }: Row) => JSON.stringify(Object.keys(key).length > 0 ? key : values)

/** A table's rows with its types; sorted, narrowed, and each openable with its past. */
export function TableView(props: TableViewProps) {
  const { table, rows, sort, filter, openKey, buckets, onSort, onFilter, onOpen, onEnd } = props
  const columns = table.columns.map((column) => gridColumn(column, buckets, sort, onSort))
  const minWidth = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  return (
    <>
      <FilterBar columns={table.columns} filter={filter} onFilter={onFilter} />
      {rows === undefined ? (
        <SkeletonRows rows={18} />
      ) : rows.length > 0 ? (
        <Table
          label={`Rows of ${table.schema}.${table.name}`}
          columns={columns}
          rows={rows}
          rowKey={keyOf}
          onOpen={onOpen}
          openKey={openKey && JSON.stringify(openKey)}
          onEnd={onEnd}
          minWidth={minWidth}
        />
      ) : filter.length > 0 ? (
        <Empty title="No rows match these filters.">
          <p>
            <Button onClick={() => onFilter([])}>Show all rows</Button>
          </p>
        </Empty>
      ) : (
        <Empty title={`${table.name} has no rows yet.`}>
          <p>A row appears here as soon as it is inserted, and remembers the click that made it.</p>
          <Code
            text={`await supabase.from('${table.name}').insert({ ${insertable(table).join(', ')} })`}
            copyLabel="Copy the insert"
          />
        </Empty>
      )}
    </>
  )
}

function insertable({ columns }: DataTable): readonly string[] {
  return columns
    .filter((column) => !column.nullable && column.default === null && !column.isKey)
    .map(({ name }) => name)
}

function gridColumn(
  column: Column,
  buckets: ReadonlySet<string>,
  sort: string | undefined,
  onSort: (sort: string | undefined) => void,
): TableColumn<Row> {
  const ascending = sort === `${column.name}.asc`
  const descending = sort === `${column.name}.desc`
  const Arrow = ascending ? ArrowUp : ArrowDown
  return {
    id: column.name,
    width: widthOf(column),
    align: isNumeric(column.type) ? 'right' : 'left',
    sorted: ascending ? 'ascending' : descending ? 'descending' : undefined,
    title: (
      <button
        type="button"
        title={`${column.name} ${column.type}${column.nullable ? '' : ' not null'}${column.isKey ? ', key' : ''}`}
        onClick={() => onSort(ascending ? `${column.name}.desc` : descending ? undefined : `${column.name}.asc`)}
        className="mono inline-flex max-w-full items-center gap-1.5 rounded-small align-middle font-normal hover:text-ink"
      >
        <span className={`truncate ${column.isKey ? 'font-medium text-ink' : 'text-ink'}`}>{column.name}</span>
        {(ascending || descending) && <Arrow aria-hidden="true" className="size-3 shrink-0 text-thread" />}
        <span className="shrink-0 text-ink-2 text-xs">{shortType(column.type)}</span>
      </button>
    ),
    cell: ({ values }) => <Cell column={column} buckets={buckets} value={values[column.name]} />,
  }
}

interface CellProps {
  readonly column: Column
  readonly buckets: ReadonlySet<string>
  readonly value: string | null | undefined
}

const linkClasses =
  'ml-1 inline-grid size-4 place-items-center rounded-small align-text-bottom text-ink-3 hover:text-thread'

function Cell({ column, buckets, value }: CellProps) {
  const { references } = column
  const object = findObjectPlace(column, value, buckets)
  // What is beyond the cell's width is not worth laying out.
  const shown =
    typeof value === 'string' && value.length > 200 ? `${value.slice(0, 200)}…` : readableValue(column.type, value)
  return (
    <span className="mono" title={typeof value === 'string' && value.length > 24 ? value : undefined}>
      {object && (
        <ObjectLink place={object} label={`Open the object ${value}`} className={classes(linkClasses, 'mr-1 ml-0')}>
          <File aria-hidden="true" className="size-3" />
        </ObjectLink>
      )}
      <Value value={shown} />
      {references && !object && typeof value === 'string' && (
        <Link
          to="/data/$schema/$table"
          params={{ schema: references.schema, table: references.table }}
          search={{ row: JSON.stringify({ [references.column]: value }) }}
          aria-label={`Open ${references.table} ${value}`}
          title={`Open in ${references.schema}.${references.table}`}
          className={linkClasses}
        >
          <ArrowUpRight aria-hidden="true" className="size-3" />
        </Link>
      )}
    </span>
  )
}
