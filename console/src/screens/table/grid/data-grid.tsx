import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Column } from '../../../lib/api/schemas.ts'
import { classes } from '../../../ui/classes.ts'
import { useListKeys } from '../../../ui/list-keys.ts'
import { isNumeric } from '../column-types.ts'
import type { AfterEdit } from '../editors/cell-editor.tsx'
import type { StagedValue } from '../staged/staged.ts'
import { GridCell } from './grid-cell.tsx'
import type { GridRow } from './grid-row.ts'
import { moveFrom, type Place } from './place.ts'
import { RowGutter } from './row-gutter.tsx'
import { type RowScroll, useRowScroll } from './window.ts'

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

interface DataGridProps {
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
const gutterPx = 76

const leftOf = (frozenAt: number | undefined): number | undefined =>
  frozenAt === undefined ? undefined : gutterPx + frozenAt

/**
 * Rows of any number in a grid with one active cell, moved by keys and clicks and edited in its place. Only the rows in
 * sight are drawn.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/grid/
 */
export function DataGrid(props: DataGridProps) {
  const { label, columns, count, rowAt, onWindow } = props
  const gridId = useId()
  const box = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const scroll = useRowScroll(box, count)
  const { first, end, abovePx, belowPx } = scroll
  useWindowCall(first, end, onWindow)
  const { active, isEditing, go, edit, press, focus, commit } = useActiveCell(props, table, scroll)
  // One function for all rows: a row whose properties stay is not drawn again.
  const editAt = (place: Place) => {
    go(place)
    edit(place)
  }
  const width = columns.reduce((sum, column) => sum + column.width, gutterPx)
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-auto [overflow-anchor:none]">
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are moved through is a grid (ARIA APG)
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-activedescendant={active ? `${gridId}-${active.row}-${active.column}` : undefined}
        tabIndex={0}
        onKeyDown={press}
        onFocus={focus}
        className="w-full table-fixed border-separate border-spacing-0 outline-none"
        style={{ minWidth: width }}
      >
        <Head columns={columns} />
        <tbody>
          {abovePx > 0 && <Spacer px={abovePx} span={columns.length + 2} />}
          {Array.from({ length: end - first }, (_, offset) => {
            const index = first + offset
            return (
              <BodyRow
                key={rowAt(index)?.id ?? index}
                {...props}
                gridId={gridId}
                index={index}
                item={rowAt(index)}
                activeColumn={active?.row === index ? active.column : undefined}
                isEditing={isEditing && active?.row === index}
                onGo={go}
                onEdit={editAt}
                onCommit={commit}
                onCancel={go}
              />
            )
          })}
          {belowPx > 0 && <Spacer px={belowPx} span={columns.length + 2} />}
        </tbody>
      </table>
    </div>
  )
}

/** The cell that keys and clicks move, and whether it is edited. */
function useActiveCell(
  props: DataGridProps,
  table: RefObject<HTMLTableElement | null>,
  { first, end, show }: RowScroll,
) {
  const { columns, count, rowAt, canEdit, onSet } = props
  const [active, setActive] = useState<Place | null>(null)
  const [isEditing, setEditing] = useState(false)
  const go = (place: Place) => {
    setActive(place)
    setEditing(false)
    show(place.row)
    table.current?.focus({ preventScroll: true })
  }
  const edit = ({ row, column }: Place) => {
    const [item, found] = [rowAt(row), columns[column]?.column]
    if (item && found && canEdit(item, found)) setEditing(true)
  }
  useListKeys({
    count,
    selected: active?.row ?? -1,
    onSelect: (row) => go({ row, column: active?.column ?? 0 }),
    onOpen: () => undefined,
  })
  const press = (event: KeyboardEvent) => {
    if (isEditing || event.target !== table.current) return
    const next = moveFrom(active ?? origin, event, { rows: count, columns: columns.length, page: end - first })
    if (next) go(next)
    else if (event.key === 'Escape') setActive(null)
    else if (!active || !pressCell(event, active, props, edit)) return
    event.preventDefault()
  }
  const commit = (place: Place, value: StagedValue, then: AfterEdit) => {
    const [item, found] = [rowAt(place.row), columns[place.column]?.column]
    if (item && found) onSet(item, found, value)
    if (then === 'stay') setEditing(false)
    else go(stepAfter(place, then, count, columns.length))
  }
  const focus = (event: FocusEvent) => {
    if (event.target === table.current) setActive((before) => before ?? origin)
  }
  return { active, isEditing, go, edit, press, focus, commit }
}

const origin: Place = { row: 0, column: 0 }

