import { useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { groupTypesQuery } from '../../lib/api/queries.ts'
import type { Flag } from '../../lib/api/schemas.ts'
import { flagReason } from '../../lib/flag-reason.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { Overrides } from './overrides.tsx'

/** What one person gets of a flag, and why. */
export function PersonCheck({ flag }: { readonly flag: Flag }) {
  const { data: types = [] } = useQuery(groupTypesQuery)
  const evaluate = useMutation({
    mutationFn: (asked: { distinctId: string; groups: Record<string, string> }) => api.evaluateFlag(flag.key, asked),
  })
  const { data } = evaluate
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const groups = types.map(({ type }) => [type, String(form.get(`group-${type}`)).trim()] as const)
    evaluate.mutate({
      distinctId: String(form.get('distinctId')),
      groups: Object.fromEntries(groups.filter(([, key]) => key !== '')),
    })
  }
  return (
    <div className="grid max-w-[640px] content-start gap-4 overflow-y-auto p-4">
      <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
        <Field label="Distinct id" name="distinctId" required maxLength={200} className="flex-1" autoComplete="off" />
        {types.map(({ type }) => (
          <Field
            key={type}
            label={`Key of the ${type}`}
            name={`group-${type}`}
            placeholder="none"
            maxLength={400}
            autoComplete="off"
          />
        ))}
        <Button type="submit" className="h-8" disabled={evaluate.isPending}>
          Evaluate
        </Button>
      </form>
      {evaluate.error && (
        <p role="alert" className="text-danger">
          {errorText(evaluate.error)}
        </p>
      )}
      {data && (
        <section aria-label="What the person gets" className="grid gap-3">
          <Facts>
            <Fact name="Value">
              <Badge tone={data.value === false ? 'quiet' : 'ok'}>
                {data.value === true ? 'on' : data.value === false ? 'off' : data.value}
              </Badge>
            </Fact>
            <Fact name="Because">{flagReason(data.reason)}</Fact>
            <Fact name="Payload">{data.payload ?? <span className="text-ink-2">none</span>}</Fact>
            <Fact name="Person">
              {data.isKnown ? 'known, with these properties' : <span className="text-ink-2">not stored</span>}
            </Fact>
          </Facts>
          {data.isKnown && <Code text={JSON.stringify(data.properties, null, 2)} copyLabel="Copy the properties" />}
        </section>
      )}
      <Overrides flag={flag} />
    </div>
  )
}
