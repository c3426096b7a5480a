import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { BackupDrawer } from './backup-drawer.tsx'
import { BackupsView } from './backups-view.tsx'
import { backupsQuery } from './queries.ts'

interface BackupsScreenProps {
  /** The backup that is open beside the list. */
  readonly open: string | undefined
  readonly onOpen: (id: string | undefined) => void
  /** Whether it is asked if a backup is to be made now. */
  readonly isCreating: boolean
  readonly onCreated: () => void
}

/** Backups: the last verified one, all that there are, and how one is restored. */
export function BackupsScreen({ open, onOpen, isCreating, onCreated }: BackupsScreenProps) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(backupsQuery)
  const { canChange } = useRights()
  const run = useMutation({
    mutationFn: api.runBackup,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: backupsQuery.queryKey }),
  })
  const target = data?.target ?? null
  const isBusy = run.isPending || data?.running !== null
  return (
    <Page
      title="Backups"
      facts={target !== null && <span className="mono">{target}</span>}
      actions={
        canChange &&
        target !== null && (
          <Button look="primary" disabled={isBusy} onClick={() => run.mutate()}>
            Back up now
          </Button>
        )
      }
    >
      {run.error && (
        <p role="alert" className="px-4 pt-4 text-danger">
          {errorText(run.error)}
        </p>
      )}
      {error && !data ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <SkeletonRows />
      ) : (
        <BackupsView answer={data} openId={open} onOpen={({ id }) => onOpen(id)} />
      )}
      {isCreating && canChange && target !== null && (
        <CreateDialog
          target={target}
          isBusy={isBusy}
          onCreate={() => run.mutate(undefined, { onSettled: onCreated })}
          onClose={onCreated}
        />
      )}
      <BackupDrawer
        id={open}
        backup={data?.backups.find(({ id }) => id === open)}
        target={target}
        onClose={() => onOpen(undefined)}
      />
    </Page>
  )
}

interface CreateDialogProps {
  readonly target: string
  /** One is being made, opened or removed. */
  readonly isBusy: boolean
  readonly onCreate: () => void
  readonly onClose: () => void
}

/** Asks before a backup is made out of turn. */
function CreateDialog({ target, isBusy, onCreate, onClose }: CreateDialogProps) {
  return (
    <Dialog open onClose={onClose} title="Create a backup">
      <div className="grid gap-4">
        <p>
          Rows, events, recordings and files are written to <span className="mono wrap-anywhere">{target}</span>. The
          backup counts once a copy of it was opened and read.
        </p>
        {isBusy && <p className="text-ink-2">One is under way: the next can begin when it is done.</p>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={isBusy} onClick={onCreate}>
            Create the backup
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
