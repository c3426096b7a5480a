import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** A job tells how far it is some times a second. */
const workingMs = 1000

/** What is masked, and the jobs; asked again and again while one is at work. */
export const privacyQuery = queryOptions({
  queryKey: ['privacy'],
  queryFn: api.privacy,
  refetchInterval: ({ state }) => (state.data?.jobs.some((job) => job.state !== 'done') ? workingMs : false),
  meta: live('console'),
})

/** Removals of what was stored of visitors who withdrew their consent. */
export const withdrawalsQuery = queryOptions({
  queryKey: ['privacy', 'withdrawals'],
  queryFn: api.withdrawals,
  refetchInterval: ({ state }) => (state.data?.some((withdrawal) => withdrawal.state !== 'done') ? workingMs : false),
  meta: live('console'),
})

/** What can be masked. */
export const maskableQuery = queryOptions({ queryKey: ['privacy', 'maskable'], queryFn: api.maskable })
