import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** The operators of the console, and who is invited. */
export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) => api.team({ signal }),
  meta: live(['access', 'console']),
})
