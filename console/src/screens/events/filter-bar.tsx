import { X } from 'lucide-react'
import { type FormEvent, useId } from 'react'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { type EventsFilter, eventRanges, usualRange } from './search.ts'

/** An event's name, and how often it came. */
export interface NamedEvent {
  readonly name: string
  readonly count: number
}

interface FilterBarProps {
  readonly filter: EventsFilter
  readonly names: readonly NamedEvent[]
  readonly onFilter: (filter: EventsFilter) => void
}

const line = 'h-7 min-w-0 rounded-control border border-line bg-surface px-2 text-ink'

/** Which events: by name, by a property and its value, by person and session where a link names them, by time. */
export function EventsFilterBar({ filter, names, onFilter }: FilterBarProps) {
  const { event = '', person, session, property, value, range = usualRange } = filter
  const set = (changes: EventsFilter) => onFilter(without(filter, changes))
  // A link may name one that no event of the range has.
  const known = event === '' || names.some(({ name }) => name === event) ? names : [{ name: event, count: 0 }, ...names]
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
      <Select
        label="Event"
        value={event}
        options={[
          { value: '', label: 'All events' },
          ...known.map(({ name, count }) => ({ value: name, label: `${name} (${count.toLocaleString('en-GB')})` })),
        ]}
        onChange={(next) => set({ event: next })}
        className="max-w-60"
      />
      <PropertyForm property={property} value={value} onProperty={set} />
      {person && <Without name="one person" onRemove={() => set({ person: '' })} />}
      {session && <Without name="one session" onRemove={() => set({ session: '' })} />}
      <span className="ml-auto flex gap-1.5">
        {eventRanges.map((name) => (
          <Chip key={name} on={range === name} onToggle={(on) => on && set({ range: name })}>
            {name}
          </Chip>
        ))}
      </span>
    </div>
  )
}

interface PropertyFormProps {
  readonly property: string | undefined
  readonly value: string | undefined
  readonly onProperty: (filter: Pick<EventsFilter, 'property' | 'value'>) => void
}

/** A property and what it is to be; without a value it is only to be there. */
function PropertyForm({ property, value, onProperty }: PropertyFormProps) {
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = String(form.get('property')).trim()
    onProperty({ property: name, value: name === '' ? '' : String(form.get('value')) })
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 items-center gap-1">
      <input
        aria-label="Property"
        name="property"
        placeholder="property"
        defaultValue={property ?? ''}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        className={`${line} mono w-32`}
      />
      <label htmlFor={id} className="text-ink-2">
        =
      </label>
      <input
        id={id}
        aria-label="Value of the property"
        name="value"
        placeholder="any value"
        defaultValue={value ?? ''}
        maxLength={1000}
        autoComplete="off"
        spellCheck={false}
        className={`${line} mono w-32`}
      />
      <Button type="submit">Filter</Button>
      {property && (
        <Button
          look="bare"
          size="icon"
          aria-label="Clear the property"
          onClick={() => onProperty({ property: '', value: '' })}
        >
          <X aria-hidden="true" className="size-3.5" />
        </Button>
      )}
    </form>
  )
}

function Without({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return (
    <Chip on onToggle={onRemove}>
      of {name} <X aria-hidden="true" className="ml-1 size-3" />
    </Chip>
  )
}

/** What is empty, or as usual, needs no place in the address. */
function without(filter: EventsFilter, changes: EventsFilter): EventsFilter {
  const next = { ...filter, ...changes }
  return Object.fromEntries(
    Object.entries(next).filter(([name, value]) => value !== '' && !(name === 'range' && value === usualRange)),
  )
}
