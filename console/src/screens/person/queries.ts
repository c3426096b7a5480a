import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { PersonMoment } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live } from '../../lib/live/topics.ts'
import type { MomentKind } from './search.ts'

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

/** What a person did, and what happened to them, newest first, page by page. */
export const personLineQuery = (queryClient: QueryClient, id: string, kinds: readonly MomentKind[]) =>
  growingQuery<PersonMoment, GrowingList<PersonMoment>>({
    queryClient,
    queryKey: ['person-line', id, kinds.join()],
    page: async (before, signal) => {
      const query = { limit: 50, ...(kinds.length > 0 && { kinds: kinds.join() }), ...(before && { before }) }
      const { moments, next } = await api.personLine(id, query, { signal })
      return { items: moments, next }
    },
    idOf: ({ kind, id: of }) => `${kind} ${of}`,
    refetchMs: false,
    meta: live(['events', 'requests', 'changes'], 3_000),
  })
