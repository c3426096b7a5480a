import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { GroupSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live } from '../../lib/live/topics.ts'

/** Groups of a type that fit, those seen latest first, page by page. */
export const groupsQuery = (queryClient: QueryClient, type: string, q: string | undefined) =>
  growingQuery<GroupSummary, GrowingList<GroupSummary>>({
    queryClient,
    queryKey: ['groups', type, q ?? ''],
    page: async (before, signal) => {
      const { groups, next } = await api.groups(
        type,
        { limit: 50, ...(q && { q }), ...(before && { before }) },
        { signal },
      )
      return { items: groups, next }
    },
    idOf: ({ key }) => key,
    meta: live(['events', 'console'], 5_000),
    refetchMs: false,
  })
