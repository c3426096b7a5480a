import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** The free space, what each kind of data takes, and the latest clean-up. */
export const diskQuery = queryOptions({
  queryKey: ['disk'],
  queryFn: ({ signal }) => api.disk({ signal }),
  meta: live('console'),
})
