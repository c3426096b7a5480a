import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { ApiError } from '../../lib/api/api-error.ts'

/** Where the operator is signed in, and what the account asks for beside the password. */
export const accessQuery = queryOptions({
  queryKey: ['access'],
  queryFn: ({ signal }) => api.access({ signal }),
  refetchInterval: 30_000,
})

/** Whether a change was refused because the operator has to prove first that it is them. */
export const isProofNeeded = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'CLEW_OPERATORS_PROOF_NEEDED'
