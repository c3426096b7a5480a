import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Bucket, StoragePolicy } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TitledCode } from '../../ui/titled-code.tsx'
import { useToast } from '../../ui/toast.tsx'
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
          <Policy key={`${policy.table} ${policy.name}`} policy={policy} />
        ))}
      </section>
      <Templates buckets={buckets} />
    </div>
  )
}

function Policy({ policy }: { readonly policy: StoragePolicy }) {
  const { canReveal: isOwner } = useRights()
  const queryClient = useQueryClient()
  const toast = useToast()
  const drop = useMutation({
    mutationFn: () => api.dropStoragePolicy(policy.table, policy.name),
    onError: (problem) => void toast.add({ title: 'The policy was not dropped.', description: errorText(problem) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: policiesQuery.queryKey }),
  })
  return (
    <TitledCode
      title={policy.name}
      level={2}
      sql={policySql(policy)}
      copyLabel={`Copy ${policy.name}`}
      action={
        isOwner && (
          <Button size="small" look="danger" disabled={drop.isPending} onClick={() => drop.mutate()}>
            Drop
          </Button>
        )
      }
    />
  )
}

/** A policy as the statement that makes it. */
function policySql({ name, table, command, roles, permissive, using, check }: StoragePolicy): string {
  return [
    `create policy "${name.replaceAll('"', '""')}"`,
    `  on storage.${table}${permissive ? '' : ' as restrictive'} for ${command} to ${roles.join(', ')}`,
    ...(using === null ? [] : [`  using (${using})`]),
    ...(check === null ? [] : [`  with check (${check})`]),
  ].join('\n')
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
  const { canReveal: isOwner } = useRights()
  const queryClient = useQueryClient()
  const toast = useToast()
  const apply = useMutation({
    mutationFn: (templateId: string) => api.applyStoragePolicy({ templateId, bucketId }),
    onSuccess: () => void toast.add({ title: 'The policy is in force.' }),
    onError: (problem) => void toast.add({ title: 'The policy was not made.', description: errorText(problem) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: policiesQuery.queryKey }),
  })
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows rows={4} />
  return data.templates.map(({ id, title, sql }) => (
    <TitledCode
      key={id}
      title={title}
      level={3}
      sql={sql}
      copyLabel={`Copy: ${title}`}
      action={
        isOwner && (
          <Button size="small" disabled={apply.isPending} onClick={() => apply.mutate(id)}>
            Run
          </Button>
        )
      }
    />
  ))
}
