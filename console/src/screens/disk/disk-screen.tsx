import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { DiskView } from './disk-view.tsx'
import { diskQuery } from './queries.ts'

/** The disk: what takes its space, when it is full, and what is deleted so that it is not. */
export function DiskScreen() {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(diskQuery)
  const { canChange } = useRights()
  const cleanUp = useMutation({
    mutationFn: api.runCleanUp,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: diskQuery.queryKey }),
  })
  const isRunning = data?.run != null && data.run.endedAt === null && data.run.error === null
  return (
    <Page
      title="Disk"
      facts={
        data !== undefined && (
          <span>
            <Bytes value={data.freeBytes} /> of <Bytes value={data.totalBytes} /> free
          </span>
        )
      }
      actions={
        canChange && (
          <Button disabled={data === undefined || cleanUp.isPending || isRunning} onClick={() => cleanUp.mutate()}>
            Clean up now
          </Button>
        )
      }
    >
      {cleanUp.error && (
        <p role="alert" className="px-4 pt-4 text-danger">
          {errorText(cleanUp.error)}
        </p>
      )}
      {error && !data ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <SkeletonRows />
      ) : (
        <DiskView disk={data} />
      )}
    </Page>
  )
}
