import type { MouseEvent, ReactNode } from 'react'
import type { Column } from '../../../lib/api/schemas.ts'
import { classes } from '../../../ui/classes.ts'
import { isNumeric } from '../column-types.ts'
import { type AfterEdit, CellEditor } from '../editors/cell-editor.tsx'
import type { StagedValue } from '../staged/staged.ts'
import { cellValue, type GridRow, isStaged } from './grid-row.ts'

interface GridCellProps {
  readonly id: string
  readonly item: GridRow | undefined
  readonly column: Column
  /** Pixels from the left edge where it stays while others scroll. */
  readonly left: number | undefined
  readonly isActive: boolean
  readonly isEditing: boolean
  /** Why PostgreSQL did not take the value. */
  readonly problem: string | undefined
  readonly renderValue: (row: GridRow, column: Column) => ReactNode
  readonly onDown: (event: MouseEvent) => void
  readonly onDouble: () => void
  readonly onCommit: (value: StagedValue, then: AfterEdit) => void
  readonly onCancel: () => void
  readonly onChoose: (row: GridRow, column: Column) => void
}

/** One cell: its value, or its editor. */
export function GridCell(props: GridCellProps) {
  const { id, item, column, left, isActive, isEditing, problem, renderValue, onCommit, onCancel } = props
  const isChanged = item !== undefined && isStaged(item, column.name)
  return (
    <td
      id={id}
      style={{ left }}
      onMouseDown={props.onDown}
      onDoubleClick={props.onDouble}
      className={classes(
        'relative h-8 border-line border-b px-2',
        isEditing || problem ? 'overflow-visible' : 'truncate',
        left !== undefined && 'z-10 bg-inherit sheet:sticky!',
        (isEditing || problem) && 'z-20',
        isNumeric(column.type) && 'tabular text-right',
        item?.change?.kind === 'delete' && 'text-ink-3 line-through',
        isChanged && 'text-warn',
        problem
          ? 'outline-2 -outline-offset-2 outline-danger'
          : isActive && 'outline-2 -outline-offset-2 outline-ink-2',
      )}
    >
      {item === undefined ? (
        <span className="block h-2.5 w-2/3 rounded-small bg-line" />
      ) : isEditing ? (
        <CellEditor
          column={column}
          value={cellValue(item, column.name)}
          onCommit={onCommit}
          onCancel={onCancel}
          onPick={column.references ? () => props.onChoose(item, column) : undefined}
        />
      ) : (
        renderValue(item, column)
      )}
      {problem && !isEditing && (
        <span
          role="alert"
          className="absolute top-full left-0 z-20 w-max max-w-72 whitespace-normal rounded-control bg-surface px-2 py-1 text-left text-danger text-sm shadow-float"
        >
          {problem}
        </span>
      )}
    </td>
  )
}
