import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Flag } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { flagOverridesQuery, flagQuery } from './queries.ts'

const shownValue = (value: boolean | string): string => (value === true ? 'on' : value === false ? 'off' : value)

/** Values that stand above the conditions, for single persons. */
export function Overrides({ flag }: { readonly flag: Flag }) {
  const queryClient = useQueryClient()
  const { data, error } = useQuery(flagOverridesQuery(flag.key))
  const set = useMutation({
    mutationFn: ({ distinctId, value }: { distinctId: string; value: boolean | string | null }) =>
      api.overrideFlag(flag.key, { distinctId, value }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: flagOverridesQuery(flag.key).queryKey }),
        queryClient.invalidateQueries({ queryKey: flagQuery(flag.key).queryKey }),
      ]),
  })
  const variants = (flag.filters.multivariate?.variants ?? []).map(({ key }) => key)
  const problem = set.error ?? error
  return (
    <section aria-label="Values of single persons" className="grid gap-3 border-line border-t pt-4">
      <h2 className="font-medium">Values of single persons</h2>
      <p className="text-ink-2">They stand above every condition, while the flag is active.</p>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const data = new FormData(form)
          const value = String(data.get('value'))
          set.mutate(
            {
              distinctId: String(data.get('distinctId')),
              value: value === 'on' ? true : value === 'off' ? false : value.slice(variantPrefix.length),
            },
            // What was refused stays, to be mended.
            { onSuccess: () => form.reset() },
          )
        }}
      >
        <Field
          label="Distinct id of the person"
          name="distinctId"
          required
          maxLength={200}
          className="flex-1"
          autoComplete="off"
        />
        <select
          aria-label="Value for the person"
          name="value"
          className="h-8 rounded-control border border-line bg-surface pr-1 pl-2 text-ink"
        >
          <option value="on">on</option>
          <option value="off">off</option>
          {variants.map((key) => (
            <option key={key} value={`${variantPrefix}${key}`}>
              {key}
            </option>
          ))}
        </select>
        <Button type="submit" className="h-8" disabled={set.isPending}>
          Set
        </Button>
      </form>
      {problem && (
        <p role="alert" className="text-danger">
          {errorText(problem)}
        </p>
      )}
      {data && data.length > 0 && (
        <SetValues values={data} onRemove={(distinctId) => set.mutate({ distinctId, value: null })} />
      )}
    </section>
  )
}

interface SetValuesProps {
  readonly values: readonly { readonly distinctId: string; readonly value: boolean | string }[]
  readonly onRemove: (distinctId: string) => void
}

const SetValues = ({ values, onRemove }: SetValuesProps) => (
  <ul aria-label="Persons with a value of their own" className="grid">
    {values.map(({ distinctId, value }) => (
      <li key={distinctId} className="flex h-8 items-center gap-3 border-line border-b">
        <span className="mono min-w-0 flex-1 truncate" title={distinctId}>
          {distinctId}
        </span>
        <span>{shownValue(value)}</span>
        <Button
          look="bare"
          size="icon"
          aria-label={`Take the value of ${distinctId} away`}
          onClick={() => onRemove(distinctId)}
        >
          <X aria-hidden="true" className="size-3.5" />
        </Button>
      </li>
    ))}
  </ul>
)

/** A variant may be named `on`. */
const variantPrefix = 'variant:'
