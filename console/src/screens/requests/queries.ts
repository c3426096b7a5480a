import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { RequestSummary } from '../../lib/api/schemas.ts'
import { type GrowingList, growAtHead, growAtTail } from '../../lib/lists/growing-list.ts'
import { live } from '../../lib/live/topics.ts'
import { askedOf, type RequestFilter } from './search.ts'

const pageSize = 100
const idOf = (request: RequestSummary) => request.id
const keyOf = (filter: RequestFilter) => ['requests', filter] as const

async function page(filter: RequestFilter, before: string | undefined, signal?: AbortSignal) {
  const { requests, next } = await api.requests(
    { ...askedOf(filter, new Date()), limit: pageSize, ...(before && { before }) },
    { signal },
  )
  return { items: requests, next } satisfies GrowingList<RequestSummary>
}

/** The requests that fit, newest first; each look brings the newest page into what was loaded before. */
export const requestsQuery = (queryClient: QueryClient, filter: RequestFilter, isLive: boolean) =>
  queryOptions({
    queryKey: keyOf(filter),
    queryFn: async ({ signal }) => {
      const head = await page(filter, undefined, signal)
      return growAtHead(queryClient.getQueryData<GrowingList<RequestSummary>>(keyOf(filter)), head, idOf)
    },
    ...(isLive && { meta: live('requests') }),
    refetchOnWindowFocus: isLive,
    placeholderData: keepPreviousData,
  })

/** Their numbers over the time, less often than the list: it counts all of them. */
export const requestSeriesQuery = (filter: RequestFilter, isLive: boolean) =>
  queryOptions({
    queryKey: ['request-series', filter],
    queryFn: ({ signal }) => api.requestSeries(askedOf(filter, new Date()), { signal }),
    ...(isLive && { meta: live('requests', 3_000) }),
    refetchOnWindowFocus: isLive,
    placeholderData: keepPreviousData,
  })

/** Loads the next older page; a second call while one is in flight joins it. */
export async function loadOlderRequests(queryClient: QueryClient, filter: RequestFilter): Promise<void> {
  const before = queryClient.getQueryData<GrowingList<RequestSummary>>(keyOf(filter))?.next
  if (!before) return
  const older = await queryClient.fetchQuery({
    queryKey: ['older-requests', filter, before],
    queryFn: ({ signal }) => page(filter, before, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  queryClient.setQueryData<GrowingList<RequestSummary>>(keyOf(filter), (list) =>
    list?.next === before ? growAtTail(list, older, idOf) : list,
  )
}
