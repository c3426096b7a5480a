import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** One person with all that is stored of them. */
export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: ({ signal }) => api.person(id, { signal }),
    meta: live(['sessions', 'console'], 5_000),
  })

/** What a person gets of all flags. */
export const personFlagsQuery = (id: string) =>
  queryOptions({
    queryKey: ['person-flags', id],
    queryFn: ({ signal }) => api.personFlags(id, { signal }),
    meta: live('console', 2_000),
  })
