import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api/api.ts'

/** The newest sessions of people whose name, e-mail or id holds the text; none for an empty one. */
export const foundSessionsQuery = (text: string) =>
  queryOptions({
    queryKey: ['found-sessions', text],
    queryFn: async ({ signal }) => (await api.sessions({ q: text, limit: 6 }, { signal })).sessions,
    enabled: text.length > 1,
    placeholderData: keepPreviousData,
  })
