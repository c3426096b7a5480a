import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { cohortsQuery } from '../api/queries.ts'
import {
  type ConditionFilter,
  type FilterType,
  filterTypes,
  newFilter,
  operators,
  readValue,
  takesValue,
  valueText,
} from './filter-texts.ts'
import { LineInput } from './line-input.tsx'

interface FilterRowProps {
  readonly filter: ConditionFilter
  /** What it may look at; everything when absent. */
  readonly types?: readonly FilterType[]
  readonly onChange: (filter: ConditionFilter) => void
  readonly onRemove: () => void
}

/** One filter of a condition, as a sentence of controls. */
export function FilterRow({ filter, types, onChange, onRemove }: FilterRowProps) {
  const { type = 'person' } = filter
  return (
    <li className="flex flex-wrap items-center gap-1.5">
      <Select
        label="What it looks at"
        value={type}
        options={types === undefined ? filterTypes : filterTypes.filter(({ value }) => types.includes(value))}
        onChange={(next) => onChange(newFilter(next))}
      />
      <Subject filter={filter} onChange={onChange} />
      <Button look="bare" size="icon" aria-label="Remove the filter" onClick={onRemove}>
        <X aria-hidden="true" className="size-3.5" />
      </Button>
    </li>
  )
}

type SubjectProps = Pick<FilterRowProps, 'filter' | 'onChange'>

function Subject({ filter, onChange }: SubjectProps) {
  const text = (name: 'key' | 'table' | 'match' | 'column', label: string, className = 'w-36') => (
    <LineInput
      label={label}
      value={filter[name] ?? ''}
      className={className}
      onChange={(event) => onChange({ ...filter, [name]: event.target.value })}
    />
  )
  switch (filter.type ?? 'person') {
    case 'cohort':
      return (
        <>
          <Select
            label="Membership"
            value={filter.operator ?? 'in'}
            options={[
              { value: 'in', label: 'is in' },
              { value: 'not_in', label: 'is not in' },
            ]}
            onChange={(operator) => onChange({ ...filter, operator })}
          />
          <CohortSelect value={valueText(filter.value)} onChange={(value) => onChange({ ...filter, value })} />
        </>
      )
    case 'flag':
      return (
        <>
          {text('key', 'Key of a flag', 'w-44')}
          <span className="text-ink-2">is</span>
          <LineInput
            label="true, false or a variant"
            value={valueText(filter.value)}
            className="w-44"
            onChange={({ target: { value } }) =>
              onChange({ ...filter, value: value === 'true' ? true : value === 'false' ? false : value })
            }
          />
        </>
      )
    case 'row':
      return (
        <>
          {text('table', 'Table')}
          <span className="text-ink-2">of the user in</span>
          {text('match', 'Column with the user’s id', 'w-28')}
          <span className="text-ink-2">:</span>
          {text('column', 'Column', 'w-28')}
          <Comparison filter={filter} onChange={onChange} />
        </>
      )
    case 'person':
    case 'group':
      return (
        <>
          {text('key', 'Property')}
          <Comparison filter={filter} onChange={onChange} />
        </>
      )
  }
}

interface CohortSelectProps {
  /** Its number, as text; empty for none yet. */
  readonly value: string
  readonly onChange: (value: string) => void
}

function CohortSelect({ value, onChange }: CohortSelectProps) {
  const { data: cohorts = [] } = useQuery(cohortsQuery)
  const known = cohorts.map(({ id, name }) => ({ value: String(id), label: name }))
  const isKnown = known.some((one) => one.value === value)
  const first = { value, label: value === '' ? 'choose a cohort' : `cohort ${value}` }
  return <Select label="Cohort" value={value} options={isKnown ? known : [first, ...known]} onChange={onChange} />
}

function Comparison({ filter, onChange }: SubjectProps) {
  const operator = filter.operator ?? 'exact'
  const known = operators.some(({ value }) => value === operator)
  return (
    <>
      <Select
        label="Operator"
        value={operator}
        options={known ? operators : [...operators, { value: operator, label: operator }]}
        onChange={(next) => onChange({ ...filter, operator: next })}
      />
      {takesValue(operator) && (
        <LineInput
          label="Value"
          value={valueText(filter.value)}
          className="w-44 flex-1"
          onChange={(event) => onChange({ ...filter, value: event.target.value })}
          // A comma ends an item: the list is read when typing has ended, so that it can be typed.
          onBlur={(event) => onChange({ ...filter, value: readValue(event.target.value, operator) })}
        />
      )}
    </>
  )
}
