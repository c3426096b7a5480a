import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { EventSummary, GroupName, GroupSession } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live } from '../../lib/live/topics.ts'

/** One group with what is stored of it. */
export const groupQuery = (name: GroupName) =>
  queryOptions({
    queryKey: ['group', name.type, name.key],
    queryFn: ({ signal }) => api.group(name, { signal }),
    meta: live(['events', 'console'], 5_000),
  })

/** Who was seen in a group lately. */
export const groupPeopleQuery = (name: GroupName) =>
  queryOptions({
    queryKey: ['group-people', name.type, name.key],
    queryFn: async ({ signal }) => (await api.groupPeople(name, { signal })).people,
    meta: live(['events', 'console'], 5_000),
  })

/** What a group gets of the flags that count groups of its type. */
export const groupFlagsQuery = (name: GroupName) =>
  queryOptions({
    queryKey: ['group-flags', name.type, name.key],
    queryFn: async ({ signal }) => (await api.groupFlags(name, { signal })).flags,
    meta: live('console', 2_000),
  })

/** The sessions of a group, page by page. */
export const groupSessionsQuery = (queryClient: QueryClient, name: GroupName) =>
  growingQuery<GroupSession, GrowingList<GroupSession>>({
    queryClient,
    queryKey: ['group-sessions', name.type, name.key],
    page: async (before, signal) => {
      const { sessions, next } = await api.groupSessions(name, { limit: 50, ...(before && { before }) }, { signal })
      return { items: sessions, next }
    },
    idOf: ({ id }) => id,
    meta: live('sessions', 5_000),
    refetchMs: false,
  })

/** The events of a group, all or of one name, newest first, page by page. */
export const groupEventsQuery = (queryClient: QueryClient, name: GroupName, event: string | null) =>
  growingQuery<EventSummary, GrowingList<EventSummary>>({
    queryClient,
    queryKey: ['group-events', name.type, name.key, event],
    page: async (before, signal) => {
      const query = { limit: 50, ...(event && { event }), ...(before && { before }) }
      const { events, next } = await api.groupEvents(name, query, { signal })
      return { items: events, next }
    },
    idOf: ({ id }) => id,
    meta: live('events', 3_000),
    refetchMs: false,
  })
