import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'

/** One experiment with its metrics. */
export const experimentQuery = (id: string) =>
  queryOptions({ queryKey: ['experiment', id], queryFn: ({ signal }) => api.experiment(id, { signal }) })

/** What an experiment came to so far; null before it has begun. */
export const experimentResultQuery = (id: string) =>
  queryOptions({
    queryKey: ['experiment-result', id],
    queryFn: ({ signal }) => api.experimentResult(id, { signal }),
    retry: false,
  })
