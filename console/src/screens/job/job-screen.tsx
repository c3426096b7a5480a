import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { JobDetail } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { JobView } from './job-view.tsx'
import { jobQuery, jobRunsQuery } from './queries.ts'
import { RunDrawer } from './run-drawer.tsx'

interface JobScreenProps {
  readonly detail: JobDetail
  /** The run that is open beside the list. */
  readonly runId: string | undefined
  readonly onRun: (runId: string | undefined) => void
}

/** One job: what it runs and when, its runs, and what can be done with it. */
export function JobScreen({ detail: { job, timeZone }, runId, onRun }: JobScreenProps) {
  const queryClient = useQueryClient()
  const { query, loadMore } = jobRunsQuery(queryClient, job.jobId)
  const { data: runs, error, refetch } = useQuery(query)
  return (
    <Page
      crumbs={[{ label: 'Jobs', link: { to: '/jobs' } }]}
      title={job.name ?? `Job ${job.jobId}`}
      facts={job.active ? <Dot tone="ok">active</Dot> : <Dot tone="quiet">paused</Dot>}
      actions={<Actions jobId={job.jobId} active={job.active} />}
    >
      <JobView
        job={job}
        timeZone={timeZone}
        runs={runs}
        openId={runId}
        onOpen={(run) => onRun(run.runId)}
        onEnd={() => inBackground(loadMore())}
        problem={error && !runs ? <ErrorProblem error={error} onRetry={refetch} /> : undefined}
      />
      <RunDrawer jobId={job.jobId} runId={runId} onClose={() => onRun(undefined)} />
    </Page>
  )
}

function Actions({ jobId, active }: { readonly jobId: string; readonly active: boolean }) {
  const queryClient = useQueryClient()
  const { canChange } = useRights()
  const toast = useToast()
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: jobQuery(jobId).queryKey }),
      queryClient.invalidateQueries({ queryKey: ['job-runs', jobId] }),
    ])
  const events = {
    onError: (problem: Error) => void toast.add({ title: 'The job was not changed.', description: errorText(problem) }),
    onSettled: refresh,
  }
  const run = useMutation({
    mutationFn: () => api.runJob(jobId),
    ...events,
    onSuccess: () => void toast.add({ title: 'The job runs.' }),
  })
  const setActive = useMutation({ mutationFn: () => api.changeJob(jobId, { active: !active }), ...events })
  if (!canChange) return null
  return (
    <>
      <Button disabled={setActive.isPending} onClick={() => setActive.mutate()}>
        {active ? 'Pause' : 'Activate'}
      </Button>
      <Button
        look="primary"
        disabled={!active || run.isPending}
        title={active ? undefined : 'A paused job does not run.'}
        onClick={() => run.mutate()}
      >
        Run now
      </Button>
    </>
  )
}
