import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** An erasure tells how far it is some times a second. */
const workingMs = 1000

/** Erasures of people, the newest first; asked again and again while one is at work. */
export const erasuresQuery = queryOptions({
  queryKey: ['privacy', 'erasures'],
  queryFn: api.erasures,
  refetchInterval: ({ state }) => (state.data?.some((erasure) => erasure.state !== 'done') ? workingMs : false),
  meta: live('console'),
})
