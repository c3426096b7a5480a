import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useId } from 'react'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Offered, Select } from '../../ui/field.tsx'
import { type EventsFilter, eventRanges, type PropertiesFilter, usualRange } from './search.ts'

/** An event's name, and how often it came. */
export interface NamedEvent {
  readonly name: string
  readonly count: number
}

interface FilterBarProps {
  readonly filter: EventsFilter
  readonly names: readonly NamedEvent[]
  /** The names that are offered for a property. */
  readonly properties: readonly string[]
  /** A property is about to be named. */
  readonly onNaming: () => void
  readonly onFilter: (filter: EventsFilter) => void
}

const line = 'h-7 min-w-0 rounded-control border border-line bg-surface px-2 text-ink'

/** Which events: by name, by a property and its value, by person and session where a link names them, by time. */
export function EventsFilterBar({ filter, names, properties, onNaming, onFilter }: FilterBarProps) {
  const { event, person, session, property, value, range } = filter
  const set = (changes: EventsFilter) => onFilter(without(filter, changes))
  return (
    <Bar>
      <EventSelect event={event} names={names} onEvent={(next) => set({ event: next })} />
      <PropertyForm property={property} value={value} offered={properties} onNaming={onNaming} onProperty={set} />
      {person && <Without name="one person" onRemove={() => set({ person: '' })} />}
      {session && <Without name="one session" onRemove={() => set({ session: '' })} />}
      <RangeChips range={range} onRange={(next) => set({ range: next })} />
    </Bar>
  )
}

interface PropertiesBarProps {
  readonly filter: PropertiesFilter
  readonly names: readonly NamedEvent[]
  readonly onFilter: (filter: PropertiesFilter) => void
}

/** Of which events the properties are: by name and time. */
export function PropertiesBar({ filter, names, onFilter }: PropertiesBarProps) {
  const set = (changes: PropertiesFilter) => onFilter(without(filter, changes))
  return (
    <Bar>
      <EventSelect event={filter.event} names={names} onEvent={(event) => set({ event })} />
      <RangeChips range={filter.range} onRange={(range) => set({ range })} />
    </Bar>
  )
}

const Bar = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
    {children}
  </div>
)

interface EventSelectProps {
  readonly event: string | undefined
  readonly names: readonly NamedEvent[]
  readonly onEvent: (event: string) => void
}

function EventSelect({ event = '', names, onEvent }: EventSelectProps) {
  // A link may name one that no event of the range has.
  const known = event === '' || names.some(({ name }) => name === event) ? names : [{ name: event, count: 0 }, ...names]
  return (
    <Select
      label="Event"
      value={event}
      options={[
        { value: '', label: 'All events' },
        ...known.map(({ name, count }) => ({ value: name, label: `${name} (${count.toLocaleString('en-GB')})` })),
      ]}
      onChange={onEvent}
      className="max-w-60"
    />
  )
}

type Range = NonNullable<EventsFilter['range']>

interface RangeChipsProps {
  readonly range: Range | undefined
  readonly onRange: (range: Range) => void
}

const RangeChips = ({ range = usualRange, onRange }: RangeChipsProps) => (
  <span className="ml-auto flex gap-1.5">
    {eventRanges.map((name) => (
      <Chip key={name} on={range === name} onToggle={(on) => on && onRange(name)}>
        {name}
      </Chip>
    ))}
  </span>
)

interface PropertyFormProps {
  readonly property: string | undefined
  readonly value: string | undefined
  readonly offered: readonly string[]
  readonly onNaming: () => void
  readonly onProperty: (filter: Pick<EventsFilter, 'property' | 'value'>) => void
}

/** A property and what it is to be; without a value it is only to be there. */
function PropertyForm({ property, value, offered, onNaming, onProperty }: PropertyFormProps) {
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
        list={`${id}-offered`}
        onFocus={onNaming}
        placeholder="property"
        defaultValue={property ?? ''}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        className={`${line} mono w-32`}
      />
      <Offered id={`${id}-offered`} texts={offered} />
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
