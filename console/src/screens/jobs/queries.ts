import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { Job } from '../../lib/api/schemas.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live, ofOthersMs } from '../../lib/live/topics.ts'

const pageSize = 100

/** The jobs by number, page by page. */
export const jobsQuery = (queryClient: QueryClient) =>
  growingQuery<Job, Awaited<ReturnType<typeof jobsPage>>>({
    queryClient,
    queryKey: ['jobs'],
    page: jobsPage,
    idOf: ({ jobId }) => jobId,
    meta: live('jobs'),
    refetchMs: ofOthersMs,
  })

async function jobsPage(after: string | undefined, signal: AbortSignal) {
  const { jobs, ...facts } = await api.jobs({ limit: pageSize, ...(after && { after }) }, { signal })
  return { ...facts, items: jobs }
}
