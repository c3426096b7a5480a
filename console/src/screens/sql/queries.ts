import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { SqlEngine } from '../../lib/api/schemas.ts'

/** The names that the editor offers. */
export const catalogueQuery = (engine: SqlEngine) =>
  queryOptions({
    queryKey: ['sql', 'catalogue', engine],
    queryFn: ({ signal }) => api.sqlCatalogue(engine, { signal }),
    staleTime: 60_000,
  })

/** The operator's own runs, newest first. */
export const runsQuery = queryOptions({
  queryKey: ['sql', 'runs'],
  queryFn: ({ signal }) => api.sqlRuns({ limit: 100 }, { signal }),
})

/** The queries of the team, by name. */
export const savedQuery = queryOptions({
  queryKey: ['sql', 'queries'],
  queryFn: ({ signal }) => api.sqlQueries({ signal }),
})
