import { createFileRoute, redirect } from '@tanstack/react-router'
import { api } from '../../../lib/api/api.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { objectSearch } from '../../../lib/object-place.ts'

/** An object by its id: leads to it in its bucket, and where it is gone, to the place that it had last. */
export const Route = createFileRoute('/storage/objects/$id')({
  loader: async ({ params: { id }, abortController }) => {
    const { bucketId: bucket, key } = await api.storageObjectName(id, abortController).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      const { entries } = await api.history('storage', 'objects', { id }, abortController)
      const { bucket_id: bucketId, name } = entries[0]?.change.old ?? {}
      if (typeof bucketId !== 'string' || typeof name !== 'string') throw error
      return { bucketId, key: name }
    })
    throw redirect({ to: '/storage/$bucket', params: { bucket }, search: objectSearch(key), replace: true })
  },
})
