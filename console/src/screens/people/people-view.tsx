import { Link } from '@tanstack/react-router'
import type { Instance, PersonSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { personDetail, personKind, personName } from '../../lib/person.ts'
import { Chip } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'
import { type PeopleFilter, personKinds } from './search.ts'

interface PeopleProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<PersonSummary> | undefined
  readonly filter: PeopleFilter
  readonly instance: Instance | undefined
  readonly onFilter: (filter: PeopleFilter) => void
  readonly onOpen: (person: PersonSummary) => void
  readonly onEnd: () => void
}

const columns: readonly TableColumn<PersonSummary>[] = [
  {
    id: 'person',
    title: 'Person',
    cell: (person) => (
      <>
        <Link to="/people/$id" params={{ id: person.id }} className="font-medium hover:underline">
          {personName(person)}
        </Link>
        <span className="ml-2 text-ink-2">{personDetail(person)}</span>
      </>
    ),
  },
  {
    id: 'kind',
    title: 'Known as',
    width: 96,
    from: 'narrow',
    cell: (person) => <span className="text-ink-2">{personKind(person)}</span>,
  },
  {
    id: 'country',
    title: 'Country',
    width: 128,
    from: 'wide',
    cell: ({ country }) => (country ? <span title={country.code}>{country.name}</span> : <None />),
  },
  {
    id: 'first',
    title: 'First seen',
    width: 96,
    from: 'sheet',
    cell: ({ firstSeenAt }) => <Time at={firstSeenAt} className="text-ink-2" />,
  },
  {
    id: 'last',
    title: 'Last seen',
    width: 96,
    cell: ({ lastSeenAt }) => (lastSeenAt ? <Time at={lastSeenAt} /> : <None />),
  },
  lately('sessions', 'Sessions', 'narrow'),
  lately('events', 'Events', 'sheet'),
]

function lately(id: 'sessions' | 'events', title: string, from: 'narrow' | 'sheet'): TableColumn<PersonSummary> {
  return {
    ...{ id, width: 84, align: 'right', from },
    title: <span title="Of the last 30 days">{title}</span>,
    cell: ({ [id]: count }) => (count > 0 ? <Count value={count} /> : <None />),
  }
}

/** The columns, of which that of the order says so. */
const columnsBy = (id: 'first' | 'last'): readonly TableColumn<PersonSummary>[] =>
  columns.map((column) => {
    if (column.id !== id) return column
    // What a list is by is shown on a narrow screen, too.
    const { from: _from, ...shown } = column
    return { ...shown, sorted: 'descending' as const }
  })

const sorts = [
  { value: 'last_seen', label: 'Last seen first' },
  { value: 'first_seen', label: 'Newest first' },
] as const

const kindText = { identified: 'identified', anonymous: 'anonymous', users: 'signed-up users' } as const

/** Everybody who left something, those seen latest first, each with what they did lately. */
export function PeopleView({ list, filter, instance, onFilter, onOpen, onEnd }: PeopleProps) {
  const { q, kind, sort } = filter
  const narrowed = q !== undefined || kind !== undefined
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        <Filter
          label="Filter by name, e-mail or id"
          value={q ?? ''}
          onChange={(next) => onFilter({ ...(sort && { sort }), ...(kind && { kind }), ...(next && { q: next }) })}
          className="min-w-40 max-sheet:basis-full"
        />
        {personKinds.map((name) => (
          <Chip
            key={name}
            on={kind === name}
            onToggle={(on) => onFilter({ ...(sort && { sort }), ...(q && { q }), ...(on && { kind: name }) })}
          >
            {kindText[name]}
          </Chip>
        ))}
        <Select
          label="Order"
          value={sort ?? 'last_seen'}
          options={sorts}
          onChange={(next) =>
            onFilter({ ...(q && { q }), ...(kind && { kind }), ...(next === 'first_seen' && { sort: next }) })
          }
        />
      </div>
      <ListTable
        label="People"
        columns={columnsBy(sort === 'first_seen' ? 'first' : 'last')}
        rows={list?.items}
        bars={18}
        rowKey={({ id }) => id}
        onOpen={onOpen}
        onEnd={onEnd}
        none={
          narrowed ? (
            <NoMatch
              title="No people match this filter."
              all="Show all people"
              onAll={() => onFilter(sort ? { sort } : {})}
            >
              <p>Names and e-mail addresses are found by the beginnings of their words, ids by their beginning.</p>
            </NoMatch>
          ) : (
            <Empty title="No people yet.">
              <p>
                Everybody who signs in, or whom your application identifies, appears here with their devices, flags and
                all they did. Visitors who never do are counted in their sessions.
              </p>
              {instance && <Code text={instance.snippets.posthog.code} copyLabel="Copy the analytics setup" />}
            </Empty>
          )
        }
      />
    </>
  )
}

function None() {
  return <span className="text-ink-2">–</span>
}
