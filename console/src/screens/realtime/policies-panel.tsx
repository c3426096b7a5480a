import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import { PolicyCard, PolicyTemplates } from '../../policies/policy-list.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
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
          <PolicyCard
            key={policy.name}
            policy={policy}
            table="realtime.messages"
            drop={() => api.dropRealtimePolicy(policy.name)}
            listKey={policiesQuery.queryKey}
          />
        ))}
      </section>
      <Templates />
    </div>
  )
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
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows rows={4} />
  return (
    <PolicyTemplates
      templates={data}
      apply={(templateId) => api.applyRealtimePolicy({ templateId, topic })}
      listKey={policiesQuery.queryKey}
      isOutdated={isPlaceholderData}
    />
  )
}
