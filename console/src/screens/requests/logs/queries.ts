import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { ServerLogEntry } from '../../../lib/api/schemas.ts'
import type { GrowingList } from '../../../lib/lists/growing-list.ts'
import { growingQuery } from '../../../lib/lists/growing-query.ts'
import { live } from '../../../lib/live/topics.ts'
import type { ServerLogsSearch } from './search.ts'

/** What servers logged, newest first, page by page. */
export const serverLogsQuery = (queryClient: QueryClient, filter: Omit<ServerLogsSearch, 'live'>, isLive: boolean) =>
  growingQuery<ServerLogEntry, GrowingList<ServerLogEntry>>({
    queryClient,
    queryKey: ['server-logs', filter],
    page: async (before, signal) => {
      const { logs, next } = await api.serverLogs({ ...filter, limit: 100, ...(before && { before }) }, { signal })
      return { items: logs, next }
    },
    idOf: ({ id }) => id,
    refetchMs: false,
    // What stores their records announces that requests have more to show.
    ...(isLive && { meta: live('requests') }),
  })

/** The services that logged. */
export const serverLogServicesQuery = queryOptions({
  queryKey: ['server-log-services'],
  queryFn: ({ signal }) => api.serverLogServices({ signal }),
  meta: live('requests', 10_000),
})
