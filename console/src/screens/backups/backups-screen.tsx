import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { BackupDrawer } from './backup-drawer.tsx'
import { BackupsView } from './backups-view.tsx'
import { backupsQuery } from './queries.ts'

interface BackupsScreenProps {
  /** The backup that is open beside the list. */
  readonly open: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

/** Backups: the last verified one, all that there are, and how one is restored. */
export function BackupsScreen({ open, onOpen }: BackupsScreenProps) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(backupsQuery)
  const { canChange } = useRights()
  const run = useMutation({
    mutationFn: api.runBackup,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: backupsQuery.queryKey }),
  })
  const target = data?.target ?? null
  return (
    <Page
      title="Backups"
      facts={target !== null && <span className="mono">{target}</span>}
      actions={
        canChange &&
        target !== null && (
          <Button look="primary" disabled={run.isPending || data?.running !== null} onClick={() => run.mutate()}>
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
      <BackupDrawer
        id={open}
        backup={data?.backups.find(({ id }) => id === open)}
        target={target}
        onClose={() => onOpen(undefined)}
      />
    </Page>
  )
}
