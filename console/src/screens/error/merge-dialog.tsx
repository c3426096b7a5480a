import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { IssueSummary } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

interface MergeDialogProps {
  readonly issue: IssueSummary
  readonly open: boolean
  readonly onMerged: () => Promise<void>
  readonly onClose: () => void
}

const offered = 50

/** Offers the errors that were seen last, to be given to this one. */
export function MergeDialog({ issue, open, onMerged, onClose }: MergeDialogProps) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const others = useQuery({
    queryKey: ['errors-to-merge', issue.id],
    queryFn: ({ signal }) => api.errors({ limit: offered }, { signal }),
    enabled: open,
  })
  const merge = useMutation({
    mutationFn: () => api.mergeErrors(issue.id, [...chosen]),
    onSuccess: async () => {
      await onMerged()
      setChosen([])
      onClose()
    },
  })
  const problem = merge.error ?? others.error
  const offers = others.data?.issues.filter(({ id }) => id !== issue.id)
  return (
    <Dialog open={open} onClose={onClose} title="Merge errors">
      <div className="grid gap-4">
        <p>The errors you choose become part of this one, with all that comes of them later. It cannot be undone.</p>
        {offers === undefined ? (
          <SkeletonRows rows={4} />
        ) : offers.length === 0 ? (
          <p className="text-ink-2">There is no other error.</p>
        ) : (
          <ul className="max-h-72 overflow-y-auto border-line border-y">
            {offers.map(({ id, title, culprit }) => (
              <li key={id}>
                <label className="flex min-w-0 items-baseline gap-2 py-1">
                  <input
                    type="checkbox"
                    checked={chosen.includes(id)}
                    onChange={({ target }) =>
                      setChosen(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                    }
                  />
                  <span className="min-w-0 truncate">{title}</span>
                  <span className="mono min-w-0 truncate text-ink-2 text-sm">{culprit}</span>
                </label>
              </li>
            ))}
          </ul>
        )}
        {problem && (
          <p role="alert" className="text-danger">
            {errorText(problem)}
          </p>
        )}
        <Button
          look="danger"
          size="large"
          className="justify-center"
          disabled={chosen.length === 0 || merge.isPending}
          onClick={() => merge.mutate()}
        >
          Merge
        </Button>
      </div>
    </Dialog>
  )
}
