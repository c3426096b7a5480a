import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../../../lib/api/api.ts'
import type { HistoryEntry, RowPast } from '../../../../lib/api/schemas.ts'
import { growingQuery } from '../../../../lib/lists/growing-query.ts'
import { live } from '../../../../lib/live/topics.ts'
import { readObjectChange } from './object-change.ts'

const pageSize = 100

interface BucketHistory {
  readonly items: readonly HistoryEntry[]
  readonly next: string | null
  readonly notRecorded: string | null
}

/** What happened to the objects of a bucket, newest first, page by page. */
export const bucketHistoryQuery = (queryClient: QueryClient, bucketId: string) =>
  growingQuery<HistoryEntry, BucketHistory>({
    queryClient,
    queryKey: ['storage-history', bucketId],
    page: async (before, signal) => {
      const query = { column: 'bucket_id', value: bucketId, limit: pageSize, ...(before && { before }) }
      const { entries, next, notRecorded } = await api.tableHistory('storage', 'objects', query, { signal })
      return { items: entries, next, notRecorded }
    },
    idOf: ({ change }) => change.id,
    refetchMs: false,
    meta: live('changes'),
  })

/** The newest changes of the objects that have, or had, a key of a bucket. */
export const keyHistoryQuery = (bucketId: string, key: string) =>
  queryOptions({
    queryKey: ['storage-key-history', bucketId, key],
    queryFn: async ({ signal }): Promise<RowPast> => {
      const query = { column: 'name', value: key, limit: pageSize }
      const { entries, notRecorded } = await api.tableHistory('storage', 'objects', query, { signal })
      const isHere = (entry: HistoryEntry) =>
        readObjectChange(entry).bucketId === bucketId || entry.change.old?.bucket_id === bucketId
      return { entries: entries.filter(isHere), gaps: [], notRecorded }
    },
    meta: live('changes'),
  })
