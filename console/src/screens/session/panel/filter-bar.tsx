import type { ReactNode } from 'react'
import { Chip } from '../../../ui/badge.tsx'
import { Filter } from '../../../ui/field.tsx'

interface FilterBarProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Beside the text. */
  readonly children?: ReactNode
}

/** What narrows a list of the panel. */
export function FilterBar({ children, ...filter }: FilterBarProps) {
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1">
      <Filter {...filter} className="min-w-32 flex-1" />
      {children}
    </div>
  )
}

interface CountedChipsProps<Name extends string> {
  /** How many there are of each; those that there are none of are not drawn. */
  readonly counts: ReadonlyMap<string, number>
  readonly names: readonly Name[]
  /** None: all of them. */
  readonly on: readonly Name[]
  readonly onChange: (on: readonly Name[]) => void
}

/** Kinds of a list with their counts: those that are on are shown, or all where none is. */
export function CountedChips<Name extends string>({ counts, names, on, onChange }: CountedChipsProps<Name>) {
  return names
    .filter((name) => counts.has(name) || on.includes(name))
    .map((name) => (
      <Chip
        key={name}
        on={on.includes(name)}
        onToggle={(chosen) => onChange(names.filter((one) => (one === name ? chosen : on.includes(one))))}
      >
        {name} <span className="tabular ml-1 text-ink-2">{(counts.get(name) ?? 0).toLocaleString('en-GB')}</span>
      </Chip>
    ))
}

/** How often each name comes. */
export function countBy<Item, Name extends string>(
  items: readonly Item[],
  nameOf: (item: Item) => Name,
): ReadonlyMap<Name, number> {
  const counts = new Map<Name, number>()
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1)
  return counts
}

/** Whether a line holds the text of the filter, in any case. */
export const holds = (text: string, filter: string): boolean => text.toLowerCase().includes(filter.trim().toLowerCase())

/** Said of a list in which nothing fits. */
export const noMatch = 'No lines match this filter.'
