import { Link } from '@tanstack/react-router'
import type { UserSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { toneText } from '../../ui/badge.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { selectColumn } from '../../ui/select-column.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import type { UsersFilter } from './search.ts'
import { UsersFilterBar } from './users-filter-bar.tsx'

interface UsersProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<UserSummary> | undefined
  readonly filter: UsersFilter
  readonly onFilter: (filter: UsersFilter) => void
  readonly onOpen: (user: UserSummary) => void
  readonly onEnd: () => void
  /** Ids of those that are chosen for an action. */
  readonly selected: ReadonlySet<string>
  readonly onSelect: (ids: readonly string[]) => void
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

const nameOf = ({ id, email, phone }: UserSummary) => email ?? phone ?? id

/** The application's users, the latest first; some of them chosen. */
export function UsersView({ list, filter, onFilter, onOpen, onEnd, selected, onSelect }: UsersProps) {
  const { sort: _, ...narrowing } = filter
  const users = list?.items ?? []
  return (
    <>
      <UsersFilterBar
        filter={filter}
        providers={[...new Set(users.flatMap(({ providers }) => providers))].toSorted()}
        onFilter={onFilter}
      />
      <ListTable
        label="Users"
        columns={[selectColumn({ items: users, keyOf: ({ id }) => id, nameOf, selected, onSelect }), ...columns]}
        rows={list && users}
        bars={18}
        rowKey={({ id }) => id}
        onOpen={onOpen}
        onEnd={onEnd}
        none={
          Object.keys(narrowing).length > 0 ? (
            <NoMatch title="No users match this filter." all="Show all users" onAll={() => onFilter({})} />
          ) : (
            <Empty title="No users yet.">
              <p>Everyone who signs up in your application appears here. You may also create a user, or invite one.</p>
            </Empty>
          )
        }
      />
    </>
  )
}
