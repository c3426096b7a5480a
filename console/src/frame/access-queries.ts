import { queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api/api.ts'
import { ApiError } from '../lib/api/api-error.ts'
import { live } from '../lib/live/topics.ts'

/** The operator's sessions and second factors. */
export const accessQuery = queryOptions({
  queryKey: ['access'],
  queryFn: ({ signal }) => api.access({ signal }),
  meta: live('access'),
})

/** The operator's access tokens, newest first. */
export const accessTokensQuery = queryOptions({
  queryKey: ['access', 'tokens'],
  queryFn: async ({ signal }) => (await api.accessTokens({ signal })).tokens,
  meta: live(['access', 'console']),
})

/** Whether a change needs a fresh proof of identity first. */
export const isProofNeeded = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'CLEW_OPERATORS_PROOF_NEEDED'
