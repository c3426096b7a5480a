import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import { useListKeys } from '../../../ui/list-keys.ts'
import type { AfterEdit } from '../editors/cell-editor.tsx'
import type { StagedValue } from '../staged/staged.ts'
import type { DataGridProps } from './grid-props.ts'
import { moveFrom, type Place } from './place.ts'
import type { RowScroll } from './window.ts'

/** The cell that keys and clicks move, and whether it is edited. */
export function useActiveCell(
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
