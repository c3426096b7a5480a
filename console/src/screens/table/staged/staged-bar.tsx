import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorText } from '../../../lib/api/api-error.ts'
import type { RowChange } from '../../../lib/api/schemas.ts'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { previewQuery } from '../queries.ts'
import type { StagedState } from './use-staged.ts'

interface StagedBarProps {
  readonly state: Pick<StagedState, 'staged' | 'isSaving' | 'problem' | 'error' | 'save' | 'discard'>
  readonly changes: RowChange[]
}

/** What is changed and not saved: how much, as which SQL, and what PostgreSQL said of it. */
export function StagedBar({ state, changes }: StagedBarProps) {
  const { staged, isSaving, problem, error, save, discard } = state
  const [isReviewed, setReviewed] = useState(false)
  useSaveKey(staged.length > 0 && !isSaving ? save : undefined)
  if (staged.length === 0) return null
  const count = staged.length
  return (
    <section
      aria-label="Unsaved changes"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-t bg-surface px-4 py-1.5"
    >
      <span aria-live="polite" className="font-medium">
        {count} {count === 1 ? 'change' : 'changes'}
      </span>
      {(problem || error) && (
        <p role="alert" className="min-w-0 flex-1 text-danger max-sheet:order-last max-sheet:basis-full">
          {problem ? `${problem.message}${problem.detail ? ` ${problem.detail}` : ''}` : error && errorText(error)}
        </p>
      )}
      <span className="ml-auto flex gap-1.5">
        <Button look="bare" onClick={discard} disabled={isSaving}>
          Discard
        </Button>
        <Button onClick={() => setReviewed(true)}>Review SQL</Button>
        <Button look="primary" onClick={save} disabled={isSaving}>
          {isSaving ? 'Saving…' : 'Save'}
        </Button>
      </span>
      <Dialog open={isReviewed} onClose={() => setReviewed(false)} title="What will run">
        <Review changes={changes} />
      </Dialog>
    </section>
  )
}

/** `⌘S` or `Ctrl S` saves. */
function useSaveKey(save: (() => void) | undefined): void {
  useEffect(() => {
    if (save === undefined) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      save()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [save])
}

function Review({ changes }: { readonly changes: RowChange[] }) {
  const { data, error } = useQuery(previewQuery(changes))
  if (error) return <p className="text-danger">{errorText(error)}</p>
  if (!data) return <SkeletonRows rows={3} />
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">
        In one transaction, as the application’s owner: all of it or nothing. Before, each row is locked and compared
        with what you saw.
      </p>
      <Code text={data.join('\n\n')} language="sql" copyLabel="Copy the SQL" />
    </div>
  )
}
