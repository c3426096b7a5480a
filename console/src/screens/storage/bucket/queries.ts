import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { StorageEntry } from '../../../lib/api/schemas.ts'
import { growingQuery } from '../../../lib/growing-query.ts'

const pageSize = 200

/** What is listed of a bucket. */
export interface EntriesFilter {
  /** A folder with its slash, and the beginning of names in it. */
  readonly prefix: string
  readonly sort: 'name' | 'updated_at'
  readonly order: 'asc' | 'desc'
}

/** Folders and objects of one folder, page by page. */
export const entriesQuery = (queryClient: QueryClient, bucketId: string, filter: EntriesFilter) =>
  growingQuery<StorageEntry, { readonly items: readonly StorageEntry[]; readonly next: string | null }>({
    queryClient,
    queryKey: ['storage-entries', bucketId, filter],
    page: async (after, signal) => {
      const { entries, next } = await api.storageEntries(
        bucketId,
        { ...filter, limit: pageSize, ...(after && { after }) },
        { signal },
      )
      return { items: entries, next }
    },
    idOf: ({ key }) => key,
    refetchMs: false,
  })

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

/** Where the console reads the bytes of an object. */
export const contentUrl = (bucketId: string, key: string, more: Readonly<Record<string, string>> = {}): string =>
  `${window.location.origin}/console/api/storage/buckets/${encodeURIComponent(bucketId)}/content?${new URLSearchParams({ key, ...more })}`
