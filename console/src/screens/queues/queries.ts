import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { Queue } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { ofOthersMs, ofQueues } from '../../lib/live/topics.ts'

/** The queues by name, page by page. */
export const queuesQuery = (queryClient: QueryClient) =>
  growingQuery<Queue, GrowingList<Queue> & { readonly installed: boolean }>({
    queryClient,
    queryKey: ['queues'],
    page: async (after, signal) => {
      const { queues, ...facts } = await api.queues({ limit: 100, ...(after && { after }) }, { signal })
      return { ...facts, items: queues }
    },
    idOf: ({ name }) => name,
    meta: ofQueues,
    refetchMs: ofOthersMs,
  })
