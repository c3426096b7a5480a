import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'
import { type Percentile, usual, type Vital, type VitalsFilter } from './search.ts'

/** New measurements are shown, but not each as it comes. */
const kept = { placeholderData: keepPreviousData, meta: live('events', 30_000) }

const askedOf = (filter: VitalsFilter) => ({ range: usual.range, ...filter })

/** The vitals as a whole, and their course. */
export const vitalsQuery = (filter: VitalsFilter) =>
  queryOptions({
    queryKey: ['web-vitals', filter],
    queryFn: ({ signal }) => api.webVitals(askedOf(filter), { signal }),
    ...kept,
  })

/** The vitals by path. */
export const pathsQuery = (filter: VitalsFilter, percentile: Percentile, order: Vital | 'views') =>
  queryOptions({
    queryKey: ['web-vitals', 'paths', filter, percentile, order],
    queryFn: ({ signal }) => api.webVitalPaths({ ...askedOf(filter), percentile, order }, { signal }),
    ...kept,
  })

/** The worst visits of a path. */
export const visitsQuery = (filter: VitalsFilter, vital: Vital) =>
  queryOptions({
    queryKey: ['web-vitals', 'visits', filter, vital],
    queryFn: ({ signal }) => api.webVitalVisits({ ...askedOf(filter), vital }, { signal }),
  })
