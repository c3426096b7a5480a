import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { QueueMessage } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { ofOthersMs, ofQueues } from '../../lib/live/topics.ts'
import type { MessageState } from './search.ts'

/** One queue with its numbers. */
export const queueQuery = (name: string) =>
  queryOptions({
    queryKey: ['queue', name],
    queryFn: ({ signal }) => api.queue(name, { signal }),
    meta: ofQueues,
    refetchInterval: ofOthersMs,
  })

/** Messages of a queue in one state, newest first, page by page. */
export const messagesQuery = (queryClient: QueryClient, name: string, state: MessageState) =>
  growingQuery<QueueMessage, GrowingList<QueueMessage>>({
    queryClient,
    queryKey: ['queue-messages', name, state],
    page: async (before, signal) => {
      const query = { state, limit: 100, ...(before && { before }) }
      const { messages, next } = await api.queueMessages(name, query, { signal })
      return { items: messages, next }
    },
    idOf: ({ id }) => id,
    meta: ofQueues,
    refetchMs: ofOthersMs,
  })
