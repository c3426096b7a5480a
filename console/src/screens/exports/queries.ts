import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { ExportRun } from '../../lib/api/schemas.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live, ofOthersMs } from '../../lib/live/topics.ts'

/** Scheduled exports, each with its latest run. */
export const exportsQuery = queryOptions({
  queryKey: ['exports'],
  queryFn: ({ signal }) => api.exports({ signal }),
  meta: live('console'),
  // What is due begins by itself.
  refetchInterval: ofOthersMs,
})

const pageSize = 50

/** The runs of an export, newest first, page by page. */
export const exportRunsQuery = (queryClient: QueryClient, id: string) =>
  growingQuery<ExportRun, { readonly items: readonly ExportRun[]; readonly next: string | null }>({
    queryClient,
    queryKey: ['export-runs', id],
    page: async (before, signal) => {
      const { runs, next } = await api.exportRuns(id, { limit: pageSize, ...(before && { before }) }, { signal })
      return { items: runs, next }
    },
    idOf: (run) => run.id,
    meta: live('console'),
    refetchMs: ofOthersMs,
  })
