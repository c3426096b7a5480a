import { Chip } from '../../ui/badge.tsx'
import type { SessionFilter } from './queries.ts'

type ChipName = Exclude<keyof SessionFilter, 'q' | 'live' | 'errors' | 'sort'>

const said: Readonly<Record<ChipName, (value: string) => string>> = {
  from: (value) => `since ${value}`,
  to: (value) => `until ${value}`,
  seconds: (value) => `longer than ${value} s`,
  country: (value) => `from ${new Intl.DisplayNames('en', { type: 'region', fallback: 'code' }).of(value) ?? value}`,
  status: (value) => `a request answered ${value}`,
  requestMs: (value) => `a request of ${value} ms or more`,
  statementMs: (value) => `a statement of ${value} ms or more`,
  table: (value) => `changed ${value}`,
  flag: (value) => `was shown ${value}`,
}

interface FilterChipsProps {
  readonly filter: SessionFilter
  readonly onFilter: (filter: SessionFilter) => void
}

/** What the list is narrowed to, each part taken off by a click. */
export function FilterChips({ filter, onFilter }: FilterChipsProps) {
  return Object.entries(said).map(([name, words]) => {
    const value = filter[name as ChipName]
    if (value === undefined) return null
    const { [name as ChipName]: _removed, ...rest } = filter
    return (
      <Chip key={name} on onToggle={() => onFilter(rest)}>
        {words(String(value))}
        <span aria-hidden="true" className="ml-1">
          ×
        </span>
      </Chip>
    )
  })
}
