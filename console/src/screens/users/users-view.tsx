import { Link } from '@tanstack/react-router'
import type { UserSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { Chip, toneText } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { signInDays, type UsersFilter, userStates } from './search.ts'

interface UsersProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<UserSummary> | undefined
  readonly filter: UsersFilter
  readonly onFilter: (filter: UsersFilter) => void
  readonly onOpen: (user: UserSummary) => void
  readonly onEnd: () => void
}

const stateTones = {
  confirmed: 'quiet',
  unconfirmed: 'warn',
  banned: 'danger',
  anonymous: 'quiet',
  deleted: 'quiet',
} as const

const columns: readonly TableColumn<UserSummary>[] = [
  {
    id: 'user',
    title: 'User',
    cell: ({ id, email, phone, name }) => (
      <>
        <Link to="/users/$id" params={{ id }} className="font-medium hover:underline">
          {email ?? phone ?? <span className="mono">{id}</span>}
        </Link>
        {name && <span className="ml-2 text-ink-2">{name}</span>}
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    width: 104,
    from: 'narrow',
    cell: ({ state }) => <span className={toneText[stateTones[state]]}>{state}</span>,
  },
  {
    id: 'providers',
    title: 'Signs in with',
    width: 160,
    from: 'wide',
    cell: ({ providers }) => <span className="text-ink-2">{providers.join(', ') || '–'}</span>,
  },
  {
    id: 'created',
    title: 'Created',
    width: 104,
    from: 'sheet',
    cell: ({ createdAt }) => (createdAt ? <Time at={createdAt} className="text-ink-2" /> : '–'),
  },
  {
    id: 'last',
    title: 'Last sign-in',
    width: 104,
    cell: ({ lastSignInAt }) => (lastSignInAt ? <Time at={lastSignInAt} /> : <span className="text-ink-2">never</span>),
  },
]

const anyTime = 'any'
const dayOptions = [
  { value: anyTime, label: 'Signed in at any time' },
  ...Object.entries(signInDays).map(([value, text]) => ({ value, label: `Signed in ${text}` })),
]

/** The application's users, newest first. */
export function UsersView({ list, filter, onFilter, onOpen, onEnd }: UsersProps) {
  const { q, state, provider, days, ...others } = filter
  const isFiltered = Boolean(q || state || provider || days)
  const set = (change: { readonly [Name in keyof UsersFilter]?: UsersFilter[Name] | undefined }) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== '')
    onFilter({ ...others, ...Object.fromEntries(next) })
  }
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        <Filter
          label="Filter by email, phone, name or id"
          value={q ?? ''}
          onChange={(next) => set({ q: next })}
          className="min-w-40 max-sheet:basis-full"
        />
        {userStates.map((name) => (
          <Chip key={name} on={state === name} onToggle={(on) => set({ state: on ? name : undefined })}>
            {name}
          </Chip>
        ))}
        {provider && (
          <Chip on onToggle={() => set({ provider: undefined })}>
            {provider}
          </Chip>
        )}
        <Select
          label="Last sign-in"
          value={days ?? anyTime}
          options={dayOptions}
          onChange={(value) => set({ days: (['1', '7', '30'] as const).find((each) => each === value) })}
        />
      </div>
      {list === undefined ? (
        <SkeletonRows rows={18} />
      ) : list.items.length > 0 ? (
        <Table
          label="Users"
          columns={columns}
          rows={list.items}
          rowKey={({ id }) => id}
          onOpen={onOpen}
          onEnd={onEnd}
        />
      ) : isFiltered ? (
        <Empty title="No users match this filter.">
          <p>
            <Button onClick={() => onFilter({})}>Show all users</Button>
          </p>
        </Empty>
      ) : (
        <Empty title="No users yet.">
          <p>Everyone who signs up in your application appears here. You may also create a user, or invite one.</p>
        </Empty>
      )}
    </>
  )
}
