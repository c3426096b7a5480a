import type { Table } from '../../../lib/api/schemas.ts'
import { Value } from '../../../thread/change-lines.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { readableValue } from '../column-types.ts'
import { keyText } from '../row-key.ts'
import { findStaged, isDefault, type StagedRow } from './staged.ts'
import type { StagedState } from './use-staged.ts'

interface ConflictDialogProps {
  readonly table: Table
  readonly state: Pick<StagedState, 'staged' | 'conflicts' | 'overwrite' | 'drop' | 'closeConflicts'>
}

/** Rows that were changed by others since they were read: each is overwritten or left as it is now. */
export function ConflictDialog({ table, state }: ConflictDialogProps) {
  const { staged, conflicts, overwrite, drop, closeConflicts } = state
  const count = conflicts.length
  return (
    <Dialog
      open={count > 0}
      onClose={closeConflicts}
      title={count === 1 ? 'A row was changed meanwhile' : `${count} rows were changed meanwhile`}
    >
      <p className="pb-3 text-ink-2">Nothing was saved. Decide for each row, then save again.</p>
      <ul className="grid gap-4">
        {conflicts.map(({ id, conflict }) => {
          const change = findStaged(staged, id)
          if (change === undefined || change.kind === 'insert') return null
          return (
            <li key={id} className="grid gap-2 border-line border-t pt-3">
              <h3 className="mono font-medium">
                {table.name} #{keyText(change.row.key)}
              </h3>
              {conflict.current === null ? (
                <p>It was deleted.</p>
              ) : (
                <Differences table={table} change={change} columns={conflict.columns} current={conflict.current} />
              )}
              <div className="flex gap-1.5">
                {conflict.current !== null && (
                  <Button onClick={() => overwrite(id)}>
                    {change.kind === 'delete' ? 'Delete it all the same' : 'Overwrite with mine'}
                  </Button>
                )}
                <Button onClick={() => drop(id)}>Leave it as it is now</Button>
              </div>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

interface DifferencesProps {
  readonly table: Table
  readonly change: Exclude<StagedRow, { kind: 'insert' }>
  readonly columns: readonly string[]
  readonly current: Readonly<Record<string, string | null>>
}

function Differences({ table, change, columns, current }: DifferencesProps) {
  const typeOf = (name: string) => table.columns.find((column) => column.name === name)?.type ?? 'text'
  return (
    <table className="w-full text-left">
      <thead className="text-ink-2 text-sm">
        <tr>
          <th className="pr-3 font-medium">Column</th>
          <th className="pr-3 font-medium">You saw</th>
          <th className="pr-3 font-medium">Now</th>
          {change.kind === 'update' && <th className="font-medium">Yours</th>}
        </tr>
      </thead>
      <tbody className="mono align-top">
        {columns.map((name) => {
          const own = change.kind === 'update' ? change.values[name] : undefined
          return (
            <tr key={name}>
              <th scope="row" className="pr-3 font-normal">
                {name}
              </th>
              <td className="wrap-anywhere pr-3 text-ink-2">
                <Value value={readableValue(typeOf(name), change.row.values[name])} />
              </td>
              <td className="wrap-anywhere pr-3">
                <Value value={readableValue(typeOf(name), current[name])} />
              </td>
              {change.kind === 'update' && (
                <td className="wrap-anywhere">
                  {isDefault(own) ? 'default' : <Value value={readableValue(typeOf(name), own)} />}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
