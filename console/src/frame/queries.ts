import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api/api.ts'

/** Between two keys of a word; what was typed before is not asked for. */
const typingMs = 150

/** What a text names on the server; nothing for an empty one. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => {
      await pause(typingMs, signal)
      return api.search(text, { signal })
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
