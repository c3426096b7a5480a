import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { OperatorAction } from '../../lib/api/schemas.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live } from '../../lib/live/topics.ts'
import type { AuditSearch } from './search.ts'

const pageSize = 100

/** What narrows the log. */
export type AuditFilter = Omit<AuditSearch, 'open'>

/** What operators did and looked at, newest first, page by page. */
export const actionsQuery = (queryClient: QueryClient, filter: AuditFilter) =>
  growingQuery<OperatorAction, { readonly items: readonly OperatorAction[]; readonly next: string | null }>({
    queryClient,
    queryKey: ['actions', filter],
    page: async (before, signal) => {
      const { actions, next } = await api.actions({ ...filter, limit: pageSize, ...(before && { before }) }, { signal })
      return { items: actions, next }
    },
    idOf: ({ id }) => id,
    meta: live('console'),
    refetchMs: false,
  })

/** The operators and the actions that the log knows. */
export const actionNamesQuery = queryOptions({
  queryKey: ['action-names'],
  queryFn: ({ signal }) => api.actionNames({ signal }),
})
