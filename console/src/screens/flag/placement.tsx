import type { Flag } from '../../lib/api/schemas.ts'
import { Field, Select } from '../../ui/field.tsx'

interface PlacementProps {
  readonly draft: Flag
  readonly onChange: (change: Partial<Flag>) => void
}

/** Where a flag is evaluated, by what a share is counted, and who is held out of it. */
export function Placement({ draft, onChange }: PlacementProps) {
  const { filters, contexts } = draft
  const { holdout } = filters
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <span>A share is of</span>
        <Select
          label="A share is of"
          value={draft.bucketing}
          options={[
            { value: 'distinct_id', label: 'persons' },
            { value: 'device_id', label: 'devices' },
          ]}
          onChange={(bucketing) => onChange({ bucketing })}
        />
      </div>
      <Field
        // Begins again with what is discarded, or saved elsewhere.
        key={contexts.join()}
        label="Evaluation contexts"
        placeholder="everywhere"
        hint="Names that clients send, with commas between; a client with none of them does not see the flag."
        defaultValue={contexts.join(', ')}
        onBlur={({ target: { value } }) => onChange({ contexts: namesOf(value) })}
      />
      <Field
        label="Held out, in per cent"
        type="number"
        min={0}
        max={100}
        step="any"
        placeholder="none"
        hint="They get none of the variants, and the value holdout- with the number of the holdout."
        value={holdout?.exclusion_percentage ?? ''}
        onChange={({ target: { value } }) =>
          onChange({
            filters: {
              ...filters,
              holdout: value === '' ? null : { id: holdout?.id ?? draft.id, exclusion_percentage: Number(value) },
            },
          })
        }
      />
    </>
  )
}

const namesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]
