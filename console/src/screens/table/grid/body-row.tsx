import type { MouseEvent } from 'react'
import { classes } from '../../../ui/classes.ts'
import type { AfterEdit } from '../editors/cell-editor.tsx'
import type { StagedValue } from '../staged/staged.ts'
import { GridCell } from './grid-cell.tsx'
import { type DataGridProps, leftOf } from './grid-props.ts'
import type { GridRow } from './grid-row.ts'
import type { Place } from './place.ts'
import { RowGutter } from './row-gutter.tsx'

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

/** One row; absent ones are on their way. */
export function BodyRow(props: BodyRowProps) {
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
