import { type FormEvent, useId, useState } from 'react'
import { takesValue } from '../../lib/filters/filter-texts.ts'
import { LineInput } from '../../lib/filters/line-input.tsx'
import { eventOperators, type PropertyFilter } from '../../lib/filters/property-filter.ts'
import { Button } from '../../ui/button.tsx'
import { Offered, Select } from '../../ui/field.tsx'

interface PropertyFormProps {
  /** The names that are offered for a property. */
  readonly offered: readonly string[]
  /** A property is about to be named. */
  readonly onNaming: () => void
  readonly onProperty: (filter: PropertyFilter) => void
}

const empty: PropertyFilter = { property: '', operator: 'exact', value: '' }

/** What else is to hold of a property. */
export function PropertyForm({ offered, onNaming, onProperty }: PropertyFormProps) {
  const id = useId()
  const [draft, setDraft] = useState(empty)
  const { property, operator, value } = draft
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onProperty({ ...draft, property: property.trim() })
    setDraft({ ...empty, operator })
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 flex-wrap items-center gap-1">
      <LineInput
        label="Property"
        value={property}
        onChange={(event) => setDraft({ ...draft, property: event.target.value })}
        list={`${id}-offered`}
        onFocus={onNaming}
        required
        pattern=".*\S.*"
        maxLength={200}
        spellCheck={false}
        className="mono w-32"
      />
      <Offered id={`${id}-offered`} texts={offered} />
      <Select
        label="Operator"
        value={operator}
        options={eventOperators}
        onChange={(next) => setDraft({ ...draft, operator: next })}
      />
      {takesValue(operator) && (
        <LineInput
          label="Value"
          value={value}
          onChange={(event) => setDraft({ ...draft, value: event.target.value })}
          required
          maxLength={1000}
          spellCheck={false}
          className="mono w-32"
        />
      )}
      <Button type="submit">Filter</Button>
    </form>
  )
}
