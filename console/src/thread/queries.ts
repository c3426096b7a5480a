import { queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api/api.ts'
import type { Values } from '../lib/api/schemas.ts'

/** One request with all it did. Its changes arrive a moment after it ended, so a fresh one is asked again. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => api.request(id, { signal }),
    refetchInterval: ({ state }) => (state.data && isFresh(state.data.request.at) ? 1_500 : false),
  })

function isFresh(at: string): boolean {
  return Date.now() - new Date(at).getTime() < 15_000
}

/** The rows that a request, or a job's run, changed. They arrive a moment after it ended. */
export const changesOfQuery = (causeId: string) =>
  queryOptions({
    queryKey: ['changes-of', causeId],
    queryFn: ({ signal }) => api.changesOf(causeId, { signal }),
    refetchInterval: 3_000,
  })

/** A row's past, newest first, each change with its cause. */
export const historyQuery = (schema: string, table: string, key: Values) =>
  queryOptions({
    queryKey: ['history', schema, table, key],
    queryFn: ({ signal }) => api.history(schema, table, key, { signal }),
    refetchInterval: 5_000,
  })
