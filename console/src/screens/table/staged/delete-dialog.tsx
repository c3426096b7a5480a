import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../../lib/api/api-error.ts'
import type { Dependents, Row, Table } from '../../../lib/api/schemas.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { dependentsQuery } from '../queries.ts'

interface DeleteDialogProps {
  readonly table: Table
  /** Nothing is asked without any. */
  readonly rows: readonly Row[]
  readonly onClose: () => void
  readonly onDelete: () => void
}

/** Before rows are marked as deleted: what goes along, what loses its reference, what forbids it. */
export function DeleteDialog({ table, rows, onClose, onDelete }: DeleteDialogProps) {
  const what = rows.length === 1 ? `a row of ${table.name}` : `${rows.length} rows of ${table.name}`
  return (
    <Dialog open={rows.length > 0} onClose={onClose} title={`Delete ${what}?`}>
      <div className="grid gap-3">
        <Met table={table} rows={rows} />
        <p className="text-ink-2">The deletion is staged first: nothing is changed until you save.</p>
        <div className="flex justify-end gap-1.5">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" onClick={onDelete}>
            Stage the deletion
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Met({ table, rows }: Pick<DeleteDialogProps, 'table' | 'rows'>) {
  const keys = rows.map(({ key }) => key)
  const { data, error } = useQuery({ ...dependentsQuery(table.schema, table.name, keys), enabled: rows.length > 0 })
  if (error) return <p className="text-danger">What goes along could not be counted. {errorText(error)}</p>
  if (!data) return <SkeletonRows rows={2} />
  if (data.dependents.length === 0) return <p>No other row refers to {rows.length === 1 ? 'it' : 'them'}.</p>
  return (
    <ul className="grid gap-1">
      {data.dependents.map((one) => (
        <li key={`${one.via.join()} ${one.schema}.${one.table} ${one.constraint}`}>
          <Dependent dependent={one} />
        </li>
      ))}
      {!data.isWhole && (
        <li className="text-ink-2">There are longer chains of foreign keys, which are not followed.</li>
      )}
    </ul>
  )
}

const effects = {
  cascade: 'deleted along',
  'set null': 'lose their reference (set null)',
  'set default': 'get their default reference',
  restrict: 'forbid it',
  'no action': 'forbid it',
}

function Dependent({ dependent }: { readonly dependent: Dependents['dependents'][number] }) {
  const { table, action, via, rows } = dependent
  const forbids = action === 'restrict' || action === 'no action'
  return (
    <>
      <strong className={forbids ? 'text-danger' : undefined}>
        {rows > 10_000 ? 'more than 10,000' : rows.toLocaleString('en-GB')} {rows === 1 ? 'row' : 'rows'} of{' '}
        <span className="mono">{table}</span>
      </strong>{' '}
      {effects[action]}
      {via.length > 0 && <span className="text-ink-2"> by way of {via.join(', ')}</span>}
    </>
  )
}
