import { queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api/api.ts'
import { ApiError, retryUnanswered } from '../lib/api/api-error.ts'
import type { Change, Values } from '../lib/api/schemas.ts'
import { live } from '../lib/live/topics.ts'
import { pastOf } from './undo/past.ts'

/** A request's record is stored a moment after its answer has left; its id, a UUIDv7, says when the request began. */
const isOnItsWay = (id: string, error: Error): boolean =>
  error instanceof ApiError &&
  error.status === 404 &&
  Date.now() - Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) < 60_000

/** One request with all it did. Its changes arrive a moment after it ended, and so may requests that it causes. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => api.request(id, { signal }),
    retry: (failures, error) => retryUnanswered(failures, error) || (failures < 20 && isOnItsWay(id, error)),
    retryDelay: 250,
    meta: live(['requests', 'changes']),
  })

/** The rows that a request, or a job's run, changed. They arrive a moment after it ended. */
export const changesOfQuery = (causeId: string) =>
  queryOptions({
    queryKey: ['changes-of', causeId],
    queryFn: ({ signal }) => api.changesOf(causeId, { signal }),
    meta: live(['requests', 'changes']),
  })

/** A row's past, newest first, each change with its cause. */
export const historyQuery = (schema: string, table: string, key: Values) =>
  queryOptions({
    queryKey: ['history', schema, table, key],
    queryFn: ({ signal }) => api.history(schema, table, key, { signal }),
    meta: live('changes'),
  })

/** What would take changes back, as the rows are at the moment. */
export const undoQuery = (changes: readonly Change[]) =>
  queryOptions({
    queryKey: ['undo', changes.map(({ id }) => id)],
    queryFn: ({ signal }) => api.previewUndo(changes.map(pastOf), { signal }),
    gcTime: 0,
  })

/** One event with all its properties. */
export const eventQuery = (id: string) =>
  queryOptions({ queryKey: ['event', id], queryFn: ({ signal }) => api.event(id, { signal }), staleTime: 60_000 })

/** How PostgreSQL would run a statement of a request now; asked for once. */
export const statementPlanQuery = (requestId: string, place: number) =>
  queryOptions({
    queryKey: ['statement-plan', requestId, place],
    queryFn: () => api.statementPlan(requestId, place),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
