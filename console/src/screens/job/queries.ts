import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { JobRun } from '../../lib/api/schemas.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live, ofOthersMs } from '../../lib/live/topics.ts'

const pageSize = 100

/** One job with its next and its last run. */
export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => api.job(jobId, { signal }),
    meta: live('jobs'),
    refetchInterval: ofOthersMs,
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
    meta: live('jobs'),
    refetchMs: ofOthersMs,
  })

/** One run with its command. One that has not ended is asked for again. */
export const jobRunQuery = (jobId: string, runId: string) =>
  queryOptions({
    queryKey: ['job-run', jobId, runId],
    queryFn: ({ signal }) => api.jobRun(jobId, runId, { signal }),
    meta: live('jobs'),
    refetchInterval: ({ state }) => (state.data?.run.status === 'running' ? ofOthersMs : false),
  })
