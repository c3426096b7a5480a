import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { EventSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live } from '../../lib/live/topics.ts'
import { type EventsFilter, type PropertiesFilter, usualRange } from './search.ts'

/** The events that fit, newest first; while it is live each look brings the newest into what was loaded before. */
export const eventsQuery = (queryClient: QueryClient, { filter = [], ...narrowed }: EventsFilter, isLive: boolean) =>
  growingQuery<EventSummary, GrowingList<EventSummary>>({
    queryClient,
    queryKey: ['events', narrowed, filter],
    page: async (before, signal) => {
      const { events, next } = await api.events(
        { range: usualRange, ...narrowed, filter: [...filter], limit: 100, ...(before && { before }) },
        { signal },
      )
      return { items: events, next }
    },
    idOf: ({ id }) => id,
    refetchMs: false,
    ...(isLive && { meta: live('events', 2_000) }),
  })

/** The properties of the newest events of a name or of all, the most frequent first. */
export const eventPropertiesQuery = ({ event, range = usualRange }: PropertiesFilter) =>
  queryOptions({
    queryKey: ['event-properties', event ?? null, range],
    queryFn: ({ signal }) => api.eventProperties({ range, ...(event && { event }) }, { signal }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
