import { keepPreviousData, type QueryClient, type QueryMeta, queryOptions } from '@tanstack/react-query'
import { type GrowingList, growAtHead, growAtTail } from './growing-list.ts'

interface GrowingQuery<Item, Facts extends GrowingList<Item>> {
  readonly queryClient: QueryClient
  readonly queryKey: readonly unknown[]
  /** Loads the page after an item; the first one without it. */
  readonly page: (after: string | undefined, signal: AbortSignal) => Promise<Facts>
  readonly idOf: (item: Item) => string
  /** How often the first page is looked at again; false for a list that stands still, or says in `meta` what it is made of. */
  readonly refetchMs: number | false
  readonly meta?: QueryMeta
}

/** A list that is loaded page by page: its query, and the function that loads the next page. */
export function growingQuery<Item, Facts extends GrowingList<Item>>(options: GrowingQuery<Item, Facts>) {
  const { queryClient, queryKey, page, idOf, refetchMs } = options
  const current = () => queryClient.getQueryData<Facts>(queryKey)
  return {
    query: queryOptions({
      queryKey,
      queryFn: async ({ signal }): Promise<Facts> => {
        const head = await page(undefined, signal)
        return { ...head, ...growAtHead(current(), head, idOf) }
      },
      refetchInterval: refetchMs,
      ...(options.meta && { meta: options.meta }),
      placeholderData: keepPreviousData,
    }),
    /** A second call while one is in flight joins it. */
    async loadMore(): Promise<void> {
      const after = current()?.next
      if (!after) return
      const more = await queryClient.fetchQuery({
        queryKey: [...queryKey, 'after', after],
        queryFn: ({ signal }) => page(after, signal),
        staleTime: Number.POSITIVE_INFINITY,
      })
      queryClient.setQueryData<Facts>(queryKey, (list) =>
        list?.next === after ? { ...list, ...growAtTail(list, more, idOf) } : list,
      )
    },
  }
}
