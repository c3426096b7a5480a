import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { GroupSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'
import type { GroupsFilter } from './search.ts'

interface GroupsProps {
  readonly type: string
  readonly types: readonly string[]
  readonly q: string | undefined
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<GroupSummary> | undefined
  /** Stands in place of a list that cannot be had. */
  readonly failure: ReactNode
  readonly onFilter: (filter: GroupsFilter) => void
  readonly onOpen: (group: GroupSummary) => void
  readonly onEnd: () => void
}

const columnsOf = (type: string): readonly TableColumn<GroupSummary>[] => [
  {
    id: 'group',
    title: 'Group',
    cell: ({ key, name }) => (
      <>
        <Link to="/groups/$type/$key" params={{ type, key }} className="font-medium hover:underline">
          {name ?? key}
        </Link>
        {name !== null && <span className="mono ml-2 text-ink-2">{key}</span>}
      </>
    ),
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
    sorted: 'descending',
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
  },
  lately('visitors', 'Visitors', 'Distinct ids of the last 30 days', 'narrow'),
  lately('sessions', 'Sessions', 'Of the last 30 days', 'sheet'),
  lately('events', 'Events', 'Of the last 30 days', 'narrow'),
]

function lately(
  id: 'visitors' | 'sessions' | 'events',
  name: string,
  hint: string,
  from: 'narrow' | 'sheet',
): TableColumn<GroupSummary> {
  return {
    ...{ id, width: 84, align: 'right', from },
    title: <span title={hint}>{name}</span>,
    cell: ({ [id]: count }) => (count > 0 ? <Count value={count} /> : <span className="text-ink-2">–</span>),
  }
}

/** The groups of a type, those seen latest first, each with what its events come to. */
export function GroupsView({ type, types, q, list, failure, onFilter, onOpen, onEnd }: GroupsProps) {
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        <Filter
          label="Filter by key or name"
          value={q ?? ''}
          onChange={(next) => onFilter({ type, ...(next && { q: next }) })}
          className="min-w-40"
        />
        <Select
          label="Type"
          value={type}
          options={[...new Set([type, ...types])].map((one) => ({ value: one, label: one }))}
          onChange={(next) => onFilter({ type: next })}
        />
      </div>
      {failure ? (
        failure
      ) : list === undefined ? (
        <SkeletonRows rows={18} />
      ) : list.items.length > 0 ? (
        <Table
          label="Groups"
          columns={columnsOf(type)}
          rows={list.items}
          rowKey={({ key }) => key}
          onOpen={onOpen}
          onEnd={onEnd}
        />
      ) : q === undefined ? (
        <Empty title={`No groups of the type ${type}.`}>
          <p>They appear with the first event that names one.</p>
        </Empty>
      ) : (
        <Empty title="No groups match this filter.">
          <p>Keys are found by their beginning, names by the beginnings of their words.</p>
          <p>
            <Button onClick={() => onFilter({ type })}>Show all groups</Button>
          </p>
        </Empty>
      )}
    </>
  )
}
