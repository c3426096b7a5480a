import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { UserSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import type { UsersFilter } from './search.ts'

const dayMs = 86_400_000

const since = (days: string): string => new Date(Date.now() - Number(days) * dayMs).toISOString()

/** Users who fit, the latest first, page by page. */
export const usersQuery = (queryClient: QueryClient, filter: UsersFilter) =>
  growingQuery<UserSummary, GrowingList<UserSummary>>({
    queryClient,
    queryKey: ['users', filter],
    page: async (after, signal) => {
      const { q, days, created, ...rest } = filter
      const query = {
        ...rest,
        text: q ?? '',
        limit: 100,
        ...(days && { signedInSince: since(days) }),
        ...(created && { createdSince: since(created) }),
        ...(after && { after }),
      }
      const { users, next } = await api.users(query, { signal })
      return { items: users, next }
    },
    idOf: ({ id }) => id,
    refetchMs: false,
  })
