import { useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { useActiveCell } from './active-cell.ts'
import { BodyRow } from './body-row.tsx'
import { GridHead } from './grid-head.tsx'
import { type DataGridProps, gutterPx } from './grid-props.ts'
import type { Place } from './place.ts'
import { useRowScroll } from './window.ts'

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
        <GridHead columns={columns} />
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

/** Calls once for each other window, after it is drawn. */
function useWindowCall(first: number, end: number, onWindow: (first: number, end: number) => void): void {
  const call = useEffectEvent(onWindow)
  useLayoutEffect(() => call(first, end), [first, end])
}

/** Stands for the rows that are out of sight. */
function Spacer({ px, span }: { readonly px: number; readonly span: number }) {
  return (
    <tr>
      <td colSpan={span} style={{ height: px }} />
    </tr>
  )
}
