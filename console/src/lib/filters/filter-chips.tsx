import { Chip } from '../../ui/badge.tsx'

/** What each part of a filter says on its chip, in the order of the chips. */
export type FilterWords<Filter> = { readonly [Name in keyof Filter]?: (value: string) => string }

interface FilterChipsProps<Filter> {
  readonly filter: Filter
  readonly words: FilterWords<Filter>
  readonly onFilter: (filter: Omit<Filter, keyof Filter>) => void
}

/** What a list is narrowed to, each part taken off by a click. */
export function FilterChips<Filter extends object>({ filter, words, onFilter }: FilterChipsProps<Filter>) {
  // A filter's own names are the keys of its words.
  const names = Object.keys(words) as (keyof Filter)[]
  return names.map((name) => {
    const value = filter[name]
    if (value === undefined) return null
    const { [name]: _removed, ...rest } = filter
    return (
      <Chip key={String(name)} on onToggle={() => onFilter(rest)}>
        {words[name]?.(String(value))}
        <span aria-hidden="true" className="ml-1">
          ×
        </span>
      </Chip>
    )
  })
}
