import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { GroupName, GroupPerson } from '../../lib/api/schemas.ts'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'
import { PersonCell } from './person-cell.tsx'
import { groupPeopleQuery } from './queries.ts'

const columns: readonly TableColumn<GroupPerson>[] = [
  {
    id: 'person',
    title: 'Person',
    cell: ({ person, distinctId }) => (
      <>
        <PersonCell person={person} distinctId={distinctId} />
        {person?.name && person.email && <span className="ml-2 text-ink-2">{person.email}</span>}
      </>
    ),
  },
  {
    id: 'last',
    title: 'Last seen',
    width: 96,
    sorted: 'descending',
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
  },
  {
    id: 'events',
    title: 'Events',
    width: 84,
    align: 'right',
    from: 'narrow',
    cell: ({ events }) => <Count value={events} />,
  },
]

/** Who was seen in a group in the last 90 days. */
export function PeoplePart({ name }: { readonly name: GroupName }) {
  const { data, error, refetch } = useQuery(groupPeopleQuery(name))
  if (error && !data) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows rows={12} />
  if (data.length === 0)
    return (
      <Empty title="No people in the last 90 days.">
        <p>Those whose events name this group appear here.</p>
      </Empty>
    )
  return (
    <Table
      label="People"
      columns={columns}
      rows={data}
      rowKey={({ person, distinctId }) => person?.id ?? distinctId}
      footer={<p className="px-4 py-3 text-ink-2">Of the 500 ids seen last, in 90 days.</p>}
    />
  )
}
