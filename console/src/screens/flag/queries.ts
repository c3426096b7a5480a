import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { FlagFilters } from '../../lib/api/schemas.ts'

/** One flag with its conditions. */
export const flagQuery = (key: string) =>
  queryOptions({ queryKey: ['flag', key], queryFn: ({ signal }) => api.flag(key, { signal }) })

/** The latest changes of a flag, newest first. */
export const flagChangesQuery = (key: string) =>
  queryOptions({
    queryKey: ['flag-changes', key],
    queryFn: ({ signal }) => api.flagChanges(key, { limit: 100 }, { signal }),
  })

/** How many stored persons would get a flag with these conditions. */
export const estimateQuery = (key: string, filters: FlagFilters, active: boolean) =>
  queryOptions({
    queryKey: ['flag-estimate', key, filters, active],
    queryFn: ({ signal }) => api.estimateFlag(key, { filters, active }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Values that were set for single persons. */
export const flagOverridesQuery = (key: string) =>
  queryOptions({ queryKey: ['flag-overrides', key], queryFn: ({ signal }) => api.flagOverrides(key, { signal }) })
