import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { useToast } from '../../ui/toast.tsx'
import { JobsView } from './jobs-view.tsx'
import { jobsQuery } from './queries.ts'

interface JobsScreenProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onOpen: (jobId: string) => void
}

/** Every scheduled job. */
export function JobsScreen({ text, onText, onOpen }: JobsScreenProps) {
  const queryClient = useQueryClient()
  const { query, loadMore } = jobsQuery(queryClient)
  const { data: page, error, refetch } = useQuery(query)
  const { canChange } = useRights()
  const toast = useToast()
  const setActive = useMutation({
    mutationFn: ({ jobId, active }: { readonly jobId: string; readonly active: boolean }) =>
      api.changeJob(jobId, { active }),
    onError: (problem) => void toast.add({ title: 'The job was not changed.', description: errorText(problem) }),
    onSettled: () => refetch(),
  })
  return (
    <Page title="Jobs" facts={page?.installed && <span>Times of schedules are {page.timeZone}</span>}>
      {error && !page ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <JobsView
          page={page}
          text={text}
          canChange={canChange}
          onText={onText}
          onOpen={({ jobId }) => onOpen(jobId)}
          onActive={({ jobId }, active) => setActive.mutate({ jobId, active })}
          onEnd={() => inBackground(loadMore())}
        />
      )}
    </Page>
  )
}
