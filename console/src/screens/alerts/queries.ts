import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

const pollMs = 30_000

/** What is watched, how it is, and what the team was told. */
export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => api.alerts({ signal }),
  // Values change without a notice; that an alert begins or ends is announced.
  refetchInterval: pollMs,
  meta: live('console'),
})