/** What a key does to the active cell. @returns whether it does something */
function pressCell(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  place: Place,
  { rowAt, columns, canEdit, onSet, onOpen, onCopy }: DataGridProps,
  edit: (place: Place) => void,
): boolean {
  const [item, column] = [rowAt(place.row), columns[place.column]?.column]
  if (!item || !column) return false
  if (key === 'Enter' || key === 'F2') edit(place)
  else if (key === ' ') onOpen(item)
  else if (key === 'Delete' && column.nullable && canEdit(item, column)) onSet(item, column, null)
  else if (key === 'c' && (ctrlKey || metaKey)) onCopy(item, column)
  else return false
  return true
}

function stepAfter({ row, column }: Place, then: AfterEdit, rows: number, columns: number): Place {
  if (then === 'down') return { row: Math.min(rows - 1, row + 1), column }
  return { row, column: Math.min(columns - 1, Math.max(0, column + (then === 'right' ? 1 : -1))) }
}

/** Calls once for each other window, after it is drawn. */
function useWindowCall(first: number, end: number, onWindow: (first: number, end: number) => void): void {
  const call = useEffectEvent(onWindow)
  useLayoutEffect(() => call(first, end), [first, end])
}

function Head({ columns }: Pick<DataGridProps, 'columns'>) {
  return (
    <thead className="sticky top-0 z-20 bg-paper">
      <tr aria-rowindex={1}>
        <th scope="col" style={{ width: gutterPx, left: 0 }} className="sticky z-10 h-8 border-line border-b bg-paper">
          <span className="sr-only">Row</span>
        </th>
        {columns.map(({ column, width, frozenAt, sorted, head }) => (
          <th
            key={column.name}
            scope="col"
            aria-sort={sorted}
            style={{ width, left: leftOf(frozenAt) }}
            className={classes(
              'group/head relative h-8 border-line border-r border-b px-2 font-medium text-ink-2 text-sm',
              frozenAt !== undefined && 'z-10 bg-paper sheet:sticky!',
              isNumeric(column.type) ? 'text-right' : 'text-left',
            )}
          >
            {head}
          </th>
        ))}
        <td className="border-line border-b" />
      </tr>
    </thead>
  )
}

interface BodyRowProps extends DataGridProps {
  readonly gridId: string
  readonly index: number
  readonly item: GridRow | undefined
  readonly activeColumn: number | undefined
  readonly isEditing: boolean
  readonly onGo: (place: Place) => void
  readonly onEdit: (place: Place) => void
  readonly onCommit: (place: Place, value: StagedValue, then: AfterEdit) => void
  readonly onCancel: (place: Place) => void
}

function BodyRow(props: BodyRowProps) {
  const { gridId, index, item, columns, activeColumn, isEditing, openId, problem, picked } = props
  const isOpen = item !== undefined && item.id === openId
  const isPicked = item !== undefined && picked.has(item.id)
  return (
    <tr
      aria-rowindex={index + 2}
      aria-selected={isPicked}
      className={classes(
        'group/row',
        isOpen ? 'bg-thread-wash' : isPicked || activeColumn !== undefined ? 'bg-sunken' : 'bg-paper hover:bg-sunken',
      )}
    >
      <RowGutter number={index + 1} item={item} isPicked={isPicked} onOpen={props.onOpen} onPick={props.onPick} />
      {columns.map(({ column, frozenAt }, at) => (
        <GridCell
          key={column.name}
          id={`${gridId}-${index}-${at}`}
          item={item}
          column={column}
          left={leftOf(frozenAt)}
          isActive={activeColumn === at}
          isEditing={isEditing && activeColumn === at}
          problem={
            problem && item && problem.id === item.id && problem.columns.includes(column.name)
              ? problem.message
              : undefined
          }
          renderValue={props.renderValue}
          onDown={(event: MouseEvent) => {
            if (event.target instanceof Element && event.target.closest('a, button')) return
            event.preventDefault()
            props.onGo({ row: index, column: at })
          }}
          onDouble={() => props.onEdit({ row: index, column: at })}
          onCommit={(value, then) => props.onCommit({ row: index, column: at }, value, then)}
          onCancel={() => props.onCancel({ row: index, column: at })}
          onChoose={props.onChoose}
        />
      ))}
      <td className="border-line border-b" />
    </tr>
  )
}

/** Stands for the rows that are out of sight. */
function Spacer({ px, span }: { readonly px: number; readonly span: number }) {
  return (
    <tr>
      <td colSpan={span} style={{ height: px }} />
    </tr>
  )
}
