import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { RealtimePolicy } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TitledCode } from '../../ui/titled-code.tsx'
import { useToast } from '../../ui/toast.tsx'
import { policiesQuery, policyTemplatesQuery } from './queries.ts'

/** Who hears and who speaks in private channels, and SQL that is ready for what most of them need. */
export function PoliciesPanel() {
  const { data, error, refetch } = useQuery(policiesQuery)
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-6 overflow-y-auto p-4">
      <section aria-label="Policies" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {data.length === 0 && (
          <p className="text-ink-2">No policies yet: private channels are closed to all but the service role.</p>
        )}
        {data.map((policy) => (
          <Policy key={policy.name} policy={policy} />
        ))}
      </section>
      <Templates />
    </div>
  )
}

function Policy({ policy }: { readonly policy: RealtimePolicy }) {
  const { canReveal: isOwner } = useRights()
  const queryClient = useQueryClient()
  const toast = useToast()
  const drop = useMutation({
    mutationFn: () => api.dropRealtimePolicy(policy.name),
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
function policySql({ name, command, roles, permissive, using, check }: RealtimePolicy): string {
  return [
    `create policy "${name.replaceAll('"', '""')}"`,
    `  on realtime.messages${permissive ? '' : ' as restrictive'} for ${command} to ${roles.join(', ')}`,
    ...(using === null ? [] : [`  using (${using})`]),
    ...(check === null ? [] : [`  with check (${check})`]),
  ].join('\n')
}

function Templates() {
  const [topic, setTopic] = useState('room:*')
  const wanted = useDeferredValue(topic.trim())
  return (
    <section aria-label="Templates" className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t pt-4">
      <h2 className="font-semibold">Policies that most private channels need</h2>
      <Field
        label="Topic"
        value={topic}
        maxLength={1024}
        autoComplete="off"
        onChange={(event) => setTopic(event.target.value)}
        hint="With * at its end: all topics that begin so. They are asked when a channel is joined, and when its token changes."
        className="max-w-[560px]"
      />
      {wanted === '' ? <p className="text-ink-2">Name a topic, or * for all.</p> : <TopicTemplates topic={wanted} />}
    </section>
  )
}

function TopicTemplates({ topic }: { readonly topic: string }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(policyTemplatesQuery(topic))
  const { canReveal: isOwner } = useRights()
  const queryClient = useQueryClient()
  const toast = useToast()
  const apply = useMutation({
    mutationFn: (templateId: string) => api.applyRealtimePolicy({ templateId, topic }),
    onSuccess: () => void toast.add({ title: 'The policy is in force.' }),
    onError: (problem) => void toast.add({ title: 'The policy was not made.', description: errorText(problem) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: policiesQuery.queryKey }),
  })
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows rows={4} />
  return data.map(({ id, title, sql }) => (
    <TitledCode
      key={id}
      title={title}
      level={3}
      sql={sql}
      copyLabel={`Copy: ${title}`}
      action={
        isOwner && (
          <Button size="small" disabled={apply.isPending || isPlaceholderData} onClick={() => apply.mutate(id)}>
            Run
          </Button>
        )
      }
    />
  ))
}
