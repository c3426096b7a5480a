import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'

/** The newest mails that hold a text; looked at again, as one waits for a code. */
export const mailsQuery = (text: string) =>
  queryOptions({
    queryKey: ['mails', text],
    queryFn: ({ signal }) => api.mails({ text, start: 0, limit: 200 }, { signal }),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  })

/** One mail; asking for it marks it as read. */
export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ['mail', id],
    queryFn: ({ signal }) => api.mail(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
