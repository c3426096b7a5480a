import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** Parts of a day that a sparkline shows. */
const sparklineParts = 48

/** What each function was called in the last day. */
export const functionCallsQuery = queryOptions({
  queryKey: ['function-calls'],
  queryFn: ({ signal }) => api.functionCalls({ hours: 24, parts: sparklineParts }, { signal }),
  meta: live('requests', 2_000),
})

/** The secrets of functions by name, without their values. */
export const functionSecretsQuery = queryOptions({
  queryKey: ['function-secrets'],
  queryFn: ({ signal }) => api.functionSecrets({ signal }),
})
