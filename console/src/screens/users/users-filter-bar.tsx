import { Chip } from '../../ui/badge.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { readDays, type UsersFilter, userStates, withinDays } from './search.ts'

interface UsersFilterBarProps {
  readonly filter: UsersFilter
  /** Those that the loaded users sign in with. */
  readonly providers: readonly string[]
  readonly onFilter: (filter: UsersFilter) => void
}

const any = 'any'
const daysOf = (what: string) => [
  { value: any, label: `${what} at any time` },
  ...Object.entries(withinDays).map(([value, text]) => ({ value, label: `${what} ${text}` })),
]
const sorts = [
  { value: 'created', label: 'Newest first' },
  { value: 'signed in', label: 'Last sign-in first' },
] as const

/** What narrows the list of users, and its order. */
export function UsersFilterBar({ filter, providers, onFilter }: UsersFilterBarProps) {
  const { q = '', state, provider, days, created, sort } = filter
  const set = (change: { readonly [Name in keyof UsersFilter]?: UsersFilter[Name] | undefined }) =>
    onFilter(
      Object.fromEntries(
        Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== ''),
      ),
    )
  // A link may name one that no loaded user has.
  const names = provider === undefined || providers.includes(provider) ? providers : [...providers, provider]
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
      <Filter
        label="Filter by email, phone, name or id"
        value={q}
        onChange={(next) => set({ q: next })}
        className="min-w-40 max-sheet:basis-full"
      />
      {userStates.map((name) => (
        <Chip key={name} on={state === name} onToggle={(on) => set({ state: on ? name : undefined })}>
          {name}
        </Chip>
      ))}
      <Select
        label="Provider"
        value={provider ?? any}
        options={[{ value: any, label: 'Any provider' }, ...names.map((name) => ({ value: name, label: name }))]}
        onChange={(name) => set({ provider: name === any ? undefined : name })}
      />
      <Select
        label="Created"
        value={created ?? any}
        options={daysOf('Created')}
        onChange={(value) => set({ created: readDays(value) })}
      />
      <Select
        label="Last sign-in"
        value={days ?? any}
        options={daysOf('Signed in')}
        onChange={(value) => set({ days: readDays(value) })}
      />
      <Select
        label="Order"
        value={sort ?? 'created'}
        options={sorts}
        onChange={(value) => set({ sort: value === 'created' ? undefined : value })}
      />
    </div>
  )
}
