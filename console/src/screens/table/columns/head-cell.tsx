import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react'
import { type PointerEvent, useRef } from 'react'
import { shortType } from '../../../schema/short-type.ts'
import { classes } from '../../../ui/classes.ts'
import { Menu } from '../../../ui/menu.tsx'
import { isNumeric } from '../column-types.ts'
import type { PlacedColumn } from './layout.ts'
import type { LayoutState } from './use-layout.ts'

/** A column's place in the order of the rows. */
export interface ColumnSort {
  readonly direction: 'asc' | 'desc'
  /** From 1 on; absent where rows are sorted by it alone. */
  readonly place: number | undefined
}

interface HeadCellProps {
  readonly placed: PlacedColumn
  readonly sort: ColumnSort | undefined
  readonly state: LayoutState
  /** @param extend whether the other columns keep their place in the order */
  readonly onSort: (extend: boolean) => void
  /** Opens the list of all columns. */
  readonly onColumns: () => void
}

const dragged = 'application/x-clew-column'

/** A column's head: a press sorts, a drag moves it to another's place, its edge widens it, its menu has the rest. */
export function HeadCell({ placed, sort, state, onSort, onColumns }: HeadCellProps) {
  const { column, width, isFrozen } = placed
  const { name } = column
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: takes what is dropped; the list of columns does this by keys
    <div
      className={classes('-mx-2 flex h-8 items-center gap-0.5 pr-1 pl-2', isNumeric(column.type) && 'justify-end')}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(dragged)) event.preventDefault()
      }}
      onDrop={(event) => {
        event.preventDefault()
        state.put(event.dataTransfer.getData(dragged), name)
      }}
    >
      <SortButton placed={placed} sort={sort} onSort={onSort} />
      <Menu
        trigger={
          <button
            type="button"
            aria-label={`Column ${name}`}
            className="grid size-5 shrink-0 place-items-center rounded-small text-ink-2 opacity-0 hover:text-ink focus-visible:opacity-100 group-hover/head:opacity-100 aria-expanded:opacity-100"
          >
            <ChevronDown aria-hidden="true" className="size-3.5" />
          </button>
        }
        items={[
          { label: isFrozen ? 'Let it scroll' : 'Freeze', onSelect: () => state.freeze(name) },
          { label: 'Move left', onSelect: () => state.move(name, -1) },
          { label: 'Move right', onSelect: () => state.move(name, 1) },
          { label: 'Hide', onSelect: () => state.hide(name) },
          { label: 'All columns…', onSelect: onColumns },
        ]}
      />
      <WidthHandle width={width} onResize={(next) => state.resize(name, next)} />
    </div>
  )
}

function SortButton({ placed: { column }, sort, onSort }: Pick<HeadCellProps, 'placed' | 'sort' | 'onSort'>) {
  const { name, type, nullable, isKey } = column
  const Arrow = sort?.direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      title={`${name} ${type}${nullable ? '' : ' not null'}${isKey ? ', key' : ''}\nShift adds to the order. Drag to move it.`}
      draggable
      onDragStart={({ dataTransfer }) => dataTransfer.setData(dragged, name)}
      onClick={(event) => onSort(event.shiftKey)}
      className="mono inline-flex min-w-0 items-center gap-1.5 rounded-small font-normal hover:text-ink"
    >
      <span className={classes('truncate text-ink', isKey && 'font-medium')}>{name}</span>
      {sort && <Arrow aria-hidden="true" className="size-3 shrink-0 text-thread" />}
      {sort?.place && <span className="text-ink-2 text-xs">{sort.place}</span>}
      <span className="shrink-0 text-ink-2 text-xs">{shortType(type)}</span>
    </button>
  )
}

interface WidthHandleProps {
  readonly width: number
  /** @param width absent for the column's own */
  readonly onResize: (width: number | undefined) => void
}

/** The edge by which a column is widened with the mouse; the list of columns does it by keys. */
function WidthHandle({ width, onResize }: WidthHandleProps) {
  const from = useRef<{ readonly x: number; readonly width: number }>(undefined)
  const down = (event: PointerEvent) => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, width }
  }
  return (
    <span
      aria-hidden="true"
      onPointerDown={down}
      onPointerMove={({ clientX }) => {
        if (from.current) onResize(from.current.width + clientX - from.current.x)
      }}
      onPointerUp={() => {
        from.current = undefined
      }}
      onDoubleClick={() => onResize(undefined)}
      className="absolute top-0 right-0 h-full w-1.5 cursor-col-resize touch-none hover:bg-line"
    />
  )
}
