import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { StorageEntry } from '../../../lib/api/schemas.ts'
import { bucketsQuery } from '../queries.ts'

const pageSize = 200
/** The most that the server answers. */
const largestPage = 1000

/** What is listed of a bucket. */
export interface EntriesFilter {
  /** A folder with its slash, and the beginning of names in it. */
  readonly prefix: string
  readonly sort: 'name' | 'updated_at'
  readonly order: 'asc' | 'desc'
}

const entriesKey = (bucketId: string, filter: EntriesFilter) => ['storage-entries', bucketId, filter] as const

interface EntriesList {
  readonly items: readonly StorageEntry[]
  readonly next: string | null
}

/** Folders and objects of one folder, page by page; another look reads as far as was loaded. */
export function entriesQuery(queryClient: QueryClient, bucketId: string, filter: EntriesFilter) {
  const queryKey = entriesKey(bucketId, filter)
  const current = () => queryClient.getQueryData<EntriesList>(queryKey)
  const page = (after: string | null, limit: number, signal: AbortSignal) =>
    api.storageEntries(bucketId, { ...filter, limit, ...(after !== null && { after }) }, { signal })
  return {
    query: queryOptions({
      queryKey,
      queryFn: async ({ signal }): Promise<EntriesList> => {
        const wanted = current()?.items.length ?? 0
        const items: StorageEntry[] = []
        let next: string | null = null
        do {
          const limit = Math.min(largestPage, Math.max(pageSize, wanted - items.length))
          const found = await page(next, limit, signal)
          items.push(...found.entries)
          next = found.next
        } while (next !== null && items.length < wanted)
        return { items, next }
      },
      placeholderData: keepPreviousData,
    }),
    /** A second call while one is in flight joins it. */
    async loadMore(): Promise<void> {
      const after = current()?.next
      if (!after) return
      const { entries, next } = await queryClient.fetchQuery({
        queryKey: [...queryKey, 'after', after],
        queryFn: ({ signal }) => page(after, pageSize, signal),
      })
      queryClient.setQueryData<EntriesList>(queryKey, (list) =>
        list?.next === after ? { items: [...list.items, ...entries], next } : list,
      )
    },
  }
}

/** Looks again at what is shown of a bucket. */
export async function refreshBucket(queryClient: QueryClient, bucketId: string): Promise<void> {
  await Promise.all(
    [['storage-entries', bucketId], ['storage-object', bucketId], bucketsQuery.queryKey].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}

/** What is known of an object. */
export const objectQuery = (bucketId: string, key: string) =>
  queryOptions({
    queryKey: ['storage-object', bucketId, key],
    queryFn: ({ signal }) => api.storageObject(bucketId, key, { signal }),
  })

/** The beginning of an object's text. */
export const textQuery = (bucketId: string, key: string, version: string) =>
  queryOptions({
    queryKey: ['storage-text', bucketId, key, version],
    queryFn: async ({ signal }) => {
      const response = await fetch(
        new Request(contentUrl(bucketId, key), { headers: { range: 'bytes=0-65535' }, signal }),
      )
      return response.ok ? response.text() : ''
    },
  })

type Parameters = Readonly<Record<string, string>>

/** Where the console reads the bytes of an object. */
export const contentUrl = (bucketId: string, key: string, more: Parameters = {}): string =>
  objectUrl(bucketId, 'content', { key, ...more })

/** Where the console reads a small picture of an image. */
export const thumbnailUrl = (bucketId: string, key: string, more: Parameters & { size: 'tile' | 'preview' }): string =>
  objectUrl(bucketId, 'thumbnail', { key, ...more })

const objectUrl = (bucketId: string, what: string, parameters: Parameters): string =>
  `${window.location.origin}/console/api/storage/buckets/${encodeURIComponent(bucketId)}/${what}?${new URLSearchParams(parameters)}`
