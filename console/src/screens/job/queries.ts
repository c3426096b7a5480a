import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { JobRun } from '../../lib/api/schemas.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'

const pageSize = 100

/** One job with its next and its last run. */
export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => api.job(jobId, { signal }),
    refetchInterval: 5_000,
  })

/** The runs of a job, newest first, page by page. */
export const jobRunsQuery = (queryClient: QueryClient, jobId: string) =>
  growingQuery<JobRun, { readonly items: readonly JobRun[]; readonly next: string | null }>({
    queryClient,
    queryKey: ['job-runs', jobId],
    page: async (before, signal) => {
      const { runs, next } = await api.jobRuns(jobId, { limit: pageSize, ...(before && { before }) }, { signal })
      return { items: runs, next }
    },
    idOf: ({ runId }) => runId,
    refetchMs: 3_000,
  })

/** One run with its command. One that has not ended is asked for again. */
export const jobRunQuery = (jobId: string, runId: string) =>
  queryOptions({
    queryKey: ['job-run', jobId, runId],
    queryFn: ({ signal }) => api.jobRun(jobId, runId, { signal }),
    refetchInterval: ({ state }) => (state.data?.run.status === 'running' ? 1_500 : false),
  })
