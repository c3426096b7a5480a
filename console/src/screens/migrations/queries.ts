import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** The migrations of the project folder and of the database, the newest first. */
export const migrationsQuery = queryOptions({
  queryKey: ['migrations'],
  queryFn: ({ signal }) => api.migrations({ signal }),
  meta: live('console'),
})

/** One migration with its SQL. */
export const migrationQuery = (version: string) =>
  queryOptions({ queryKey: ['migration', version], queryFn: ({ signal }) => api.migration(version, { signal }) })
