import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import type { Bucket } from '../../lib/api/schemas.ts'
import { PolicyCard, PolicyTemplates } from '../../policies/policy-list.tsx'
import { Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { policiesQuery, policyTemplatesQuery } from './queries.ts'

/** Who may read and write objects, and SQL that is ready for what most buckets need. */
export function PoliciesPanel({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const { data, error, refetch } = useQuery(policiesQuery)
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-6 overflow-y-auto p-4">
      <section aria-label="Policies" className="grid gap-3">
        {data.policies.length === 0 && (
          <p className="text-ink-2">
            No policies yet: with an anon or user token nothing is written, and only public buckets are read.
          </p>
        )}
        {data.policies.map((policy) => (
          <PolicyCard
            key={`${policy.table} ${policy.name}`}
            policy={policy}
            table={`storage.${policy.table}`}
            drop={() => api.dropStoragePolicy(policy.table, policy.name)}
            listKey={policiesQuery.queryKey}
          />
        ))}
      </section>
      <Templates buckets={buckets} />
    </div>
  )
}

function Templates({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const [chosen, setChosen] = useState<string>()
  const bucketId = chosen ?? buckets[0]?.id
  if (bucketId === undefined) return null
  return (
    <section aria-label="Templates" className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-semibold">Policies that most buckets need</h2>
        <Select
          label="Bucket"
          value={bucketId}
          options={buckets.map(({ id }) => ({ value: id, label: id }))}
          onChange={setChosen}
        />
      </div>
      <BucketTemplates bucketId={bucketId} />
    </section>
  )
}

function BucketTemplates({ bucketId }: { readonly bucketId: string }) {
  const { data, error, refetch } = useQuery(policyTemplatesQuery(bucketId))
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows rows={4} />
  return (
    <PolicyTemplates
      templates={data.templates}
      apply={(templateId) => api.applyStoragePolicy({ templateId, bucketId })}
      listKey={policiesQuery.queryKey}
    />
  )
}
