import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

const everyMs = 3_000
const listed = 50

export const issueQuery = (id: string) =>
  queryOptions({
    queryKey: ['error', id],
    queryFn: ({ signal }) => api.error(id, { signal }),
    meta: live('errors', everyMs),
  })

/** The latest exceptions of an issue. */
export const exceptionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['error', id, 'exceptions'],
    queryFn: async ({ signal }) => (await api.errorExceptions(id, { limit: listed }, { signal })).exceptions,
    meta: live('errors', everyMs),
  })

/** One exception with its stack; the latest where none is named. */
export const exceptionQuery = (id: string, exception: string | undefined) =>
  queryOptions({
    queryKey: ['error', id, 'exception', exception ?? 'latest'],
    queryFn: ({ signal }) => api.errorException(id, exception ?? 'latest', { signal }),
  })

/** The session of an exception, for what happened around it. */
export const sessionOfErrorQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['session-of-error', sessionId],
    queryFn: ({ signal }) => api.session(sessionId, { from: 0 }, { signal }),
    // A session that sent nothing but exceptions has no timeline.
    retry: false,
    staleTime: 30_000,
  })
