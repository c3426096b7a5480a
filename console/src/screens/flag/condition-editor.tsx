import { useQuery } from '@tanstack/react-query'
import { groupTypesQuery } from '../../lib/api/queries.ts'
import { FilterRow } from '../../lib/filters/filter-row.tsx'
import { type Condition, newFilter } from '../../lib/filters/filter-texts.ts'
import { LineInput } from '../../lib/filters/line-input.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'

interface ConditionEditorProps {
  /** Counted from 1. */
  readonly number: number
  readonly condition: Condition
  readonly variants: readonly string[]
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

/** One condition: filters that all hold, the share of those who match, and perhaps a variant of its own. */
export function ConditionEditor({ number, condition, variants, onChange, onRemove }: ConditionEditorProps) {
  const { properties = [], rollout_percentage: rollout, variant } = condition
  const setFilters = (next: typeof properties) => onChange({ ...condition, properties: next })
  return (
    <section aria-label={`Condition ${number}`} className="grid gap-2 border-line border-b py-3">
      <header className="flex items-center gap-2">
        <h2 className="font-medium">Condition {number}</h2>
        <span className="text-ink-2">{properties.length === 0 ? 'everybody' : 'all of these hold'}</span>
        <Counted condition={condition} onChange={onChange} />
        <Button look="bare" size="small" className="ml-auto" onClick={onRemove}>
          Remove
        </Button>
      </header>
      {properties.length > 0 && (
        <ul className="grid gap-1.5">
          {properties.map((filter, index) => (
            <FilterRow
              // biome-ignore lint/suspicious/noArrayIndexKey: filters have no name but their place
              key={index}
              filter={filter}
              onChange={(next) => setFilters(properties.map((one, place) => (place === index ? next : one)))}
              onRemove={() => setFilters(properties.filter((_, place) => place !== index))}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => setFilters([...properties, newFilter('person')])}>
          Add a filter
        </Button>
        <div className="ml-auto flex items-center gap-1.5">
          <span className="text-ink-2">for</span>
          <LineInput
            label="Per cent"
            type="number"
            min={0}
            max={100}
            step="any"
            value={rollout ?? 100}
            className="tabular w-20 text-right"
            onChange={({ target: { value } }) =>
              onChange({ ...condition, rollout_percentage: Math.min(Math.max(Number(value), 0), 100) })
            }
          />
          <span className="text-ink-2">% of them</span>
        </div>
        {variants.length > 0 && (
          <Select
            label="Variant"
            value={variant ?? ''}
            options={[
              { value: '', label: 'variant by share' },
              ...variants.map((key) => ({ value: key, label: `always ${key}` })),
            ]}
            onChange={(next) => onChange({ ...condition, variant: next === '' ? null : next })}
          />
        )}
      </div>
    </section>
  )
}

/** Whether a condition counts persons, or groups of a type; nothing to choose where there is no type. */
function Counted({ condition, onChange }: Pick<ConditionEditorProps, 'condition' | 'onChange'>) {
  const { data: types = [] } = useQuery(groupTypesQuery)
  const index = condition.aggregation_group_type_index ?? null
  if (types.length === 0 && index === null) return null
  const named = types.map(({ index: number, type }) => ({ value: String(number), label: `groups: ${type}` }))
  const isKnown = index === null || named.some(({ value }) => value === String(index))
  const setIndex = (next: number | null) => {
    const properties = (condition.properties ?? []).map((filter) =>
      filter.type === 'group' && next !== null ? { ...filter, group_type_index: next } : filter,
    )
    onChange({ ...condition, properties, aggregation_group_type_index: next })
  }
  return (
    <Select
      label="Who is counted"
      value={index === null ? '' : String(index)}
      options={[
        { value: '', label: 'persons' },
        ...named,
        ...(isKnown ? [] : [{ value: String(index), label: `groups: type ${index}` }]),
      ]}
      onChange={(value) => setIndex(value === '' ? null : Number(value))}
    />
  )
}
