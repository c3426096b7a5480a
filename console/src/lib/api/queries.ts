import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { live } from '../live/topics.ts'
import { api } from './api.ts'
import type { QueryOf } from './client.ts'

/**
 * Facts that more than one screen reads. A screen's own stand beside it.
 *
 * Those that the frame shows are not cancelled when the frame goes: a route may be waiting for their answer,
 * and would fail with the cancelling. React's strict mode, which shows the frame twice, does just that.
 */

/** The signed-in operator; an error response of 401 without one. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: () => api.operator(),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whether the instance has an owner yet. */
export const setupQuery = queryOptions({ queryKey: ['setup'], queryFn: ({ signal }) => api.setup({ signal }) })

/** The instance's addresses, keys and engines: whether these answer is measured, and nothing announces it. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: () => api.instance(),
  staleTime: 10_000,
  refetchInterval: 15_000,
})

/** The last hour in numbers. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => api.overview(),
  meta: live(['sessions', 'requests', 'changes'], 2_000),
})

/** How many are here now: what the frame shows over every screen, and so is asked for seldom. */
export const presenceQuery = queryOptions({
  queryKey: ['presence'],
  queryFn: () => api.presence(),
  meta: live(['sessions', 'requests'], 5_000),
})

/** The application's tables with their columns. */
export const tablesQuery = queryOptions({
  queryKey: ['tables'],
  queryFn: ({ signal }) => api.tables({ signal }),
  staleTime: 10_000,
})

/** The functions by name. */
export const functionsQuery = queryOptions({
  queryKey: ['functions'],
  queryFn: ({ signal }) => api.functions({ signal }),
  staleTime: 5_000,
  meta: live(['functions', 'console']),
})

/** The names of all buckets, which cost the server less than what they hold. */
export const bucketNamesQuery = queryOptions({
  queryKey: ['bucket-names'],
  queryFn: ({ signal }) => api.bucketNames({ signal }),
  staleTime: 30_000,
})

/** Every feature flag that is not archived, by key. */
export const flagsQuery = queryOptions({ queryKey: ['flags'], queryFn: ({ signal }) => api.flags({ signal }) })

/** Every cohort, by name. */
export const cohortsQuery = queryOptions({ queryKey: ['cohorts'], queryFn: ({ signal }) => api.cohorts({ signal }) })

/** The types of groups, by their numbers. */
export const groupTypesQuery = queryOptions({
  queryKey: ['group-types'],
  queryFn: ({ signal }) => api.groupTypes({ signal }),
})

/** Every experiment that is not archived, newest first. */
export const experimentsQuery = queryOptions({
  queryKey: ['experiments'],
  queryFn: ({ signal }) => api.experiments({ signal }),
})

/** Every survey that is not archived, newest first. */
export const surveysQuery = queryOptions({ queryKey: ['surveys'], queryFn: ({ signal }) => api.surveys({ signal }) })

/** The names of events of a time, the most frequent first. */
export const eventNamesQuery = (range: NonNullable<QueryOf<'eventNames'>['range']>) =>
  queryOptions({
    queryKey: ['event-names', range],
    queryFn: ({ signal }) => api.eventNames({ range }, { signal }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })

/** The names of events that are offered where one is typed. */
export const offeredEventsQuery = {
  ...eventNamesQuery('30d'),
  select: ({ names }: Awaited<ReturnType<typeof api.eventNames>>) => names.map(({ name }) => name),
}
