import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { Delivery, SentRequest } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live, ofOthersMs } from '../../lib/live/topics.ts'
import type { DeliveryState } from './search.ts'

const pageSize = 100

/** The deliveries that are asked for. */
export interface DeliveryFilter {
  readonly state?: DeliveryState
  readonly schema?: string
  readonly table?: string
  readonly hook?: string
}

/** The webhooks of tables. */
export const hooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => api.webhooks({ signal }),
  meta: live('deliveries'),
  refetchInterval: ofOthersMs,
})

/** Deliveries, newest first, page by page. */
export const deliveriesQuery = (queryClient: QueryClient, filter: DeliveryFilter) =>
  growingQuery<Delivery, GrowingList<Delivery>>({
    queryClient,
    queryKey: ['deliveries', filter],
    page: async (before, signal) => {
      const query = { ...filter, limit: pageSize, ...(before && { before }) }
      const { deliveries, next } = await api.webhookDeliveries(query, { signal })
      return { items: deliveries, next }
    },
    idOf: ({ id }) => id,
    meta: live('deliveries'),
    refetchMs: ofOthersMs,
  })

/** One delivery with its attempts. One that has not finished is asked for again. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: ({ signal }) => api.webhookDelivery(id, { signal }),
    refetchInterval: ({ state }) =>
      state.data && ['waiting', 'sending'].includes(state.data.delivery.state) ? ofOthersMs : false,
    meta: live('deliveries'),
  })

interface SentRequests extends GrowingList<SentRequest> {
  readonly installed: boolean
  readonly waiting: readonly SentRequest[]
}

/** Requests of pg_net that were sent, newest first, page by page, and those that wait. */
export const sqlRequestsQuery = (queryClient: QueryClient) =>
  growingQuery<SentRequest, SentRequests>({
    queryClient,
    queryKey: ['sql-requests'],
    page: async (before, signal) => {
      const { requests, ...facts } = await api.sqlRequests({ limit: pageSize, ...(before && { before }) }, { signal })
      return { ...facts, items: requests }
    },
    idOf: ({ id, requestId }) => id ?? `waiting ${requestId}`,
    meta: live('deliveries'),
    refetchMs: ofOthersMs,
  })

/** One request of pg_net with its response. */
export const sqlRequestQuery = (id: string) =>
  queryOptions({ queryKey: ['sql-request', id], queryFn: ({ signal }) => api.sqlRequest(id, { signal }) })
