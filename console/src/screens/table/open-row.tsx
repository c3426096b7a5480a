import { useMutation, useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Row, Table, Values } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { historyQuery } from '../../thread/queries.ts'
import { useToast } from '../../ui/toast.tsx'
import { rowQuery } from './queries.ts'
import { RelatedRows } from './related-rows.tsx'
import { type MaskedValues, type RowActions, RowDrawer, type RowTab } from './row-drawer.tsx'

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
  const masked = useMasked(table, rowKey)
  const values = row.data === undefined ? known : (row.data ?? undefined)
  const opened = rowKey && values && { key: rowKey, values }
  return (
    <RowDrawer
      table={table}
      rowKey={rowKey}
      values={values}
      actions={actions && opened && boundTo(actions, opened)}
      masked={masked}
      buckets={buckets}
      isGone={row.data === null}
      history={history.data}
      problem={
        history.error && !history.data ? <ErrorProblem error={history.error} onRetry={history.refetch} /> : undefined
      }
      related={opened && <RelatedRows table={table} rowKey={opened.key} values={opened.values} />}
      tab={tab}
      onTab={onTab}
      onClose={onClose}
    />
  )
}

/** The masked values of the open row, once an owner has them shown; of another row they are asked for anew. */
function useMasked({ schema, name }: Table, rowKey: Values | undefined): MaskedValues {
  const { canProtect } = useRights()
  const toast = useToast()
  const reveal = useMutation({
    mutationFn: (key: Values) => api.revealRows(schema, name, [key]),
    onError: (problem) => void toast.add({ title: 'The values were not shown.', description: errorText(problem) }),
  })
  const isOfRow = reveal.data !== undefined && JSON.stringify(reveal.variables) === JSON.stringify(rowKey)
  return {
    values: isOfRow ? reveal.data.rows[0]?.values : undefined,
    onReveal: canProtect && rowKey && Object.keys(rowKey).length > 0 ? () => reveal.mutate(rowKey) : undefined,
  }
}

/** The actions on one row. */
function boundTo({ onEdit, onDuplicate, onDelete }: RowActions<Row>, row: Row): RowActions<void> {
  return {
    onEdit: onEdit && (() => onEdit(row)),
    onDuplicate: onDuplicate && (() => onDuplicate(row)),
    onDelete: onDelete && (() => onDelete(row)),
  }
}
