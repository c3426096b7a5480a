import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

const dayMs = 86_400_000
const yesterday = () => new Date(Date.now() - dayMs).toISOString()
const shown = 5

/** The last day by the hour. */
export const overviewDayQuery = queryOptions({
  queryKey: ['overview-day'],
  queryFn: ({ signal }) => api.overviewDay({ signal }),
  meta: live(['requests', 'changes'], 30_000),
})

/** The issues whose exceptions came last. */
export const newestErrorsQuery = queryOptions({
  queryKey: ['newest-errors'],
  queryFn: async ({ signal }) =>
    (await api.errors({ state: 'open', sort: 'last seen', limit: shown }, { signal })).issues,
  meta: live('errors', 5_000),
})

/** The statements that took most of the last day. */
export const slowestQuery = queryOptions({
  queryKey: ['slowest'],
  queryFn: async ({ signal }) =>
    (await api.slowStatements({ from: yesterday(), order: 'p95', limit: shown }, { signal })).statements,
  meta: live('requests', 30_000),
})

/** The last requests of a day that asked for rows and got none. */
export const emptyAnswersQuery = queryOptions({
  queryKey: ['empty-answers'],
  queryFn: async ({ signal }) =>
    (await api.requests({ empty: true, from: yesterday(), limit: shown }, { signal })).requests,
  meta: live('requests', 5_000),
})

/** Advice that is a matter of security, and not ignored: how many. */
export const openSecurityQuery = queryOptions({
  queryKey: ['open-security'],
  queryFn: async ({ signal }) =>
    (await api.advice({ signal })).filter(
      ({ kind, level, ignored }) => kind === 'security' && level === 'error' && !ignored,
    ).length,
  meta: live('console', 30_000),
})

/** Where backups are, and when one was opened last. */
export const homeBackupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: ({ signal }) => api.backups({ signal }),
  meta: live('console', 30_000),
})
