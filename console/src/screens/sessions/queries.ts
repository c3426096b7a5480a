import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { SessionSummary } from '../../lib/api/schemas.ts'
import { sessionViewsApi } from '../../lib/api/session-views.ts'
import { type GrowingList, growAtHead, growAtTail } from '../../lib/lists/growing-list.ts'
import { live } from '../../lib/live/topics.ts'

/** The list's filter; every part stands in the URL. */
export interface SessionFilter {
  readonly q?: string
  readonly live?: true
  readonly errors?: true
  /** Days of the viewer's zone, `2026-01-31`, the last one included. */
  readonly from?: string
  readonly to?: string
  /** Least duration. */
  readonly seconds?: number
  /** ISO 3166-1 code. */
  readonly country?: string
  /** Of one of its requests: `404`, `5xx`. */
  readonly status?: string
  readonly requestMs?: number
  readonly statementMs?: number
  /** `schema.table` of a changed row. */
  readonly table?: string
  /** A flag that was shown in it: `key`, or `key=variant`. */
  readonly flag?: string
  /** The newest first, where it is absent. */
  readonly sort?: SessionSort
}

/** Orders of the list beside the newest first. */
export const sessionSorts = ['longest', 'errors', 'statement'] as const
export type SessionSort = (typeof sessionSorts)[number]

/** The list; `ranked` says of which sessions it has the first, where it is not the newest first. */
export type SessionPages = GrowingList<SessionSummary> & Pick<Awaited<ReturnType<typeof api.sessions>>, 'ranked'>

const dayMs = 86_400_000

/** A filter as the API takes it: days become instants. */
function asked({ from, to, ...rest }: SessionFilter) {
  const startOf = (day: string, plusMs: number) =>
    new Date(new Date(`${day}T00:00:00`).getTime() + plusMs).toISOString()
  return { ...rest, ...(from && { from: startOf(from, 0) }), ...(to && { to: startOf(to, dayMs) }) }
}

const pageSize = 50
const idOf = (session: SessionSummary) => session.id
const keyOf = (filter: SessionFilter) => ['sessions', filter] as const

async function page(filter: SessionFilter, before: string | undefined, signal?: AbortSignal) {
  const { sessions, next, ranked } = await api.sessions(
    { ...asked(filter), limit: pageSize, ...(before && { before }) },
    { signal },
  )
  return { items: sessions, next, ranked } satisfies SessionPages
}

/** The sessions that fit; of the newest first each look brings the newest page into what was loaded before. */
export const sessionsQuery = (queryClient: QueryClient, filter: SessionFilter) =>
  queryOptions({
    queryKey: keyOf(filter),
    queryFn: async ({ signal }) => {
      const head = await page(filter, undefined, signal)
      if (head.ranked !== null) return head
      const known = queryClient.getQueryData<SessionPages>(keyOf(filter))
      return { ...growAtHead(known, head, idOf), ranked: null }
    },
    meta: live('sessions'),
    placeholderData: keepPreviousData,
  })

/** Loads the next older page; a second call while one is in flight joins it. */
export async function loadOlderSessions(queryClient: QueryClient, filter: SessionFilter): Promise<void> {
  const before = queryClient.getQueryData<SessionPages>(keyOf(filter))?.next
  if (!before) return
  const older = await queryClient.fetchQuery({
    queryKey: ['older-sessions', filter, before],
    queryFn: ({ signal }) => page(filter, before, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  queryClient.setQueryData<SessionPages>(keyOf(filter), (list) =>
    list?.next === before ? { ...growAtTail(list, older, idOf), ranked: null } : list,
  )
}

/** The operator's views of the sessions and those of the team, by name. */
export const sessionViewsQuery = queryOptions({
  queryKey: ['session-views'],
  queryFn: ({ signal }) => sessionViewsApi.sessionViews({ signal }),
  meta: live('console'),
})
