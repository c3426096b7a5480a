import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { PersonSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live } from '../../lib/live/topics.ts'
import type { PeopleFilter } from './search.ts'

/** People who fit, those seen latest first, page by page. */
export const peopleQuery = (queryClient: QueryClient, filter: PeopleFilter) =>
  growingQuery<PersonSummary, GrowingList<PersonSummary>>({
    queryClient,
    queryKey: ['people', filter],
    page: async (before, signal) => {
      const { people, next } = await api.people({ ...filter, limit: 50, ...(before && { before }) }, { signal })
      return { items: people, next }
    },
    idOf: ({ id }) => id,
    meta: live(['sessions', 'console'], 5_000),
    refetchMs: false,
  })
