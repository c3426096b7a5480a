import { createFileRoute, redirect } from '@tanstack/react-router'
import { api } from '../../../lib/api/api.ts'
import { objectSearch } from '../../../lib/object-place.ts'

/** An object by its id: leads to it in its bucket. */
export const Route = createFileRoute('/storage/objects/$id')({
  loader: async ({ params, abortController }) => {
    const { bucketId: bucket, key } = await api.storageObjectName(params.id, abortController)
    throw redirect({ to: '/storage/$bucket', params: { bucket }, search: objectSearch(key), replace: true })
  },
})
