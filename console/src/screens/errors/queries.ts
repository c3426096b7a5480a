import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { IssueSummary } from '../../lib/api/schemas.ts'
import { live } from '../../lib/live/topics.ts'
import type { ErrorsFilter } from './search.ts'

/** The issues that fit, with how many there are of each state. */
export interface ErrorList {
  readonly items: readonly IssueSummary[]
  readonly next: string | null
  readonly counts: Readonly<Record<IssueSummary['state'], number>>
  readonly releases: readonly string[]
}

const pageSize = 50
const keyOf = (filter: ErrorsFilter) => ['errors', filter] as const

async function page(
  { state = 'open', ...filter }: ErrorsFilter,
  before: string | undefined,
  signal: AbortSignal,
  limit = pageSize,
): Promise<ErrorList> {
  const query = { ...filter, ...(state === 'all' ? {} : { state }), ...(before && { before }), limit }
  const { issues, ...list } = await api.errors(query, { signal })
  return { items: issues, ...list }
}

const mostAtOnce = 200

/** The issues that fit, in their order; what was loaded is asked for again as exceptions come. */
export const errorsQuery = (queryClient: QueryClient, filter: ErrorsFilter) =>
  queryOptions({
    queryKey: keyOf(filter),
    queryFn: ({ signal }) => {
      const loaded = queryClient.getQueryData<ErrorList>(keyOf(filter))?.items.length ?? 0
      return page(filter, undefined, signal, Math.min(Math.max(loaded, pageSize), mostAtOnce))
    },
    meta: live('errors', 3_000),
    placeholderData: keepPreviousData,
  })

/** Loads the next page; a second call while one is in flight joins it. */
export async function loadMoreErrors(queryClient: QueryClient, filter: ErrorsFilter): Promise<void> {
  const before = queryClient.getQueryData<ErrorList>(keyOf(filter))?.next
  if (!before) return
  const more = await queryClient.fetchQuery({
    queryKey: ['more-errors', filter, before],
    queryFn: ({ signal }) => page(filter, before, signal),
    staleTime: 10_000,
  })
  queryClient.setQueryData<ErrorList>(keyOf(filter), (list) => {
    if (list?.next !== before) return list
    const known = new Set(list.items.map(({ id }) => id))
    return { ...more, items: [...list.items, ...more.items.filter(({ id }) => !known.has(id))] }
  })
}

export const errorRulesQuery = queryOptions({
  queryKey: ['error-rules'],
  queryFn: ({ signal }) => api.errorRules({ signal }),
})
