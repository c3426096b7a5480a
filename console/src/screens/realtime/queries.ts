import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** The open channels whose topic has a text in it. */
export const channelsQuery = (search: string) =>
  queryOptions({
    queryKey: ['realtime-channels', search],
    queryFn: ({ signal }) => api.realtimeChannels(search, { signal }),
    meta: live('realtime'),
    placeholderData: keepPreviousData,
  })

/** The policies of realtime.messages. */
export const policiesQuery = queryOptions({
  queryKey: ['realtime-policies'],
  queryFn: ({ signal }) => api.realtimePolicies({ signal }),
})

/** The policies that most private channels need, as SQL for one topic. */
export const policyTemplatesQuery = (topic: string) =>
  queryOptions({
    queryKey: ['realtime-policy-templates', topic],
    queryFn: ({ signal }) => api.realtimePolicyTemplates(topic, { signal }),
    placeholderData: keepPreviousData,
  })
