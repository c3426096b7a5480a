import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { tablesQuery } from '../../lib/api/queries.ts'
import type { Change, RowChange, SaveOutcome } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { undoQuery } from '../queries.ts'
import { isOfService, mostChanges, tableOf, tablesOf } from './past.ts'
import { freeOf, UndoPreviewView } from './undo-preview.tsx'
import { readRowsAgain, useSavedToast } from './use-undo.ts'

interface UndoQuestionProps {
  /** In the order in which they were made. */
  readonly changes: readonly Change[]
  /** The changes with what came after them of the row, which may be taken back along. */
  readonly withLater?: readonly Change[] | undefined
  readonly onClose: () => void
}

/** Asks what of the changes is taken back, shows how that would be, and does it. */
export function UndoQuestion({ changes, withLater, onClose }: UndoQuestionProps) {
  const [isLater, setLater] = useState(false)
  const wanted = isLater && withLater ? withLater : changes
  const tables = tablesOf(wanted)
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(tables.size > 1 ? [...tables.keys()].filter(isOfService) : []),
  )
  const chosen = wanted.filter((change) => !left.has(tableOf(change)))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {withLater && withLater.length > changes.length && (
        <LaterChoice later={withLater.length - changes.length} on={isLater} onToggle={setLater} />
      )}
      {tables.size > 1 && (
        <TableChoice
          tables={tables}
          left={left}
          onToggle={(table) =>
            setLeft(new Set(left.has(table) ? [...left].filter((one) => one !== table) : [...left, table]))
          }
        />
      )}
      {chosen.some((change) => isOfService(tableOf(change))) && (
        <p className="text-warn">
          A service keeps these rows: people may be signed out, and files stay in their folders without their rows.
        </p>
      )}
      {chosen.length === 0 ? (
        <p className="text-ink-2">No table is chosen.</p>
      ) : chosen.length > mostChanges ? (
        <p className="text-danger">
          These are {chosen.length.toLocaleString('en-GB')} changes; {mostChanges.toLocaleString('en-GB')} can be undone
          together. {tables.size > 1 && 'Choose fewer tables.'}
        </p>
      ) : (
        <Preview changes={chosen} onClose={onClose} />
      )}
    </div>
  )
}

interface LaterChoiceProps {
  readonly later: number
  readonly on: boolean
  readonly onToggle: (on: boolean) => void
}

function LaterChoice({ later, on, onToggle }: LaterChoiceProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="sr-only">What is undone</legend>
      <label className="flex items-center gap-2">
        <input type="radio" name="later" className="accent-ink-2" checked={!on} onChange={() => onToggle(false)} />
        This change alone
      </label>
      <label className="flex items-center gap-2">
        <input type="radio" name="later" className="accent-ink-2" checked={on} onChange={() => onToggle(true)} />
        This one and the {later === 1 ? 'later one' : `${later} later ones`}: the row as it was before
      </label>
    </fieldset>
  )
}

interface TableChoiceProps {
  readonly tables: ReadonlyMap<string, number>
  readonly left: ReadonlySet<string>
  readonly onToggle: (table: string) => void
}

function TableChoice({ tables, left, onToggle }: TableChoiceProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-1 font-semibold">Tables</legend>
      {[...tables].map(([table, count]) => (
        <label key={table} className="flex items-center gap-2">
          <input type="checkbox" className="accent-ink-2" checked={!left.has(table)} onChange={() => onToggle(table)} />
          <span className="mono">{table}</span>
          <span className="tabular text-ink-2">{count}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface PreviewProps {
  readonly changes: readonly Change[]
  readonly onClose: () => void
}

function Preview({ changes, onClose }: PreviewProps) {
  const { data: preview, error, refetch } = useQuery(undoQuery(changes))
  const { data: tables = [] } = useQuery(tablesQuery)
  const undo = useUndoing(onClose, () => void refetch())
  if (error) return <ErrorProblem error={error} onRetry={refetch} />
  if (!preview) return <SkeletonRows rows={4} />
  const free = freeOf(preview)
  const isNothing = preview.changes.length === 0 && preview.problems.length === 0
  return (
    <>
      {isNothing ? (
        <p>There is nothing to undo: the rows are as they were before.</p>
      ) : (
        <UndoPreviewView preview={preview} tables={tables} />
      )}
      {undo.note && (
        <p role="alert" className="text-danger">
          {undo.note}
        </p>
      )}
      <div className="sticky -bottom-4 -mx-4 -mb-4 flex justify-end gap-1.5 border-line border-t bg-surface px-4 py-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={free.length === 0 || preview.refusal !== null || undo.isPending}
          onClick={() => undo.run(free)}
        >
          {undo.isPending ? 'Undoing…' : `Undo ${free.length === 1 ? 'one row' : `${free.length} rows`}`}
        </Button>
      </div>
    </>
  )
}

/** @param onChanged called where a row changed after the preview was made, and nothing was undone */
function useUndoing(onDone: () => void, onChanged: () => void) {
  const queryClient = useQueryClient()
  const say = useSavedToast()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (changes: RowChange[]) => api.saveRowChanges({ changes, isUndo: true }),
    onSuccess: (outcome) => {
      if (outcome.kind !== 'saved') return onChanged()
      const count = outcome.changes.length
      say(count === 1 ? 'One row undone.' : `${count} rows undone.`, outcome.changes)
      onDone()
      return readRowsAgain(queryClient)
    },
  })
  return { run: mutate, isPending, note: error ? errorText(error) : data && noteOf(data) }
}

function noteOf(outcome: SaveOutcome): string | undefined {
  switch (outcome.kind) {
    case 'saved':
      return undefined
    case 'conflict':
      return 'Nothing was undone: a row was changed meanwhile. This is how it stands now.'
    case 'refused':
      return `Nothing was undone. PostgreSQL: ${outcome.refusal.message}`
    default:
      return outcome satisfies never
  }
}
