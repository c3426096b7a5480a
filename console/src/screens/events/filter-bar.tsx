import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { filterText, filterWords } from '../../lib/filters/property-filter.ts'
import { Chip } from '../../ui/badge.tsx'
import { Select } from '../../ui/field.tsx'
import { PropertyForm } from './property-form.tsx'
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

/** Which events: by name, by their properties, by person and session where a link names them, by time. */
export function EventsFilterBar({ filter, names, properties, onNaming, onFilter }: FilterBarProps) {
  const { event, person, session, filter: asked = [], range } = filter
  const set = (changes: EventsFilter) => onFilter(without(filter, changes))
  return (
    <Bar>
      <EventSelect event={event} names={names} onEvent={(next) => set({ event: next })} />
      <PropertyForm
        offered={properties}
        onNaming={onNaming}
        onProperty={(added) => set({ filter: [...new Set([...asked, filterText(added)])] })}
      />
      {asked.map((one) => (
        <Without key={one} onRemove={() => set({ filter: asked.filter((other) => other !== one) })}>
          {filterWords(one)}
        </Without>
      ))}
      {person && <Without onRemove={() => set({ person: '' })}>of one person</Without>}
      {session && <Without onRemove={() => set({ session: '' })}>of one session</Without>}
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

function Without({ children, onRemove }: { readonly children: string; readonly onRemove: () => void }) {
  return (
    <Chip on onToggle={onRemove}>
      <span className="max-w-80 truncate">{children}</span> <X aria-hidden="true" className="ml-1 size-3 shrink-0" />
    </Chip>
  )
}

/** What is empty, or as usual, needs no place in the address. */
function without(filter: EventsFilter, changes: EventsFilter): EventsFilter {
  const next = { ...filter, ...changes }
  return Object.fromEntries(
    Object.entries(next).filter(([name, value]) => value.length > 0 && !(name === 'range' && value === usualRange)),
  )
}
