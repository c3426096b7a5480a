import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** One channel with its members and what they track. */
export const channelQuery = (topic: string, isPrivate: boolean) =>
  queryOptions({
    queryKey: ['realtime-channel', topic, isPrivate],
    queryFn: ({ signal }) => api.realtimeChannel({ topic, isPrivate }, { signal }),
    meta: live('realtime'),
  })
