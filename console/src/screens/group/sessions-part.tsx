import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { GroupName, GroupSession } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'
import { PersonCell } from './person-cell.tsx'
import { groupSessionsQuery } from './queries.ts'

const columns: readonly TableColumn<GroupSession>[] = [
  {
    id: 'started',
    title: 'Session',
    width: 128,
    cell: ({ id, startedAt }) => (
      <Link to="/sessions/$id" params={{ id }} className="mono font-medium hover:underline">
        <Time at={startedAt} look="clock" />
      </Link>
    ),
  },
  { id: 'person', title: 'Person', cell: (session) => <PersonCell {...session} /> },
  {
    id: 'last',
    title: 'Last seen',
    width: 96,
    sorted: 'descending',
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
  },
  {
    id: 'events',
    title: <span title="That named the group">Events</span>,
    width: 84,
    align: 'right',
    from: 'narrow',
    cell: ({ events }) => <Count value={events} />,
  },
]

interface SessionsPartProps {
  readonly name: GroupName
  readonly onOpen: (session: GroupSession) => void
}

/** The sessions whose events named a group, of the last 90 days. */
export function SessionsPart({ name, onOpen }: SessionsPartProps) {
  const queryClient = useQueryClient()
  const { query, loadMore } = groupSessionsQuery(queryClient, name)
  const { data: list, error, refetch } = useQuery(query)
  if (error && !list) return <ErrorProblem error={error} onRetry={refetch} />
  if (list === undefined) return <SkeletonRows rows={12} />
  if (list.items.length === 0)
    return (
      <Empty title="No sessions in the last 90 days.">
        <p>Sessions of browsers that name this group appear here.</p>
      </Empty>
    )
  return (
    <Table
      label="Sessions"
      columns={columns}
      rows={list.items}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      onEnd={() => inBackground(loadMore())}
    />
  )
}
