import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** Every bucket with what it holds, and the instance's own limit of an object. */
export const bucketsQuery = queryOptions({
  queryKey: ['buckets'],
  queryFn: ({ signal }) => api.buckets({ signal }),
  meta: live(['changes', 'console'], 2_000),
})

/** The policies of objects and buckets. */
export const policiesQuery = queryOptions({
  queryKey: ['storage-policies'],
  queryFn: ({ signal }) => api.storagePolicies({ signal }),
})

/** The policies that most buckets need, as SQL for one bucket. */
export const policyTemplatesQuery = (bucketId: string) =>
  queryOptions({
    queryKey: ['storage-policy-templates', bucketId],
    queryFn: ({ signal }) => api.storagePolicyTemplates(bucketId, { signal }),
  })
