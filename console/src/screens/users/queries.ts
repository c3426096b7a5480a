import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { UserSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import type { UsersFilter } from './search.ts'

const dayMs = 86_400_000

/** Users who fit, newest first, page by page. */
export const usersQuery = (queryClient: QueryClient, filter: UsersFilter) =>
  growingQuery<UserSummary, GrowingList<UserSummary>>({
    queryClient,
    queryKey: ['users', filter],
    page: async (after, signal) => {
      const { q, days, ...rest } = filter
      const since = days && new Date(Date.now() - Number(days) * dayMs).toISOString()
      const query = {
        ...rest,
        text: q ?? '',
        limit: 100,
        ...(since && { signedInSince: since }),
        ...(after && { after }),
      }
      const { users, next } = await api.users(query, { signal })
      return { items: users, next }
    },
    idOf: ({ id }) => id,
    refetchMs: false,
  })
