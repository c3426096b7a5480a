import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { Secret } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'

/** The secrets by name, without their values, page by page. */
export const secretsQuery = (queryClient: QueryClient) =>
  growingQuery<Secret, GrowingList<Secret> & { readonly installed: boolean }>({
    queryClient,
    queryKey: ['vault'],
    page: async (after, signal) => {
      const { secrets, ...facts } = await api.secrets({ limit: 100, ...(after && { after }) }, { signal })
      return { ...facts, items: secrets }
    },
    idOf: ({ id }) => id,
    refetchMs: false,
  })
