import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** What the database should not have: looked for anew each time. */
export const adviceQuery = queryOptions({
  queryKey: ['advice'],
  queryFn: ({ signal }) => api.advice({ signal }),
  meta: live('console', 5_000),
})
