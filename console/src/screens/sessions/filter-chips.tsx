import { FilterChips as Chips, type FilterWords } from '../../lib/filters/filter-chips.tsx'
import type { SessionFilter } from './queries.ts'

const words: FilterWords<SessionFilter> = {
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

/** What the list of sessions is narrowed to, each part taken off by a click. */
export const FilterChips = ({ filter, onFilter }: FilterChipsProps) => (
  <Chips filter={filter} words={words} onFilter={onFilter} />
)
