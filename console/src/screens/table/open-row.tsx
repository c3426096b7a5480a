import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { Row, Table, Values } from '../../lib/api/schemas.ts'
import { historyQuery } from '../../thread/queries.ts'
import { rowQuery } from './queries.ts'
import { type RowActions, RowDrawer, type RowTab } from './row-drawer.tsx'

interface OpenRowProps {
  readonly table: Table
  /** Nothing is open without it. */
  readonly rowKey: Values | undefined
  readonly tab: RowTab
  /** The row's values, where the grid has them. */
  readonly known: Values | undefined
  readonly buckets: ReadonlySet<string>
  /** Absent where the operator may change nothing. */
  readonly actions: RowActions<Row> | undefined
  readonly onTab: (tab: RowTab) => void
  readonly onClose: () => void
}

/** The open row: its values from the grid, or asked for when a link led straight to it. */
export function OpenRow({ table, rowKey, tab, known, buckets, actions, onTab, onClose }: OpenRowProps) {
  const row = useQuery({ ...rowQuery(table.schema, table.name, rowKey ?? {}), enabled: rowKey !== undefined })
  const history = useQuery({
    ...historyQuery(table.schema, table.name, rowKey ?? {}),
    enabled: rowKey !== undefined && table.history,
  })
  const values = row.data === undefined ? known : (row.data ?? undefined)
  const opened = rowKey && values && { key: rowKey, values }
  return (
    <RowDrawer
      table={table}
      rowKey={rowKey}
      values={values}
      actions={actions && opened && boundTo(actions, opened)}
      buckets={buckets}
      isGone={row.data === null}
      history={history.data}
      problem={
        history.error && !history.data ? <ErrorProblem error={history.error} onRetry={history.refetch} /> : undefined
      }
      tab={tab}
      onTab={onTab}
      onClose={onClose}
    />
  )
}

/** The actions on one row. */
function boundTo({ onEdit, onDuplicate, onDelete }: RowActions<Row>, row: Row): RowActions<void> {
  return {
    onEdit: onEdit && (() => onEdit(row)),
    onDuplicate: onDuplicate && (() => onDuplicate(row)),
    onDelete: onDelete && (() => onDelete(row)),
  }
}
