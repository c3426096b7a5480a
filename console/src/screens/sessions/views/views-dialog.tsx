import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ErrorProblem } from '../../../frame/failure.tsx'
import { errorText } from '../../../lib/api/api-error.ts'
import type { SessionView } from '../../../lib/api/schemas.ts'
import { sessionViewsApi } from '../../../lib/api/session-views.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { type SessionFilter, sessionViewsQuery } from '../queries.ts'
import { readSessionsSearch } from '../search.ts'
import { ViewDialog } from './view-dialog.tsx'

interface ViewsDialogProps {
  readonly open: boolean
  readonly filter: SessionFilter
  readonly onFilter: (filter: SessionFilter) => void
  readonly onClose: () => void
}

/** All views: opens, changes and deletes them. */
export function ViewsDialog({ open, filter, onFilter, onClose }: ViewsDialogProps) {
  const { data: views, error, refetch } = useQuery({ ...sessionViewsQuery, enabled: open })
  const [changed, setChanged] = useState<SessionView>()
  return (
    <>
      <Dialog open={open && changed === undefined} onClose={onClose} title="Views of the sessions">
        {error && !views ? (
          <ErrorProblem error={error} onRetry={refetch} />
        ) : views === undefined ? (
          <SkeletonRows rows={4} />
        ) : views.length === 0 ? (
          <p className="text-ink-2">No views yet. Narrow the list or put it in order, and save that under a name.</p>
        ) : (
          <ul className="grid gap-1">
            {views.map((view) => (
              <ViewLine
                key={view.id}
                view={view}
                onOpen={() => {
                  onFilter(readSessionsSearch(view.search))
                  onClose()
                }}
                onChange={() => setChanged(view)}
              />
            ))}
          </ul>
        )}
      </Dialog>
      <ViewDialog
        key={changed?.id}
        open={changed !== undefined}
        view={changed}
        filter={filter}
        onClose={() => setChanged(undefined)}
      />
    </>
  )
}

interface ViewLineProps {
  readonly view: SessionView
  readonly onOpen: () => void
  readonly onChange: () => void
}

function ViewLine({ view, onOpen, onChange }: ViewLineProps) {
  const queryClient = useQueryClient()
  const [isLeaving, setLeaving] = useState(false)
  const remove = useMutation({
    mutationFn: () => sessionViewsApi.removeSessionView(view.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionViewsQuery.queryKey }),
  })
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1">
        <button type="button" className="block max-w-full truncate font-medium hover:underline" onClick={onOpen}>
          {view.name}
        </button>
        <p className="truncate text-ink-2 text-sm">{view.isShared ? `of the team, by ${view.createdBy}` : 'yours'}</p>
      </div>
      {isLeaving ? (
        <>
          <span className="text-ink-2">{view.isShared ? 'Delete it for the team?' : 'Delete it?'}</span>
          <Button size="small" look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Delete
          </Button>
          <Button size="small" onClick={() => setLeaving(false)}>
            Keep
          </Button>
        </>
      ) : (
        view.isMine && (
          <>
            <Button look="bare" size="icon" aria-label={`Change ${view.name}`} onClick={onChange}>
              <Pencil aria-hidden="true" className="size-3.5" />
            </Button>
            <Button look="bare" size="icon" aria-label={`Delete ${view.name}`} onClick={() => setLeaving(true)}>
              <Trash2 aria-hidden="true" className="size-3.5" />
            </Button>
          </>
        )
      )}
      {remove.error && (
        <p role="alert" className="w-full text-danger text-sm">
          {errorText(remove.error)}
        </p>
      )}
    </li>
  )
}
