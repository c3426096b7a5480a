import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'

/** The persons of a list, by distinct id. */
export const cohortMembersQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['cohort-members', id],
    queryFn: ({ signal, pageParam }) =>
      api.cohortMembers(id, { limit: 200, ...(pageParam === null ? {} : { after: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** How many stored persons are in a cohort with these filters. */
export const cohortEstimateQuery = (filters: Readonly<Record<string, unknown>>) =>
  queryOptions({
    queryKey: ['cohort-estimate', filters],
    queryFn: ({ signal }) => api.estimateCohort({ filters }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
