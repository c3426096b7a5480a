import { classes } from '../../../ui/classes.ts'
import { isNumeric } from '../column-types.ts'
import { type DataGridProps, gutterPx, leftOf } from './grid-props.ts'

/** The columns' names, which stay in sight. */
export function GridHead({ columns }: Pick<DataGridProps, 'columns'>) {
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
